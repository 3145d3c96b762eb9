"""What the whole white box does, against the exact laws. Each test has a liar that it must catch."""

import math
from pathlib import Path

import pytest

from ldp_core.cache import Cache
from ldp_core.distinguishers import CosineSimilarity, Selective
from ldp_core.game.summary import summarize
from ldp_core.mechanisms import MECHANISMS, LdpSgd
from ldp_core.private import GradientPair
from ldp_core.statistics import theory
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.audit.run import audit
from ldp_core.types import TrialCounts
from tests.game.alone import pair_at, run_trials
from tests.helpers.binomial import accepts
from tests.helpers.liars import FivePercent, FixedSeed, NoNormProjection

pytestmark = pytest.mark.law
TRIALS = {0.5: 2_200_000, 1.0: 700_000, 2.0: 320_000, 4.0: 500_000}
"""Enough to tell a mechanism that is 5 % off from a right one with both errors below 1e-9."""


def counts(
    mechanism: LdpSgd, distinguisher: CosineSimilarity | Selective, pair: GradientPair, trials: int, seed: int,
    sampling: str = "full",
) -> TrialCounts:  # fmt: skip
    *_, last = run_trials(mechanism, distinguisher, pair, trials, seed=seed, sampling=sampling, threads=2)
    return last


def cells_fit(found: TrialCounts, pair: GradientPair, epsilon: float, distinguisher: str) -> bool:
    """Compare each truth's share of right guesses, and the truths themselves, with the exact law."""
    shape = pair.geometry
    arguments = (epsilon, shape.angle_degrees, shape.norm_first, shape.norm_second, 1.0)
    wrong, caught = theory.selective_rates(*arguments)
    if distinguisher == "cosine":
        turn = shape.angle_degrees / 360
        shrink = math.tanh(epsilon / 2)
        wrong = 0.5 - turn * min(shape.norm_first, 1.0) * shrink
        caught = 0.5 + turn * min(shape.norm_second, 1.0) * shrink
    return (
        accepts(found.num_first, found.num_trials, 0.5)
        and accepts(found.first_as_second, found.num_first, wrong)
        and accepts(found.second_as_second, found.num_second, caught)
    )


@pytest.mark.few(3)
@pytest.mark.parametrize("epsilon", [pytest.param(0.5, marks=pytest.mark.nightly), 1.0, 2.0, 4.0])
@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_worst_case_is_met_and_five_percent_more_is_caught(law_seed: int, epsilon: float, sampling: str) -> None:
    pair, trials = pair_at(180.0, 1.0, 1.0), TRIALS[epsilon]
    promise = theory.worst_case_identification(epsilon)
    found = counts(LdpSgd(epsilon), CosineSimilarity(), pair, trials, law_seed, sampling)
    assert accepts(found.num_right, trials, promise)
    lie = counts(FivePercent(epsilon), CosineSimilarity(), pair, trials, law_seed, sampling)
    assert not accepts(lie.num_right, trials, promise)


@pytest.mark.few(10)
@pytest.mark.parametrize(
    ("degrees", "norm_first", "norm_second", "dimension"),
    [(86.0, 0.8, 0.8, 8), (30.0, 5.0, 0.3, 8), (120.0, 0.05, 1.0, 2), (180.0, 0.4, 2.0, 64), (180.0, 0.0, 1.0, 3)],
)
@pytest.mark.parametrize("distinguisher", [CosineSimilarity(), Selective()])
@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_every_cell_follows_the_exact_law(
    law_seed: int, degrees: float, norm_first: float, norm_second: float, dimension: int,
    distinguisher: CosineSimilarity | Selective, sampling: str,
) -> None:  # fmt: skip
    pair = pair_at(degrees, norm_first, norm_second, dimension)
    found = counts(LdpSgd(2.0), distinguisher, pair, 200_000, law_seed, sampling)
    assert cells_fit(found, pair, 2.0, distinguisher.name)


@pytest.mark.few(2)
@pytest.mark.parametrize("liar", [NoNormProjection(2.0), FixedSeed(2.0)])
@pytest.mark.parametrize("distinguisher", [CosineSimilarity(), Selective()])
def test_the_cell_test_catches_liars(liar: LdpSgd, distinguisher: CosineSimilarity | Selective) -> None:
    pair = pair_at(86.0, 0.8, 0.8)
    assert not cells_fit(counts(liar, distinguisher, pair, 200_000, 1), pair, 2.0, distinguisher.name)


@pytest.mark.few(2)
@pytest.mark.parametrize("attack", ["benign", "label-flip", "gradient-flip", "collusion", "dummy"])
@pytest.mark.parametrize(
    "epsilon", [1.0, *(pytest.param(epsilon, marks=pytest.mark.nightly) for epsilon in (0.5, 2.0, 4.0))]
)
def test_a_whole_audit_follows_the_law_of_each_measured_pair(
    law_seed: int, attack: str, epsilon: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cache = Cache(tmp_path_factory.getbasetemp() / "laws")
    config = make_config(
        attack=attack, epsilon=epsilon, seed=law_seed, num_trials=4_000, num_measurements=3, significance=1e-9
    )
    *_, last = audit(config, cache, threads=2)
    for measurement in last.result.measurements:
        assert accepts(measurement.counts.num_right, config.num_trials, measurement.expected_identification)
    promise = theory.worst_case_identification(epsilon)
    if attack in ("collusion", "dummy"):
        assert all(m.expected_identification == pytest.approx(promise, abs=1e-6) for m in last.result.measurements)
    assert summarize(last.result).verdict == "claim_not_rejected"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("degrees", "norm_first", "norm_second", "distinguisher"),
    [
        (150.0, 1.0, 1.0, CosineSimilarity()),
        (86.0, 1.0, 3.0, Selective()),
        (180.0, 0.0, 1.0, CosineSimilarity()),
        (180.0, 1.0, 0.0, Selective()),
    ],
)
@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_the_cell_test_catches_five_percent_more(
    law_seed: int, degrees: float, norm_first: float, norm_second: float,
    distinguisher: CosineSimilarity | Selective, sampling: str,
) -> None:  # fmt: skip
    pair, trials = pair_at(degrees, norm_first, norm_second, dimension=4), 800_000
    honest = counts(LdpSgd(2.0), distinguisher, pair, trials, law_seed, sampling)
    assert cells_fit(honest, pair, 2.0, distinguisher.name)
    lie = counts(FivePercent(2.0), distinguisher, pair, trials, law_seed, sampling)
    assert not cells_fit(lie, pair, 2.0, distinguisher.name)


def test_the_selective_bound_rejects_five_percent_more_and_accepts_the_truth(law_seed: int) -> None:
    """At significance 1e-9 the bound of an honest run exceeds the claim once in a billion seeds."""
    pair = pair_at(86.0, 1.0, 3.0)
    lowers = [
        epsilon_lower_bound(
            counts(mechanism, Selective(), pair, 4_000_000, law_seed, "projected"), "clopper_pearson", 1e-9
        )
        for mechanism in (LdpSgd(2.0), FivePercent(2.0))
    ]
    assert 1.9 < lowers[0] <= 2.0 < lowers[1]


@pytest.mark.parametrize("attack", ["collusion", "dummy"])
@pytest.mark.parametrize("liar", [False, True])
def test_a_whole_audit_catches_a_mechanism_that_is_five_percent_off(
    law_seed: int, attack: str, liar: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if liar:
        monkeypatch.setitem(MECHANISMS, "ldp-sgd", FivePercent)
    config = make_config(
        attack=attack, epsilon=1.0, seed=law_seed, num_trials=TRIALS[1.0], num_measurements=2, training="none",
        sampling="projected", significance=1e-9,
    )  # fmt: skip
    *_, last = audit(config, Cache(tmp_path), threads=2)
    for measurement in last.result.measurements:
        fits = accepts(measurement.counts.num_right, config.num_trials, measurement.expected_identification)
        assert fits == (not liar)
    assert summarize(last.result).verdict == ("claim_rejected" if liar else "claim_not_rejected")
