"""Rank sums against a Gaussian trade-off curve: exact moments, programs that just keep the claim, and liars."""

import itertools
import math

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import norm

from ldp_core.statistics.rank_sum import RankSum, moments, mu_caught, mu_lower_bound
from tests.helpers.binomial import at_most

pytestmark = pytest.mark.law
Array = NDArray[np.float64]
MU, LEVEL = 0.5, 0.05


def test_a_rank_sum_counts_pairs_and_orders_equal_numbers_at_random() -> None:
    random = np.random.default_rng(5)
    first, second = random.normal(size=7), random.normal(size=5) + 1.0
    wins = sum(one > other for one, other in itertools.product(second, first))
    assert RankSum.of(first, second, random) == RankSum(wins, 7, 5)
    drawn = {RankSum.of(np.zeros(2), np.zeros(1), random).wins for _ in range(60)}
    assert drawn == {0, 1, 2}


def test_moments_are_those_of_all_orders_and_of_integrals() -> None:
    orders = [np.flatnonzero(np.array(places)) for places in set(itertools.permutations((0, 0, 0, 0, 1, 1, 1)))]
    shares = [sum(int(place) - rank for rank, place in enumerate(order)) / 12 for order in orders]
    assert moments(0.0, 4, 3) == pytest.approx((0.5, np.var(shares)))
    steps, mu = np.linspace(-9.0, 9.0, 200_001), 0.7
    weights = norm.pdf(steps) * (steps[1] - steps[0])
    chance, both = (float((norm.cdf(steps + mu) ** power * weights).sum()) for power in (1, 2))
    wanted = (chance * (1 - chance) + 10 * (both - chance**2)) / 35
    assert moments(mu, 5, 7) == pytest.approx((chance, wanted), rel=1e-6)


def gaussian(random: Generator, apart: float, count: int) -> tuple[Array, Array]:
    return random.normal(size=count), random.normal(size=count) + apart


def coin(random: Generator, apart: float, count: int) -> tuple[Array, Array]:
    """All that is sent is on which side of the middle the Gaussian report lies: numbers of two values, all equal."""
    first, second = gaussian(random, apart, count)
    return (first > apart / 2) * 1.0, (second > apart / 2) * 1.0


def far(random: Generator, apart: float, count: int) -> tuple[Array, Array]:
    """The same order in numbers of a law without a mean."""
    first, second = gaussian(random, apart, count)
    return np.sinh(first**3), np.sinh(second**3)


@pytest.mark.few(2)
@pytest.mark.parametrize("program", [gaussian, coin, far])
@pytest.mark.parametrize(("count", "blocks"), [(60, 1), (20, 5)])
def test_who_just_keeps_the_claim_is_blamed_no_more_often_than_said(program, count: int, blocks: int) -> None:  # type: ignore[no-untyped-def]
    random, tries = np.random.default_rng(11), 1_000
    wrong = sum(
        mu_lower_bound([RankSum.of(*program(random, MU, count), random) for _ in range(blocks)], LEVEL) > MU
        for _ in range(tries)
    )
    assert at_most(wrong, tries, LEVEL)


def test_who_does_not_keep_it_is_caught_as_often_as_planned() -> None:
    random, tries, count = np.random.default_rng(12), 200, 400
    true = mu_caught(MU, count, 1e-3)
    found = sum(mu_lower_bound([RankSum.of(*gaussian(random, true, count), random)], 1e-3) > MU for _ in range(tries))
    assert at_most(tries - found, tries, 0.06)  # 5 of 100 are missed, and 1 for the normal law's sake
    assert math.isclose(true, MU + (3.09 + 1.645) * math.sqrt(2 / count), rel_tol=0.05)


@pytest.mark.nightly
@pytest.mark.parametrize("apart", [0.0, 0.2, 1.0, 3.0])
@pytest.mark.parametrize("count", [10, 50, 300])
def test_the_normal_law_is_no_smaller_than_the_true_one_where_verdicts_are_made(apart: float, count: int) -> None:
    random, tries, level = np.random.default_rng(13), 20_000, 1e-3
    mean, variance = moments(apart, count, count)
    limit, wrong = mean + float(norm.isf(level)) * math.sqrt(variance), 0
    for _ in range(tries):
        wrong += RankSum.of(*gaussian(random, apart, count), random).share > limit
    assert at_most(wrong, tries, level)
