"""What rank sums of two samples say against a claimed Gaussian trade-off curve: a lower bound on its mu.

Let P and Q be the laws of a score for the two worlds, larger where Q is likelier. A claim of mu says that every test
that tells them apart errs as often, one way or the other, as the best test between N(0, 1) and N(mu, 1). Map scores by
the increasing function that makes P standard normal, ties broken at random. The test "above t" then has the false
positive rate 1 - Phi(t), so the claim says Q(at most t) >= Phi(t - mu), for every t: Q lies stochastically below
N(mu, 1). A rank sum depends on the order alone, and grows with every number of the second sample. So its law lies
stochastically below that for N(0, 1) and N(mu, 1), whatever program keeps the claim: noise of any law, discrete numbers
and a coin included. Nothing about the spread of the scores is assumed or estimated.

Samples come in blocks, and the score of a block may be learned from all blocks before it. Given those, its rank sum is
bounded as above; so the total lies stochastically below a sum of independent ones, as one block after the other is
replaced by its bound.

The law of that sum is taken to be normal, with the exact mean and variance. Each rank sum is about a sum of bounded
parts, which is flatter than a normal law and leans away from large values: beyond two deviations it exceeds the limit
less often than said. That was held against simulations, with 10 to 300 in a block and mu from 0 to 3: it is no proof.

Source: Dong, Roth and Su 2022 (trade-off curves); Mann and Whitney 1947; the bound is derived here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ldp_core import _lazy
from ldp_core.statistics.halving import halved

ndtr, ndtri, owens_t = (_lazy.function("scipy.special", name) for name in ("ndtr", "ndtri", "owens_t"))
Array = NDArray[np.float64]
_MOST_MU, _NEAR = 20.0, 1e-13


@dataclass(frozen=True, slots=True)
class RankSum:
    """In how many pairs of numbers of the two samples, ``first`` times ``second``, that of the second is larger."""

    wins: int
    first: int
    second: int

    @classmethod
    def of(cls, first: Array, second: Array, random: Generator) -> RankSum:
        """Count, for scores of the two worlds; equal ones are ordered at random."""
        scores = np.concatenate([first, second])
        is_second = np.lexsort((random.random(len(scores)), scores)) >= len(first)
        return cls(int(np.cumsum(~is_second)[is_second].sum()), len(first), len(second))

    @property
    def share(self) -> float:
        """Share of the pairs."""
        return self.wins / (self.first * self.second)


def mu_lower_bound(blocks: list[RankSum], significance: float) -> float:
    """Return the least mu that rank sums leave, at least 0; each block weighs as its pairs of numbers do.

    ``significance``: chance that the bound lies above every mu that is true; see above.

    >>> mu_lower_bound([RankSum(6_000, 100, 100)], 0.001)
    0.0
    >>> round(mu_lower_bound([RankSum(700_000, 1_000, 1_000)], 0.001), 3)
    0.594
    """
    sizes = [2.0 * block.first * block.second / (block.first + block.second) for block in blocks]
    statistic = sum(size * block.share for size, block in zip(sizes, blocks, strict=True))
    limit = -float(ndtri(significance))

    def refuted(mu: float) -> bool:
        mean, variance = 0.0, 0.0
        for size, block in zip(sizes, blocks, strict=True):
            chance, spread = moments(mu, block.first, block.second)
            mean, variance = mean + size * chance, variance + size**2 * spread
        return statistic - mean > limit * math.sqrt(variance)

    return halved(lambda mu: not refuted(mu), 0.0, _MOST_MU, _NEAR)[0] if refuted(0.0) else 0.0


def mu_caught(claimed: float, numbers: int, significance: float) -> float:
    """Return the least true mu that so many numbers of each world refute a claim with, with 95 % chance.

    The score must show it fully: a direction that is learned from few replies shows less.
    """

    def caught(mu: float) -> bool:
        (mean, spread), (true_mean, true_spread) = (moments(shift, numbers, numbers) for shift in (claimed, mu))
        limit = mean - float(ndtri(significance)) * math.sqrt(spread)
        return true_mean + float(ndtri(0.05)) * math.sqrt(true_spread) > limit

    return halved(caught, claimed, claimed + _MOST_MU, _NEAR)[1]


def moments(mu: float, first: int, second: int) -> tuple[float, float]:
    """Return mean and variance of the share of pairs in which N(mu, 1) lies above N(0, 1).

    >>> moments(0.0, 1, 1)
    (0.5, 0.25)
    """
    place = mu / math.sqrt(2.0)
    chance, below = float(ndtr(place)), float(ndtr(-place))
    both = chance - 2.0 * float(owens_t(place, 1.0 / math.sqrt(3.0)))  # one number lies above two, or two above one
    variance = chance * below + (first + second - 2) * max(0.0, both - chance**2)
    return chance, variance / (first * second)
