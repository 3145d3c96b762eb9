"""Bounds: coverage by enumeration, values against independent code."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate
from scipy.stats import beta, binom, binomtest

from ldp_core.statistics.estimates import (
    epsilon_lower_bound,
    epsilon_point,
    epsilon_upper_end,
    max_provable,
    trials_needed,
)
from ldp_core.statistics.intervals import error_upper_limit, identification_interval
from ldp_core.types import TrialCounts
from tests.helpers.binomial import balanced

BOUNDS = ("pooled", "clopper_pearson")
some_counts = st.builds(TrialCounts, *[st.integers(0, 3_000)] * 4)


# Coverage, by enumeration: no draws, so nothing can flake.


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("trials", [10, 137, 1000])
def test_pooled_bound_covers_and_is_nearly_tight(epsilon: float, trials: int) -> None:
    significance, corner = 0.05, 1 / (1 + math.exp(epsilon))
    errors = np.arange(trials + 1)
    exceeding = [epsilon_lower_bound(balanced(int(x), trials), "pooled", significance) > epsilon for x in errors]
    failure = float(binom.pmf(errors, trials, corner)[exceeding].sum())
    assert failure <= significance
    if trials * corner > 20:
        assert failure > 0.6 * significance


def highest_exceedance(trials: int, rates: list[float], limit: list[list[float]]) -> float:
    """Return the exact chance that some look finds an upper limit below the smallest true error rate.

    Follows the number of errors along every path; mass that has met a violation is taken out and added up.
    """
    smallest, mass, violated = min(rates), np.array([1.0]), 0.0
    for n in range(1, trials + 1):
        rate = rates[(n - 1) % len(rates)]
        mass = np.concatenate((mass * (1 - rate), [0.0])) + np.concatenate(([0.0], mass * rate))
        for x in range(n + 1):
            if limit[n][x] < smallest:
                violated += mass[x]
                mass[x] = 0.0
    return violated


TRIALS_WATCHED = 150


@pytest.fixture(scope="module")
def limits() -> dict[bool, list[list[float]]]:
    """Return the upper limits at 5 % after each number of trials and errors, fixed-size and anytime."""
    return {
        anytime: [
            [error_upper_limit(x, n, 0.05, anytime=anytime) for x in range(n + 1)] for n in range(TRIALS_WATCHED + 1)
        ]
        for anytime in (False, True)
    }


@pytest.mark.parametrize("rates", [[0.02], [0.12], [0.27], [0.45], [0.27, 0.35, 0.5]])
def test_anytime_limit_may_be_looked_at_after_every_trial(
    rates: list[float], limits: dict[bool, list[list[float]]]
) -> None:
    assert highest_exceedance(TRIALS_WATCHED, rates, limits[True]) <= 0.05


@pytest.mark.parametrize("rate", [0.12, 0.27])
def test_fixed_size_limit_may_not(rate: float, limits: dict[bool, list[list[float]]]) -> None:
    assert highest_exceedance(TRIALS_WATCHED, [rate], limits[False]) > 0.1


# Values against independent code.


@pytest.mark.parametrize("significance", [0.05, 0.025, 0.01, 1e-6])
@pytest.mark.parametrize(("errors", "trials"), [(0, 1), (0, 500), (3, 10), (269, 1000), (4_999, 10_000), (12, 12)])
def test_upper_limit_is_scipys(errors: int, trials: int, significance: float) -> None:
    expected = 1.0 if errors == trials else beta.ppf(1 - significance, errors + 1, trials - errors)
    assert error_upper_limit(errors, trials, significance) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("right", "trials"), [(0, 10), (10, 10), (73, 100), (7_311, 10_000)])
def test_identification_interval_is_scipys(right: int, trials: int) -> None:
    expected = binomtest(right, trials).proportion_ci(0.95, method="exact")
    found = identification_interval(TrialCounts(right, trials - right), 0.05)
    assert found == pytest.approx((right / trials, expected.low, expected.high), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("errors", "trials"), [(0, 5), (1, 5), (4, 5), (13, 50), (120, 400)])
def test_anytime_limit_solves_its_defining_equation(errors: int, trials: int) -> None:
    """Check M(w) = 1/alpha by integrating the mixture numerically."""
    alpha = 0.05
    limit = error_upper_limit(errors, trials, alpha, anytime=True)

    def likelihood(rate: float) -> float:
        return math.exp(
            errors * (math.log(rate) - math.log(limit)) + (trials - errors) * (math.log1p(-rate) - math.log1p(-limit))
        )

    mixture = integrate.quad(likelihood, 0.0, limit, points=[errors / trials] if errors else None, epsabs=0)[0]
    if limit < 1.0:
        assert mixture / limit == pytest.approx(1 / alpha, rel=1e-6)
    else:
        assert errors == trials


def test_values_of_the_sources() -> None:
    assert epsilon_point(TrialCounts(900, 100, 200, 800)) == pytest.approx(math.log(8.0))
    assert epsilon_point(TrialCounts(100, 0, 5, 95)) == math.inf
    assert epsilon_lower_bound(TrialCounts(500, 0, 0, 500), "clopper_pearson", 0.05) == pytest.approx(4.906, abs=1e-3)
    assert max_provable(5_000, 5_000, "clopper_pearson", 0.05) == pytest.approx(7.21, abs=5e-3)
    assert max_provable(5_000, 5_000, "pooled", 0.05) == pytest.approx(8.11, abs=5e-3)
    assert max_provable(1_000, 1_000, "clopper_pearson", 0.05) == pytest.approx(5.60, abs=5e-3)


def test_price_of_watching_at_epsilon_1() -> None:
    trials, rate = 10_000, 1 / (1 + math.e)
    errors = np.arange(2_500, 2_900)
    weights = binom.pmf(errors, trials, rate)
    means = {
        anytime: sum(
            weight * epsilon_lower_bound(balanced(int(x), trials), "pooled", 0.05, anytime=anytime)
            for x, weight in zip(errors, weights, strict=True)
        )
        for anytime in (False, True)
    }
    assert means[False] == pytest.approx(0.963, abs=1e-3)
    assert means[True] == pytest.approx(0.921, abs=1e-3)


@pytest.mark.parametrize(
    "counts", [TrialCounts(1_000_000, 0, 100, 0), TrialCounts(0, 0, 0, 57), TrialCounts(0, 300, 700, 0)]
)
def test_a_bound_for_balanced_games_refuses_others_in_one_sentence(counts: TrialCounts) -> None:
    """Who always says "first" is wrong 100 times in a million where the second is sent so seldom: no leak at all."""
    for bound in (epsilon_lower_bound, epsilon_upper_end):
        with pytest.raises(ValueError, match="pooled needs counts of a game") as refused:
            bound(counts, "pooled", 0.05)
        assert f"{counts.num_first:,} and {counts.num_second:,} trials" in str(refused.value)
        assert bound(counts, "clopper_pearson", 0.05) >= 0.0


@pytest.mark.parametrize("trials", [1, 40, 10_000, 10**6])
def test_a_balanced_game_is_refused_less_often_than_once_in_10_to_the_12(trials: int) -> None:
    refused = 0
    for first in np.unique(np.linspace(0, trials, 401).astype(int)).tolist():
        try:
            epsilon_lower_bound(TrialCounts(first, 0, 0, trials - first), "pooled", 0.05)
        except ValueError:
            refused = first if 2 * first < trials else refused
    assert 2.0 * float(binom.cdf(refused, trials, 0.5)) <= 1e-12 or not refused


def test_point_estimate_without_evidence() -> None:
    assert epsilon_point(TrialCounts()) is None
    assert epsilon_point(TrialCounts(5, 5, 0, 0)) is None
    assert epsilon_point(TrialCounts(0, 10, 0, 10)) == 0.0
    assert epsilon_point(TrialCounts(0, 10, 10, 0)) == -math.inf
    assert epsilon_point(TrialCounts(4, 6, 6, 4)) == pytest.approx(math.log(4 / 6))


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("anytime", [False, True])
def test_delta_lowers_the_bound(bound: str, anytime: bool) -> None:
    counts = TrialCounts(900, 100, 100, 900)
    plain = epsilon_lower_bound(counts, bound, 0.05, anytime=anytime)
    with_delta = epsilon_lower_bound(counts, bound, 0.05, delta=0.1, anytime=anytime)
    limit = error_upper_limit(200, 2000, 0.05) if bound == "pooled" else error_upper_limit(100, 1000, 0.025)
    assert 0.0 < with_delta < plain
    if not anytime:
        assert with_delta == pytest.approx(math.log((0.9 - limit) / limit))
    assert epsilon_point(counts, delta=0.1) == pytest.approx(math.log(8.0))


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("anytime", [False, True])
def test_counts_up_to_a_hundred_million_are_precise(bound: str, anytime: bool) -> None:
    half = 5 * 10**7
    right = round(half * math.e / (1 + math.e))
    found = epsilon_lower_bound(TrialCounts(right, half - right, half - right, right), bound, 0.05, anytime=anytime)
    assert 0.998 < found < 1.0
    assert max_provable(half, half, bound, 0.05, anytime=anytime) > 14.0


# Properties.


@given(some_counts, st.sampled_from(BOUNDS), st.booleans())
def test_bounds_are_ordered(counts: TrialCounts, bound: str, anytime: bool) -> None:
    if bound == "pooled":
        counts = balanced(counts.num_trials - counts.num_right, counts.num_trials)
    lower = epsilon_lower_bound(counts, bound, 0.05, anytime=anytime)
    assert 0.0 <= lower < math.inf
    assert lower <= epsilon_upper_end(counts, bound, 0.05, anytime=anytime)
    most = max_provable(counts.num_first, counts.num_second, bound, 0.05, anytime=anytime)
    assert lower <= most + 1e-12
    point = epsilon_point(counts)
    if bound == "clopper_pearson" and point is not None and point >= 0.0:
        assert lower <= point + 1e-12
    wrong = counts.num_trials - counts.num_right
    if bound == "pooled" and 0 < wrong <= counts.num_right:
        assert lower <= math.log(counts.num_right / wrong) + 1e-12
    if anytime:
        assert lower <= epsilon_lower_bound(counts, bound, 0.05) + 1e-9


@given(some_counts, st.sampled_from(BOUNDS))
def test_the_names_of_the_two_gradients_do_not_matter(counts: TrialCounts, bound: str) -> None:
    if bound == "pooled":
        counts = balanced(counts.num_trials - counts.num_right, counts.num_trials)
    swapped = TrialCounts(
        counts.second_as_second, counts.second_as_first, counts.first_as_second, counts.first_as_first
    )
    assert epsilon_lower_bound(counts, bound, 0.05) == epsilon_lower_bound(swapped, bound, 0.05)
    assert epsilon_point(counts) == epsilon_point(swapped)


@given(st.integers(0, 500), st.integers(1, 500), st.floats(1e-6, 0.5))
def test_upper_limit_grows_with_errors_and_confidence(errors: int, more: int, significance: float) -> None:
    trials = errors + more
    for anytime in (False, True):
        limit = error_upper_limit(errors, trials, significance, anytime=anytime)
        assert errors / trials <= limit <= 1.0
        assert limit <= error_upper_limit(errors + 1, trials, significance, anytime=anytime) + 1e-12
        assert limit <= error_upper_limit(errors, trials, significance / 2, anytime=anytime) + 1e-12


@given(st.floats(0.05, 12.0), st.sampled_from(BOUNDS), st.booleans(), st.sampled_from([1.0, 0.3]))
def test_trials_needed_is_the_smallest_number(epsilon: float, bound: str, anytime: bool, share: float) -> None:
    needed = trials_needed(epsilon, bound, 0.05, spoken_share=share, anytime=anytime)
    if needed is None:
        assert bound == "pooled"
        assert share < 1.0
        return
    half = needed // 2
    assert max_provable(half, half, bound, 0.05, spoken_share=share, anytime=anytime) >= epsilon
    if half > 1:
        assert max_provable(half - 1, half - 1, bound, 0.05, spoken_share=share, anytime=anytime) < epsilon
