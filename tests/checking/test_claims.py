"""What a check may say: its plan, its bounds, its power, and a file that is believed no further than its counts."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binom

from ldp_core.checking import claims
from ldp_core.checking.claims import NOT_TESTED, CheckConfig, CheckResult, from_json, kept, look_lower, plan_of
from ldp_core.checking.claims._plan import EXAM_SHARE
from ldp_core.checking.claims._subject import SAMPLES_PER_EXAM
from ldp_core.statistics.estimates import ANYTIME_SHARE, EXCESS_SHARE
from ldp_core.studies import STUDIES
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from tests.helpers.claimed import BROKEN, KEPT, OPEN, checked, counted

REFUSED = r"^a check must be what this tool wrote, got one that is not: "
configs = st.builds(
    CheckConfig,
    subject=st.text(st.characters(codec="utf-8"), max_size=30),
    epsilon=st.floats(0.01, 30.0),
    seed=st.integers(0, 2**63 - 1),
    delta=st.floats(0.0, 0.5),
    dimension=st.integers(1, 10**6),
    clip_norm=st.floats(1e-6, 1e6),
    clip_order=st.sampled_from(claims.CLIP_ORDERS),
    reports=st.integers(5_000, 10**8),
    significance=st.floats(1e-9, 0.5),
    scale=st.one_of(st.none(), st.floats(1e-12, 1e12)),
    report_norm=st.one_of(st.none(), st.floats(1e-12, 1e12)),
    adaptive=st.booleans(),
    own_pairs=st.just(0),
)


@settings(max_examples=20)
@given(configs, st.integers(0, 64))
def test_a_plan_spends_no_more_than_it_has(config: CheckConfig, own: int) -> None:
    config = replace(config, own_pairs=own, inputs_digest="ab" * 32 if own else "")
    plan = plan_of(config)
    asked = sum(turn.explore + turn.looks * turn.judged for turn in plan.rounds)
    assert SAMPLES_PER_EXAM * plan.sample + plan.trials == config.reports
    assert plan.trials > 0.35 * config.reports
    assert asked <= plan.trials
    spent = EXAM_SHARE * config.significance + sum(turn.looks * turn.significance for turn in plan.rounds)
    assert spent == pytest.approx(config.significance, rel=1e-12)
    last = plan.rounds[-1]
    assert last.judged > 0
    assert last.own_looks == (own > 0)
    if config.adaptive:
        assert plan.rounds[0].looks == last.explore == 0
        assert last.looks * last.judged > 0.45 * plan.trials
        assert last.looks * last.significance >= 0.4999 * (1 - EXAM_SHARE) * config.significance
    else:
        assert len(plan.rounds) == 1
        assert claims.num_pairs(config) * last.judged + last.explore <= plan.trials


def test_a_whole_look_states_the_larger_of_its_two_bounds() -> None:
    for delta in (0.0, 1e-3):
        config = CheckConfig("x", 1.0, 0, reports=50_000, delta=delta, significance=0.05)
        number = len(plan_of(config).rounds) - 1
        turn = plan_of(config).rounds[number]
        counts = counted(turn.judged - 500, 1.5)
        wrong, right = counts.num_trials - counts.num_right, counts.num_right
        level = (1.0 - ANYTIME_SHARE) * turn.significance
        if delta:
            right -= int(binom.isf(EXCESS_SHARE * level, turn.judged, delta))
            level *= 1.0 - EXCESS_SHARE
        limit = beta.ppf(1.0 - level, wrong + 1, right)
        found = look_lower(config, claims.Look("coordinates", "tail", 0, counts, True, number, 500))
        assert found == pytest.approx(math.log((1.0 - limit) / limit), rel=1e-9)
        watched = look_lower(config, claims.Look("coordinates", "tail", 0, counts, False, number, 499))
        assert 0.0 < watched < found


def test_verdicts() -> None:
    assert (checked(0.9).verdict, kept(checked(0.9))) == (CLAIM_NOT_REJECTED, True)
    assert (checked(1.4).verdict, kept(checked(1.4))) == (CLAIM_REJECTED, False)
    assert kept(checked(0.9, KEPT, OPEN))
    assert not kept(checked(0.9, KEPT, BROKEN))
    nothing = replace(checked(), looks=(), completed=False)
    assert (nothing.verdict, kept(nothing)) == (NOT_TESTED, False)


def test_a_rejection_names_what_showed_it() -> None:
    result = checked(1.6, KEPT, BROKEN, pair="near-equal")
    text = STUDIES["check"].text(result)
    for words in ("two nearly equal updates", "The claim is ε = 1.", "99.9 %", "100,000", "One question of the exam"):
        assert words in text
    stated = float(text.split("at least ε = ")[1].split(". ")[0])
    assert result.epsilon_lower - 0.01 < stated <= result.epsilon_lower


def test_a_terminal_obeys_nothing_that_a_vendor_says() -> None:
    clause = claims.Clause("shape-and-type", False, "broken", {"problem": "\x1b[31mred\x07\nExit: 0"})
    text = STUDIES["check"].text(checked(0.9, clause, subject="\x1b]0;title\x07"))
    assert all(letter.isprintable() or letter == "\n" for letter in text)
    assert "\nExit" not in text


def altered(change: Callable[[Any], Any], result: CheckResult | None = None) -> str:
    report = json.loads(claims.to_json(result or checked(0.9, KEPT, BROKEN, OPEN)))
    change(report)
    return json.dumps(report)


def test_what_can_be_derived_is_not_believed() -> None:
    def change(report: Any) -> None:
        report.update(verdict=CLAIM_REJECTED, epsilon_lower=9.0, rejected_by={"pair": "x"})
        report.update(power={"smallest_detectable_epsilon": {"side": 1.0}})
        report["clauses"][1].update(sentence="All is well.")
        report["looks"][0].update(epsilon_lower=9.0, bound="pooled")

    result = checked(0.9, KEPT, BROKEN, OPEN)
    assert from_json(altered(change)) == result
    assert from_json(altered(lambda report: None)) == result


def test_a_look_is_whole_only_at_its_planned_size() -> None:
    """The bound for the planned size would be too large for a look that stopped where it liked."""

    def change(report: Any) -> None:
        report.update(completed=False)
        report["looks"][0]["counts"]["first_as_first"] -= 1

    with pytest.raises(ValueError, match="completed must follow"):
        from_json(altered(change))
