"""How likely chance alone is to give such samples: p-values that hold far out in the tail."""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from scipy.stats import binom, hypergeom
from scipy.stats import t as student

_BLOCKS = 32
_BET = 0.9
_MOST_WEIGHT = 1.0 / 16.0
"""Part of the sum of squares that a single value may have where no bound is known; heavy tails have more."""


def fisher_p(first: int, num_first: int, second: int, num_second: int) -> float:
    """Return the two-sided p-value of two shares being one: twice the smaller tail of Fisher's exact test.

    >>> round(fisher_p(3, 3, 0, 3), 3)
    0.1
    """
    law = hypergeom(num_first + num_second, first + second, num_first)
    return min(1.0, 2.0 * float(min(law.cdf(first), law.sf(first - 1))))


def sign_p(first: int, second: int) -> float:
    """Return the two-sided p-value of two outcomes being equally likely: twice the smaller tail of fair coins.

    >>> sign_p(0, 5)
    0.0625
    """
    return min(1.0, 2.0 * float(binom.cdf(min(first, second), first + second, 0.5)))


def strata_p(strata: list[tuple[int, int, int, int]]) -> float:
    """Return the two-sided p-value of two shares being one in every stratum: twice the smaller tail of the exact law.

    Given each stratum's hits, those of the first sample are hypergeometric; their sum is judged. A stratum in which a
    sample is empty tells nothing. Arguments of each as in ``fisher_p``, which is the case of one stratum.

    Source: Mantel and Haenszel 1959, with the exact law in place of the normal one.
    """
    law = np.ones(1)
    seen = 0
    for first, num_first, second, num_second in strata:
        if not num_first or not num_second:
            continue
        seen += first
        hits = hypergeom(num_first + num_second, first + second, num_first)
        law = np.convolve(law, hits.pmf(np.arange(num_first + 1)))
    return min(1.0, 2.0 * float(min(law[: seen + 1].sum(), law[seen:].sum())))


def two_sample_gap(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return the largest difference of the shares below a value, over all values, of two samples of one size."""
    values = np.concatenate((first, second))
    below = (np.searchsorted(np.sort(sample), values, "right") for sample in (first, second))
    return float(np.abs(np.subtract(*below)).max()) / len(first)


def two_sample_p(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return a p-value of two independent samples of one size n having one law: P(n D >= h) <= 2 C(2n, n-h) / C(2n, n).

    Source: Gnedenko and Korolyuk 1951, exact for one side (reflection principle); the union bound gives two sides, and
        ties only make the gap smaller. It is below 2 exp(-h^2 / (n + h)) and needs no constant.

    >>> round(two_sample_p(np.arange(3.0), np.arange(3.0) + 9.0), 3)
    0.1
    """
    size = len(first)
    steps = round(size * two_sample_gap(first, second))
    log_share = 2.0 * gammaln(size + 1) - gammaln(size - steps + 1) - gammaln(size + steps + 1)
    return min(1.0, 2.0 * math.exp(log_share))


def allowed_gap(size: int, significance: float) -> float:
    """Return about how large a gap luck allows between two samples of this size, in [0, 1]."""
    return min(1.0, math.sqrt(math.log(2.0 / significance) / size))


def mean_p(values: NDArray[np.float64], low: float, high: float, bound: float | None) -> float:
    """Return a p-value of the mean of independent values lying in [low, high].

    ``values``: shape (n,), n >= 64; ``bound``: of every absolute value, where one is known: the p-value then holds for
    every law.

    Source: with a bound, betting after Waudby-Smith and Ramdas 2024, arXiv:2010.09686 (Ville's inequality), a stake for
        each side. Without one, Student's test on the means of 32 blocks: an approximation, for a block's mean of n / 32
        values is near normal unless single values outweigh the others, and then nothing is judged (p = 1). No test sees
        a part of the mean that comes from values too rare to have come (Bahadur and Savage 1956).
    """
    if bound is None:
        squares = (values - values.mean()) ** 2
        if squares.max() > _MOST_WEIGHT * squares.sum():
            return 1.0
        blocks = values[: len(values) // _BLOCKS * _BLOCKS].reshape(_BLOCKS, -1).mean(axis=1)
        error = float(blocks.std(ddof=1)) / math.sqrt(_BLOCKS)
        beyond = max(float(blocks.mean()) - high, low - float(blocks.mean()), 0.0)
        if error == 0.0:
            return 1.0  # nothing to judge by: a rare large value may bring the mean where it belongs
        return min(1.0, 2.0 * float(student.sf(beyond / error, _BLOCKS - 1)))
    return min(1.0, 2.0 * min(_bet(values - high, bound + abs(high)), _bet(low - values, bound + abs(low))))


def _bet(gains: NDArray[np.float64], bound: float) -> float:
    """Return a p-value of the mean gain being at most 0, for gains of absolute value at most ``bound``.

    Each stake depends on the gains before it alone: about mean / mean square, what would have made the most of them.
    """
    total = np.concatenate(([0.0], np.cumsum(gains)[:-1]))
    square = np.concatenate(([0.0], np.cumsum(gains**2)[:-1])) + 2.0 * bound**2
    stakes = np.clip(total / square, 0.0, _BET / bound)
    return math.exp(-max(0.0, float(np.cumsum(np.log1p(stakes * gains)).max())))
