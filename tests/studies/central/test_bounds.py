"""Bounds on the epsilon of a DP-SGD: right against oracles, not above the truth, and liars are caught."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import beta, norm

from ldp_core.statistics import accountant, central_law
from ldp_core.statistics.accountant import Sampled, noise_for
from ldp_core.statistics.curve_test import Thresholds, counts_at, family_of, gdp_epsilon, upper_limits
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.studies.central.result import CentralConfig, CentralResult, claimed
from ldp_core.types import TrialCounts
from tests.helpers.binomial import accepts

pytestmark = pytest.mark.law
DELTA, SIGNIFICANCE = 1e-5, 0.05
CLAIM = Sampled(0.1, 1.1445, 50)


def games(inside: bool, number: int, seed: int, phase: int, actual: Sampled, sampling: str = "poisson") -> np.ndarray:
    size = central_law.GAMES_TOGETHER
    return np.concatenate(
        [
            central_law.games(
                CLAIM, inside, min(size, number - start), seed, phase, start, actual=actual, sampling=sampling
            )
            for start in range(0, number, size)
        ]
    )


def judged(number: int, seed: int, actual: Sampled = CLAIM, sampling: str = "poisson") -> TrialCounts:
    """Return the counts of games whose threshold other games have chosen."""
    other, ours = ([games(side, number, seed, phase, actual, sampling) for side in (True, False)] for phase in (0, 1))
    return counts_at(Thresholds.of(*other).most_right(), *ours)


def refuted(counts: TrialCounts) -> bool:
    false_positive, false_negative = upper_limits(counts, SIGNIFICANCE)
    return false_negative < float(accountant.rough(CLAIM).tradeoff(false_positive))


def test_limits_are_clopper_and_pearsons_and_false_positives_are_guesses_in_when_out() -> None:
    counts = TrialCounts(70, 30, 5, 195)
    false_positive, false_negative = upper_limits(counts, SIGNIFICANCE)
    assert false_positive == pytest.approx(beta.ppf(0.975, 6, 195), rel=1e-6)
    assert false_negative == pytest.approx(beta.ppf(0.975, 31, 70), rel=1e-6)


def test_the_bound_at_epsilon_and_delta_is_the_papers() -> None:
    counts, delta = TrialCounts(900, 100, 40, 960), 1e-5
    positive, negative = beta.ppf(0.975, 41, 960), beta.ppf(0.975, 101, 900)
    exact = max(math.log((1 - delta - positive) / negative), math.log((1 - delta - negative) / positive))
    assert epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=delta) == pytest.approx(exact, rel=1e-6)


def test_kairouz_inequalities_hold_with_at_least_and_not_as_the_notes_print_them() -> None:
    """FP + e^epsilon FN >= 1 - delta, in both directions; printed with <=, the honest mechanism would break it."""
    curve = accountant.certified(CLAIM, DELTA)
    factor, alarms = math.exp(curve.epsilon(DELTA)), np.linspace(0.0, 1.0, 201)
    missed = curve.tradeoff(alarms)
    assert (alarms + factor * missed >= 1 - DELTA - 1e-9).all()
    assert (missed + factor * alarms >= 1 - DELTA - 1e-9).all()
    assert (alarms[1:-1] + factor * missed[1:-1] > 1 - DELTA).any()


@pytest.mark.parametrize("limits", [(0.1, 0.2), (0.02, 0.6), (0.3, 0.3), (0.5, 0.499)])
def test_the_gaussian_bound_is_that_of_the_mu_which_the_limits_refute(limits: tuple[float, float]) -> None:
    mu = norm.isf(limits[0]) - norm.ppf(limits[1])

    def excess(epsilon: float) -> float:
        return norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu) - DELTA

    exact = brentq(excess, 0.0, 40.0) if excess(0.0) > 0 else 0.0
    assert gdp_epsilon(*limits, DELTA) == pytest.approx(exact, abs=1e-6)
    assert gdp_epsilon(0.6, 0.4, DELTA) == 0.0


def test_epsilon_shown_is_the_largest_of_the_family_that_is_refuted() -> None:
    """Limits on the curve of one noise refute a little more noise no less, and a little less noise not."""
    family = family_of(0.1, 50, DELTA)
    for epsilon in (1.0, 4.0):
        curve = accountant.rough(Sampled(0.1, noise_for(0.1, 50, epsilon, DELTA), 50))
        shown = family.shown(0.1, float(curve.tradeoff(0.1)))
        assert epsilon * 0.97 < shown <= epsilon * 1.001
        assert family.shown(0.1, float(curve.tradeoff(0.1)) + 0.02) < shown
    assert family.shown(0.5, 0.5) == 0.0


def test_of_another_mechanism_the_family_says_nothing_and_clopper_pearson_still_holds() -> None:
    """Randomized response at epsilon = 1: right 73 of 100. The curve "shows" nearly 10; the point bound stays below."""
    right = round(100_000 / (1 + math.exp(-1.0)))
    counts = TrialCounts(right, 100_000 - right, 100_000 - right, right)
    assert family_of(0.1, 50, DELTA).shown(*upper_limits(counts, SIGNIFICANCE)) > 9.0
    assert 0.97 < epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=DELTA) <= 1.0


def test_thresholds_are_chosen_on_other_games_and_count_ties_as_in() -> None:
    offered = Thresholds.of(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 1.0]))
    cut = offered.most_right()
    assert 1.0 < cut <= 2.0
    assert counts_at(2.0, np.array([2.0, 1.9]), np.array([2.0, 3.0, 0.0])) == TrialCounts(1, 1, 2, 1)


def test_a_bound_is_seldom_above_the_truth() -> None:
    """200 audits of 500 games in each world: none of the bounds may exceed epsilon = 4 in more than 5 %."""
    family, above, refusals = family_of(0.1, 50, DELTA), [0, 0, 0], 0
    for seed in range(200):
        counts = judged(500, seed)
        limits = upper_limits(counts, SIGNIFICANCE)
        above[0] += family.shown(*limits) > 4.0
        above[1] += epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=DELTA) > 4.0
        above[2] += gdp_epsilon(*limits, DELTA) > 4.0
        refusals += refuted(counts)
    assert max(*above, refusals) <= 10


def test_five_thousand_games_show_3_2_of_4() -> None:
    family = family_of(0.1, 50, DELTA)
    shown = [family.shown(*upper_limits(judged(5_000, seed), SIGNIFICANCE)) for seed in range(12)]
    assert np.mean(shown) >= 3.2
    assert max(shown) <= 4.0


@pytest.mark.parametrize(
    ("actual", "number"),
    [
        (Sampled(0.1, 1.1445 * 0.5, 50), 300),
        (Sampled(0.2, 1.1445, 50), 600),
        (Sampled(0.1, 1.1445, 100), 2_500),
        (Sampled(0.1, 1.1445 * 0.8, 50), 3_500),
    ],
    ids=["half the noise", "twice the rate", "twice the steps", "noise x .8"],
)
def test_a_liar_is_caught_by_the_curve(actual: Sampled, number: int) -> None:
    assert sum(refuted(judged(number, seed, actual)) for seed in range(5)) == 5


def test_four_fifths_of_the_noise_are_caught_by_two_thousand_games() -> None:
    """Power .977 at 2,000 judged games in each world; measured here on 40 audits."""
    caught = sum(refuted(judged(2_000, seed, Sampled(0.1, 1.1445 * 0.8, 50))) for seed in range(40))
    assert caught >= 38
    assert accepts(caught, 40, 0.977)


def test_one_thousand_games_cannot_show_3_6_of_4_by_the_point() -> None:
    """What the notes say: "3.6 at epsilon = 4". The best attacker's bound has a mean near 1 at most."""
    from ldp_core.studies.central.result import expected_point_bound

    assert expected_point_bound(0.1, 1.1445, 50, DELTA, 1_000) < 1.3
    for seed in range(10):
        counts = judged(1_000, seed)
        assert epsilon_lower_bound(counts, "clopper_pearson", SIGNIFICANCE, delta=DELTA) < 2.0


def test_the_result_derives_everything_from_its_counts() -> None:
    config = CentralConfig("malicious-data", 1, epsilon=4.0, games=300, law=True)
    assert claimed(config).noise == pytest.approx(1.1446, abs=2e-4)
    honest = judged(300, 1)
    liar = judged(300, 2, Sampled(0.1, 1.1445 * 0.4, 50))
    found = [CentralResult(config, counts, counts, True, 1.0, "cpu", {}) for counts in (honest, liar)]
    assert [one.verdict for one in found] == ["claim_not_rejected", "claim_rejected"]
    assert found[0].curve <= 4.0 < found[1].curve
    with pytest.raises(ValueError, match="completed must be"):
        CentralResult(config, honest, honest, False, 1.0, "cpu", {})
