"""Bounds: values against independent code; their coverage is in ``test_coverage``."""

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
    joint_lower_bound,
    max_provable,
)
from ldp_core.statistics.intervals import excess_limit
from ldp_core.types import TrialCounts
from tests.helpers.binomial import balanced

BOUNDS = ("pooled", "clopper_pearson")
some_counts = st.builds(TrialCounts, *[st.integers(0, 3_000)] * 4)


def test_values_of_the_sources() -> None:
    assert epsilon_point(TrialCounts(900, 100, 200, 800)) == pytest.approx(math.log(8.0))
    assert epsilon_point(TrialCounts(100, 0, 5, 95)) == math.inf
    assert epsilon_lower_bound(TrialCounts(500, 0, 0, 500), "clopper_pearson", 0.05) == pytest.approx(4.906, abs=1e-3)
    assert max_provable(5_000, 5_000, "clopper_pearson", 0.05) == pytest.approx(7.21, abs=5e-3)
    assert max_provable(5_000, 5_000, "pooled", 0.05) == pytest.approx(8.11, abs=5e-3)
    assert max_provable(1_000, 1_000, "clopper_pearson", 0.05) == pytest.approx(5.60, abs=5e-3)


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


SIGNIFICANCE = 0.05


def rejects(right: int, wrong: int, trials: int, epsilon: float, delta: float = 0.0, *, anytime: bool = False) -> bool:
    return joint_lower_bound(right, wrong, trials, SIGNIFICANCE, delta=delta, anytime=anytime) > epsilon


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("trials", [1, 7, 60])
def test_a_rule_at_the_very_edge_of_the_claim_is_blamed_at_most_as_often_as_stated(epsilon: float, trials: int) -> None:
    """Every outcome of every share of spoken trials; each spoken guess is right as often as the claim allows."""
    right_share = 1.0 / (1.0 + math.exp(-epsilon))
    blamed = np.array(
        [
            sum(
                binom.pmf(right, spoken, right_share)
                for right in range(spoken + 1)
                if rejects(right, spoken - right, trials, epsilon)
            )
            for spoken in range(trials + 1)
        ]
    )
    for share in (0.01, 0.2, 0.7, 1.0):
        assert binom.pmf(np.arange(trials + 1), trials, share) @ blamed <= SIGNIFICANCE


@pytest.mark.parametrize(("delta", "share"), [(0.01, 0.1), (0.1, 0.5), (0.02, 1.0), (0.3, 0.3)])
def test_with_delta_too(delta: float, share: float) -> None:
    """Trials that delta allows are always right; of the others a share is spoken about, at the edge of the claim."""
    trials, epsilon = 30, 1.0
    right_share, total, careless = 1.0 / (1.0 + math.exp(-epsilon)), 0.0, 0.0
    for excess in range(trials + 1):
        for spoken in range(trials - excess + 1):
            chance = binom.pmf(excess, trials, delta) * binom.pmf(spoken, trials - excess, share)
            if chance < 1e-15:
                continue
            for right in range(spoken + 1):
                likely = chance * binom.pmf(right, spoken, right_share)
                total += likely * rejects(excess + right, spoken - right, trials, epsilon, delta)
                careless += likely * rejects(excess + right, spoken - right, trials, epsilon)
    assert total <= SIGNIFICANCE
    if delta >= 0.02 and share < 1.0:
        assert careless > SIGNIFICANCE  # the liar of this test: a bound that forgets delta


def test_a_run_that_is_looked_at_all_the_time_is_blamed_at_most_as_often_as_stated() -> None:
    """Walk all paths of right and wrong guesses; whoever was blamed once stays blamed."""
    epsilon, trials = 0.5, 120
    right_share = 1.0 / (1.0 + math.exp(-epsilon))

    def blamed(anytime: bool) -> float:
        alive, lost = np.zeros(trials + 2), 0.0
        alive[0] = 1.0  # by the number of wrong guesses
        for done in range(1, trials + 1):
            alive[1 : done + 1], alive[0] = (
                alive[1 : done + 1] * right_share + alive[:done] * (1.0 - right_share),
                alive[0] * right_share,
            )
            for wrong in range(done // 2 + 1):
                if not rejects(done - wrong, wrong, trials, epsilon, anytime=anytime):
                    break
                lost, alive[wrong] = lost + alive[wrong], 0.0
        return lost

    assert blamed(anytime=True) <= SIGNIFICANCE
    assert blamed(anytime=False) > SIGNIFICANCE  # the liar: a bound for one look, taken after every trial


@pytest.mark.parametrize(("trials", "delta"), [(10, 0.3), (1_000, 1e-3), (50_000, 1e-5), (5, 0.0)])
def test_the_limit_of_deltas_trials_is_the_quantile(trials: int, delta: float) -> None:
    for significance in (0.3, 0.01, 1e-7):
        assert excess_limit(trials, delta, significance) == int(binom.isf(significance, trials, delta))
