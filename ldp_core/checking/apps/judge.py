"""What replies for two data sets show: columns without noise, exact repeats, and what all columns tell together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from ldp_core.checking.columns import Bare, Learned
from ldp_core.checking.exam._clauses_repeats import again
from ldp_core.checking.exam._clauses_sample import Collector
from ldp_core.statistics.curve_test import upper_limits
from ldp_core.types import TrialCounts

Array = NDArray[np.float64]
REPEATS_SHARE = 0.1
"""Part of the significance for the question for repeats; the rest is for the privacy test."""
_THRESHOLDS = 99


def bare_columns(first: Array, second: Array) -> tuple[int, ...]:
    """Return which columns are constant for each data set and differ between them."""
    found = Bare()
    for inside, rows in ((True, first), (False, second)):
        for row in rows:
            found.add(inside, row[np.newaxis])
    return found.columns()


def repeats_p(samples: Sequence[Array], seed: int) -> float:
    """Return the p-value of where equal replies stand, over samples of one data set from processes of their own.

    Columns that never change are left out; where all are, there is nothing to ask.
    """
    rows = np.concatenate(samples)
    varied = (rows != rows[0]).any(axis=0)
    if not varied.any():
        return 1.0
    names, found = ("base", "first-start", "second-start"), {}
    for name, sample in zip(names, samples, strict=True):
        chosen = sample[:, varied]
        taker = Collector(np.zeros(1, np.float32), len(chosen), np.zeros((2, chosen.shape[1])))
        taker.add(chosen, len(chosen))
        found[name] = taker.sample()
    return again(found, seed).p


@dataclass(frozen=True, slots=True)
class Rule:
    """Says "first" where a learned sum of columns is above a threshold."""

    learned: Learned
    threshold: float

    @classmethod
    def of(cls, first: Array, second: Array, shown: Callable[[TrialCounts], float]) -> Rule:
        """Learn the sum from half of the replies, and choose the threshold with which the other half shows most."""
        half = len(first) // 2
        learned = Learned.of(first[:half], second[:half])
        scores = [learned.scores(rows[half:]) for rows in (first, second)]
        offered = np.quantile(np.concatenate(scores), np.arange(1, _THRESHOLDS + 1) / (_THRESHOLDS + 1))
        found = np.array([shown(_counts(scores[0], scores[1], float(one))) for one in offered])
        middle = abs(np.arange(_THRESHOLDS) - _THRESHOLDS // 2)
        best = int(np.lexsort((middle, -found))[0])
        return cls(learned, float(offered[best]))

    def counts(self, first: Array, second: Array) -> TrialCounts:
        """Return its guesses about other replies."""
        return _counts(self.learned.scores(first), self.learned.scores(second), self.threshold)


def gaussian_lower(counts: TrialCounts, significance: float) -> float:
    """Return the least mu of a Gaussian trade-off curve that the counts leave, at least 0.

    Source: Dong, Roth and Su 2022; both error rates are bounded at half the significance each.
    """
    false_positive, false_negative = upper_limits(counts, significance)
    return max(0.0, float(norm.isf(false_positive) - norm.ppf(false_negative)))


def _counts(first: Array, second: Array, threshold: float) -> TrialCounts:
    right, also = int((first > threshold).sum()), int((second > threshold).sum())
    return TrialCounts(right, len(first) - right, also, len(second) - also)
