"""What replies for two data sets show: columns without noise, exact repeats, and what all columns tell together.

The error rate is that of all questions together: each has a share of the significance (``Share``), and an honest sender
is blamed with at most the sum. The last question is asked in two ways of the same replies, each at its own share:

- by counts (``Rule``): a sum of columns and a threshold are chosen from one half of the replies and judged on the
  other. It holds for any claim, and sees what shows in few replies.
- by ranks (``ranked``), for a claim of one Gaussian step alone: see ``statistics.rank_sum``. It sees a step that is
  a little larger than claimed with the fewest replies. They are judged block after block, each by a sum that was
  learned from all before it, so that nearly all of them count.

A direction that is learned from n replies of each data set in m columns with noise of one size makes of mu about
mu / sqrt(1 + 2 m / (n mu^2)): with 21 columns, 5,000 replies and mu = .286, 95 of 100. Where the sender's own
generators can be set to the same state for both data sets, a few such pairs tell the direction without noise. They
choose the direction only, and are never judged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import binom

from ldp_core.checking.columns import Bare, Learned
from ldp_core.checking.exam._clauses_repeats import placed
from ldp_core.checking.exam._clauses_sample import Collector
from ldp_core.statistics.curve_test import upper_limits
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.statistics.halving import halved
from ldp_core.statistics.rank_sum import RankSum, mu_caught, mu_lower_bound
from ldp_core.types import TrialCounts

Array = NDArray[np.float64]
Pair = tuple[Array, Array]
"""Replies for the first data set and for the second, shapes (n, columns) and (k, columns)."""
_THRESHOLDS, _BLOCKS, _LEAST, _AHEAD = 99, 20, 50, 0.4
_MOST_EPSILON = 40.0


class Share(float, Enum):
    """Parts of the significance."""

    BARE = 0.05
    REPEATS = 0.05
    COUNTS = 0.1
    RANKS = 0.8


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed of a reply: epsilon and delta, or one step of Gaussian noise.

    Args:
        epsilon: in nats.
        delta: chance that it fails.
        step: in place of both, C and sigma: updates of length C at most, 2 C apart, and the deviation of the noise.
    """

    epsilon: float
    delta: float
    step: tuple[float, float] | None = None

    @property
    def mu(self) -> float | None:
        """Of the step's Gaussian trade-off curve."""
        return None if self.step is None else 2.0 * self.step[0] / self.step[1]

    @property
    def value(self) -> float:
        """What replies are to show more than."""
        return self.epsilon if self.mu is None else self.mu

    @property
    def named(self) -> str:
        """The claim, as in "ε = 1, δ = 1e-05"."""
        return f"ε = {self.epsilon:g}, δ = {self.delta:g}" if self.mu is None else f"μ = {self.mu:.4g}"

    def shown(self, counts: TrialCounts, significance: float) -> float:
        """Return the least epsilon or mu that counts of guesses leave."""
        if self.mu is not None:
            return gaussian_lower(counts, significance)
        return epsilon_lower_bound(counts, "clopper_pearson", significance, delta=self.delta)

    def allows_without_noise(self, replies: int, significance: float) -> bool:
        """Return whether so many replies of each data set may all tell which it was; the first only said by what."""
        return self.shown(TrialCounts(replies - 1, 0, 0, replies - 1), significance) <= self.value


def bare_columns(first: Array, second: Array) -> tuple[int, ...]:
    """Return which columns are constant for each data set and differ between them."""
    bare = Bare()
    for inside, rows in ((True, first), (False, second)):
        bare.add(inside, rows.min(axis=0, keepdims=True))
        bare.add(inside, rows.max(axis=0, keepdims=True))
    return bare.columns()


@dataclass(frozen=True, slots=True)
class Column:
    """What columns of one name show together.

    Args:
        name: of them.
        numbers: how many they are.
        spread: standard deviation of one of them, for one data set.
        distance: of the means for both data sets.
        bare: whether one of them was sent without noise.
    """

    name: str
    numbers: int
    spread: float
    distance: float
    bare: bool


def columns_of(names: Sequence[str], first: Array, second: Array) -> tuple[Column, ...]:
    """Return what columns of each name show, without noise first, then by the distance of their means."""
    apart = first.mean(axis=0) - second.mean(axis=0)
    spread = ((first - first[0]).var(axis=0) + (second - second[0]).var(axis=0)) / 2.0  # 0 where all are one number
    bare = {*bare_columns(first, second), *bare_columns(fractions(first), fractions(second))}
    places = dict[str, list[int]]()
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    columns = [
        Column(
            name,
            len(indices),
            float(spread[indices].mean()) ** 0.5,
            float(np.linalg.norm(apart[indices])),
            not bare.isdisjoint(indices),
        )
        for name, indices in places.items()
    ]
    return tuple(sorted(columns, key=lambda column: (not column.bare, -column.distance)))


def fractions(rows: Array) -> Array:
    """Return the fractional parts, to 4 digits: noise that is cast to an integer and added leaves them bare."""
    parts: Array = np.round(rows % 1.0, 4) % 1.0
    return parts


def repeats_p(worlds: Sequence[Sequence[Array]], seed: int) -> float:
    """Return the p-value of where equal replies stand; 1 where no column changes.

    ``worlds``: for each data set the replies for it, those of each process by themselves.
    """
    groups = []
    for processes in worlds:
        rows = np.concatenate(processes)
        varied = (rows != rows[0]).any(axis=0)
        takers = [
            Collector(np.zeros(1, np.float32), len(replies), np.zeros((2, varied.sum()))) for replies in processes
        ]
        for taker, replies in zip(takers, processes, strict=True):
            taker.add(replies[:, varied], len(replies))
        groups.append([taker.sample() for taker in takers] if varied.any() else [])
    return placed(groups, seed).p


def learned(first: Array, second: Array, paired: Pair | None) -> list[Learned]:
    """Return sums of columns that tell the data sets apart, learned in several ways; the first is the best guess.

    Two ways: all columns, as if each had noise of its own; and the best 32, with their covariance. ``paired`` are
    replies of which each two had the same random numbers: then both ways are tried first with the difference as they
    tell it too, where of every column that weighs more which tells it better.
    """
    apart = first.mean(axis=0) - second.mean(axis=0)
    spread = (first.var(axis=0) + second.var(axis=0)) / 2.0
    sums, known = list[Learned](), [apart]
    if paired is not None:
        differences, noise = paired[0] - paired[1], spread * (1.0 / len(first) + 1.0 / len(second))
        error = differences.var(axis=0) / len(differences)
        total = noise + error
        weight = np.divide(noise, total, out=np.ones_like(noise), where=total > 0.0)
        known.insert(0, weight * differences.mean(axis=0) + (1.0 - weight) * apart)
    for difference in known:
        alone = np.divide(difference, spread, out=np.zeros_like(difference), where=spread > 0.0)
        sums += [Learned(alone), Learned.of(first, second, difference)]
    return sums


@dataclass(frozen=True, slots=True)
class Rule:
    """Says "first" where a learned sum of columns is above a threshold."""

    learned: Learned
    threshold: float

    @classmethod
    def of(cls, first: Array, second: Array, shown: Callable[[TrialCounts], float], paired: Pair | None = None) -> Rule:
        """Learn sums from half of the replies, and choose what shows most on the other half."""
        half, best = min(len(first), len(second)) // 2, (-1.0, 0.0)
        rule = cls(Learned(np.zeros(first.shape[1])), 0.0)
        for way in learned(first[:half], second[:half], paired):
            scores = [way.scores(rows[half:]) for rows in (first, second)]
            offered = np.quantile(np.concatenate(scores), np.arange(1, _THRESHOLDS + 1) / (_THRESHOLDS + 1))
            for place, threshold in enumerate(offered.tolist()):
                merit = shown(_counts(scores[0], scores[1], threshold)), -float(abs(place - _THRESHOLDS // 2))
                if merit > best:
                    best, rule = merit, cls(way, threshold)
        return rule

    def counts(self, first: Array, second: Array) -> TrialCounts:
        """Return its guesses about other replies."""
        return _counts(self.learned.scores(first), self.learned.scores(second), self.threshold)


def ranked(first: Array, second: Array, paired: Pair | None, random: Generator) -> list[RankSum]:
    """Return rank sums of one block of replies after another, each by a sum that was learned from those before it.

    Which way of learning is taken follows from the blocks before, too. The first replies are not judged, so many as a
    direction needs beside what the pairs tell of it.
    """
    size = min(len(first), len(second))
    start = max(min(_LEAST, size // 5), size // 5 - _worth(paired))
    ends = np.linspace(start, size, _BLOCKS + 1).astype(int).tolist()
    rank_sums, leads = list[RankSum](), np.zeros(2 if paired is None else 4)
    for begin, end in pairwise(ends):
        if begin == end:
            continue
        ways = learned(first[:begin], second[:begin], paired)
        blocks = [RankSum.of(way.scores(second[begin:end]), way.scores(first[begin:end]), random) for way in ways]
        ahead = leads - leads[0] > _AHEAD * np.sqrt(begin - start)  # the best guess, until another is clearly better
        rank_sums.append(blocks[int(np.argmax(np.where(ahead, leads, -1.0))) if ahead.any() else 0])
        leads = leads + [(end - begin) * block.share for block in blocks]
    return rank_sums


def _worth(paired: Pair | None) -> int:
    """Return how many replies of each data set without pairs would tell the direction as well."""
    if paired is None:
        return 0
    alone = sum(float(rows.var(axis=0).sum()) for rows in paired)
    together = float((paired[0] - paired[1]).var(axis=0).sum())
    return int(len(paired[0]) * min(1e6, alone / max(together, 1e-6 * alone, 1e-300)))


def gaussian_lower(counts: TrialCounts, significance: float) -> float:
    """Return the least mu of a Gaussian trade-off curve that the counts leave, at least 0.

    Source: Dong, Roth and Su 2022; both error rates are bounded at half the significance each.
    """
    false_positive, false_negative = upper_limits(counts, significance)
    return max(0.0, -float(ndtri(false_positive) + ndtri(false_negative)))


def caught(claim: Claim, replies: int, significance: float) -> float:
    """Return the least true epsilon or mu that so many replies of each data set refute a claim with, at 95 % chance.

    A sum of the columns must show all of it; infinite where so few cannot show more than the claim.
    """
    if claim.mu is not None:
        return mu_caught(claim.mu, replies - min(_LEAST, replies // 5), Share.RANKS * significance)
    judged, part = replies - replies // 2, (Share.COUNTS + Share.RANKS) * significance

    def seen(true: float) -> bool:
        errors = int(binom.ppf(0.975, judged, 1.0 / (1.0 + np.exp(true))))  # of each kind, at most, with 95 % for both
        return claim.shown(TrialCounts(judged - errors, errors, errors, judged - errors), part) > claim.epsilon

    return halved(seen, claim.epsilon, _MOST_EPSILON, 1e-10)[1] if seen(_MOST_EPSILON) else math.inf


def shown(
    claim: Claim, first: Array, second: Array, paired: Pair | None, significance: float, random: Generator
) -> tuple[float, TrialCounts]:
    """Return the least epsilon or mu that replies of two data sets leave, and the guesses of the rule by counts."""
    by_ranks = claim.mu is not None
    part = Share.COUNTS if by_ranks else Share.COUNTS + Share.RANKS
    half = min(len(first), len(second)) // 2
    rule = Rule.of(first[:half], second[:half], lambda counts: claim.shown(counts, part * significance), paired)
    counts = rule.counts(first[half:], second[half:])
    lower = claim.shown(counts, part * significance)
    if by_ranks:
        lower = max(lower, mu_lower_bound(ranked(first, second, paired, random), Share.RANKS * significance))
    return lower, counts


def _counts(first: Array, second: Array, threshold: float) -> TrialCounts:
    right, also = int((first > threshold).sum()), int((second > threshold).sum())
    return TrialCounts(right, len(first) - right, also, len(second) - also)
