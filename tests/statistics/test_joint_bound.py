"""The joint bound on p - e^eps q: its false alarms counted exactly, and what it needs beside two limits."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from ldp_core.statistics.estimates import joint_lower_bound
from ldp_core.statistics.intervals import excess_limit

SIGNIFICANCE = 0.05


def rejects(right: int, wrong: int, trials: int, epsilon: float, delta: float = 0.0, *, anytime: bool = False) -> bool:
    return joint_lower_bound(right, wrong, trials, SIGNIFICANCE, delta=delta, anytime=anytime) > epsilon


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("trials", [1, 7, 60])
def test_a_rule_that_speaks_at_the_very_edge_of_the_claim_is_blamed_at_most_as_often_as_stated(
    epsilon: float, trials: int
) -> None:
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
