"""States, bounds and means: everything that is said about a run, and what is advised after it."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game import advice
from ldp_core.game.summary import (
    effective_significance,
    expected_epsilon,
    expected_identification,
    planned_max_provable,
    planned_trials_needed,
    sees_report,
    summarize,
)
from ldp_core.mechanisms import MECHANISMS
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts

FLIPPED = PairGeometry(180.0, 1.0, 1.0, "gradient and its negative")


def config(**changes: object) -> AuditConfig:
    values: dict[str, object] = {
        "attack": "dummy", "epsilon": 1.0, "bound": "pooled", "seed": 1, "num_measurements": 1, "significance": 0.05,
    } | changes  # fmt: skip
    return AuditConfig(**values)  # type: ignore[arg-type]


def result(
    *counts: TrialCounts, pair: PairGeometry = FLIPPED, completed: bool = True, **changes: object
) -> AuditResult:
    total = sum(counts, TrialCounts())
    planned = config(**({"num_trials": max(1, total.num_trials)} | changes))
    measurements = tuple(MeasurementResult(pair, c, expected_identification(planned, pair)) for c in counts)
    return AuditResult(planned, measurements, completed, 1.0, "cpu", {})


def right(share: float, trials: int = 10_000) -> TrialCounts:
    """Return counts with a share of right guesses, equally on both sides."""
    half = trials // 2
    hits = round(share * half)
    return TrialCounts(hits, half - hits, half - hits, hits)


@pytest.mark.parametrize(
    ("counts", "changes", "state"),
    [
        (right(0.80), {}, "above"), (right(0.7311), {}, "at"), (right(0.735), {}, "at"), (right(0.60), {}, "below"),
        (right(0.503), {}, "coin"), (right(0.45), {}, "below"), (right(1.0, 20), {"epsilon": 8.0}, "too_few"),
        (right(0.5, 20), {"epsilon": 8.0}, "too_few"), (TrialCounts(), {}, "too_few"),
        (right(0.80), {"bound": "clopper_pearson"}, "above"), (right(0.7311), {"bound": "clopper_pearson"}, "at"),
        (right(0.60), {"bound": "clopper_pearson"}, "below"),
    ],
)  # fmt: skip
def test_state(counts: TrialCounts, changes: dict, state: str) -> None:  # type: ignore[type-arg]
    summary = summarize(result(counts, **changes))
    assert summary.state == state
    assert summary.verdict == ("claim_rejected" if state == "above" else "claim_not_rejected")


def test_rejection_comes_before_too_few() -> None:
    """Selective counts that show more than the expected share of spoken guesses could."""
    pair = PairGeometry(1.0, 1.0, 1.0, "nearly equal gradients")
    counts = TrialCounts(5_000, 0, 2_000, 3_000)
    found = summarize(result(counts, pair=pair, epsilon=6.0, bound="clopper_pearson", distinguisher="selective"))
    assert found.epsilon.max_provable == found.epsilon.lower > 6.0
    assert found.state == "above"


def test_a_watched_run_splits_its_significance() -> None:
    watched = config(watch=True)
    parts = [effective_significance(watched, anytime=anytime) for anytime in (True, False)]
    assert parts == pytest.approx([0.01, 0.04])
    assert effective_significance(config(), anytime=False) == 0.05
    assert summarize(result(right(0.7), watch=True)).significance == pytest.approx(0.04)
    assert summarize(result(right(0.7), watch=True, completed=False)).significance == pytest.approx(0.01)


def test_the_point_is_the_mean_of_finite_measurements() -> None:
    measurements = (TrialCounts(90, 10, 20, 80), TrialCounts(100, 0, 50, 50), TrialCounts(60, 40, 40, 60))
    summary = summarize(result(*measurements, TrialCounts(), num_measurements=4))
    assert summary.epsilon.point == pytest.approx((math.log(8.0) + math.log(1.5)) / 2)
    assert summary.epsilon.point_infinite == 1
    assert summary.counts.num_trials == 600


def test_expected_identification_is_weighted_by_trials() -> None:
    near = MeasurementResult(FLIPPED, right(0.7, 300), 0.7)
    far = MeasurementResult(FLIPPED, right(0.6, 100), 0.6)
    both = AuditResult(config(num_trials=200, num_measurements=2), (near, far), True, 1.0, "cpu", {})
    assert summarize(both).expected_identification == pytest.approx(0.675)


def test_selective_is_planned_by_the_share_in_which_it_speaks() -> None:
    """The example of the conventions: at 86 degrees and epsilon 4 the selective adversary shows what pooled misses."""
    pair = PairGeometry(86.0, 1.0, 1.0, "gradients of two images")
    wrong, caught = theory.selective_rates(4.0, 86.0, 1.0, 1.0, 1.0)
    half = 500_000
    counts = TrialCounts(
        half - round(wrong * half), round(wrong * half), half - round(caught * half), round(caught * half)
    )
    options = {"pair": pair, "epsilon": 4.0, "distinguisher": "selective"}
    strong = summarize(result(counts, bound="clopper_pearson", **options))  # type: ignore[arg-type]
    weak = summarize(result(counts, bound="pooled", **options))  # type: ignore[arg-type]
    assert strong.epsilon.lower == pytest.approx(3.96, abs=0.02)
    assert weak.epsilon.lower == pytest.approx(0.99, abs=0.01)
    assert strong.epsilon.max_provable < math.log((half * 2) / -math.log(0.025))


@given(st.floats(0.05, 10.0), st.sampled_from(["pooled", "clopper_pearson"]), st.booleans(), st.integers(1, 10))
def test_the_plan_reaches_epsilon_with_its_trials(epsilon: float, bound: str, watch: bool, measurements: int) -> None:
    asked = planned_trials_needed(config(epsilon=epsilon, bound=bound, watch=watch, num_measurements=measurements))
    if asked > 10**9:
        return
    plan = config(epsilon=epsilon, bound=bound, watch=watch, num_measurements=measurements, num_trials=asked)
    assert planned_max_provable(plan) >= epsilon - 1e-9


def test_expected_epsilon_is_what_endless_trials_would_show() -> None:
    """Feed counts at exactly the law's rates: both bounds come close to it from below."""
    pair, half = PairGeometry(86.0, 1.0, 0.6, "gradients of two images"), 10**9
    for distinguisher, bound, law in (
        ("cosine", "pooled", theory.cosine_rates),
        ("cosine", "clopper_pearson", theory.cosine_rates),
        ("selective", "clopper_pearson", theory.selective_rates),
    ):
        wrong, caught = (round(rate * half) for rate in law(3.0, 86.0, 1.0, 0.6, 1.0))
        counts = TrialCounts(half - wrong, wrong, half - caught, caught)
        run = result(counts, pair=pair, epsilon=3.0, distinguisher=distinguisher, bound=bound, num_trials=10**9)
        expected = expected_epsilon(run, 3.0)
        assert expected - 2e-3 < summarize(run).epsilon.lower < expected


@pytest.mark.parametrize("epsilon", [1.0, 4.0, 8.0])
def test_the_plan_leaves_room_for_an_uneven_split_of_the_truths(epsilon: float) -> None:
    """A perfect attack whose first gradient was sent four standard deviations too rarely can still show epsilon."""
    asked = planned_trials_needed(config(epsilon=epsilon, bound="clopper_pearson"))
    few = math.floor(asked / 2 - 4 * math.sqrt(asked) / 2)
    counts = TrialCounts(few, 0, 0, asked - few)
    assert summarize(result(counts, epsilon=epsilon, bound="clopper_pearson")).state != "too_few"


def begun(attack: str = "benign", rule: str = "cosine", epsilon: float = 1.0, **options: object) -> AuditConfig:
    return AuditConfig(
        attack=attack, epsilon=epsilon, bound=DISTINGUISHERS[rule].bound, seed=1, distinguisher=rule,
        **options,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.mark.parametrize("attack", list(ADVERSARIES))
@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@pytest.mark.parametrize("black", [False, True])
def test_ever_stronger_tests_come_to_an_end_at_the_worst_case(attack: str, mechanism: str, black: bool) -> None:
    current = begun(attack, ADVERSARIES[attack].paper_rule if black else "cosine", mechanism=mechanism, strength=0.5)
    steps = 0
    while (further := advice.stronger(current)) is not None:
        assert further != current
        assert further.bound == DISTINGUISHERS[further.distinguisher].bound
        assert not DISTINGUISHERS[further.distinguisher].objection(further.attack, further.clients)
        assert (further.epsilon, further.mechanism) == (current.epsilon, mechanism)
        current, steps = further, steps + 1
        assert steps < 5
    assert (current.attack, current.strength, current.distinguisher) == ("dummy", 1.0, "cosine")
    assert sees_report(current)
    law = theory.cosine_identification(1.0, 180.0, current.strength, current.strength, 1.0)
    assert law == pytest.approx(theory.worst_case_identification(1.0))


def test_a_longer_test_can_show_what_is_claimed() -> None:
    short = begun(epsilon=8.0, num_trials=10, watch=True)
    longer = advice.longer(short)
    assert planned_max_provable(short) < 8.0 <= planned_max_provable(longer)
    assert advice.longer(replace(short, epsilon=30.0)) is None
