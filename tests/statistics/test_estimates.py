"""Bounds: coverage by enumeration, values against independent code."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from ldp_core.statistics.estimates import (
    epsilon_lower_bound,
    epsilon_point,
    epsilon_upper_end,
    max_provable,
    trials_needed,
)
from ldp_core.statistics.intervals import error_upper_limit
from ldp_core.types import TrialCounts

BOUNDS = ("pooled", "clopper_pearson")
some_counts = st.builds(TrialCounts, *[st.integers(0, 3_000)] * 4)


def counts_of(errors_first: int, num_first: int, errors_second: int, num_second: int) -> TrialCounts:
    return TrialCounts(num_first - errors_first, errors_first, errors_second, num_second - errors_second)


# Coverage, by enumeration: no draws, so nothing can flake.


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("trials", [10, 137, 1000])
def test_pooled_bound_covers_and_is_nearly_tight(epsilon: float, trials: int) -> None:
    significance, corner = 0.05, 1 / (1 + math.exp(epsilon))
    errors = np.arange(trials + 1)
    exceeding = [epsilon_lower_bound(counts_of(int(x), trials, 0, 0), "pooled", significance) > epsilon for x in errors]
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


def test_values_of_the_sources() -> None:
    assert epsilon_point(TrialCounts(900, 100, 200, 800)) == pytest.approx(math.log(8.0))
    assert epsilon_point(TrialCounts(100, 0, 5, 95)) == math.inf
    assert epsilon_lower_bound(TrialCounts(500, 0, 0, 500), "clopper_pearson", 0.05) == pytest.approx(4.906, abs=1e-3)
    assert max_provable(5_000, 5_000, "clopper_pearson", 0.05) == pytest.approx(7.21, abs=5e-3)
    assert max_provable(5_000, 5_000, "pooled", 0.05) == pytest.approx(8.11, abs=5e-3)
    assert max_provable(1_000, 1_000, "clopper_pearson", 0.05) == pytest.approx(5.60, abs=5e-3)


def test_point_estimate_without_evidence() -> None:
    assert epsilon_point(TrialCounts()) is None
    assert epsilon_point(TrialCounts(5, 5, 0, 0)) is None
    assert epsilon_point(TrialCounts(0, 10, 0, 10)) == 0.0
    assert epsilon_point(TrialCounts(0, 10, 10, 0)) == -math.inf
    assert epsilon_point(TrialCounts(4, 6, 6, 4)) == pytest.approx(math.log(4 / 6))


# Properties.


@given(some_counts, st.sampled_from(BOUNDS), st.booleans())
def test_bounds_are_ordered(counts: TrialCounts, bound: str, anytime: bool) -> None:
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
