"""What games between "in" and "out" say of a DP-SGD: a test of the whole claimed curve, and three bounds on epsilon.

A false positive is a guess "in" when the record was out. The upper limits a and b of both error rates, each at half the
significance, hold together with at least the confidence; a claim whose curve has f(a) > b is refuted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ldp_core import _lazy
from ldp_core.statistics import accountant
from ldp_core.statistics.accountant import Sampled
from ldp_core.statistics.central_law import LastIterate
from ldp_core.statistics.halving import first_whole, halved
from ldp_core.statistics.intervals import error_upper_limit
from ldp_core.types import TrialCounts

betainccinv, log_ndtr, ndtr, ndtri = (
    _lazy.function("scipy.special", name) for name in ("betainccinv", "log_ndtr", "ndtr", "ndtri")
)
Array = NDArray[np.float64]
_RATIO = 1.005
"""Between neighbouring noises of a family: epsilon shown is rounded down to one of them."""
_LEAST_EPSILON, _MOST_EPSILON = 0.02, 40.0


class HasCurve(Protocol):
    """A law by which two worlds can be told apart."""

    def tradeoff(self, false_positive: Array | float) -> Array:
        """Return the least false-negative rate at a false-positive rate."""
        ...


@dataclass(frozen=True, slots=True)
class Changed:
    """What a curve of add/remove neighbours allows for a changed record, which is removed and then added.

    Source: group privacy: Dong, Roth and Su 2022, arXiv:1905.02383, Theorem 2.14, for a curve that is not symmetric.
    """

    curve: HasCurve

    def tradeoff(self, false_positive: Array | float) -> Array:
        """Return f(1 - f^-1(a)), rounded down."""
        rates = np.asarray(false_positive, dtype=np.float64)
        low, high = np.zeros_like(rates), np.ones_like(rates)
        for _ in range(40):
            middle = (low + high) / 2
            above = self.curve.tradeoff(middle) > rates
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return np.asarray(self.curve.tradeoff(1.0 - low))


class Family:
    """All claims of DP-SGD that differ in the noise alone: what "epsilon shown" ranges over.

    ``last`` says that the games see the last iterate only, whose own law is then tested; ``changed`` that a record is
    changed, not absent; ``delta`` is where epsilon is stated.
    """

    def __init__(
        self, sampling_rate: float, steps: int, delta: float, *, last: bool = False, changed: bool = False
    ) -> None:
        self.sampling_rate, self.steps, self.delta, self.last = sampling_rate, steps, delta, last
        self.changed = changed
        self._curve = lru_cache(maxsize=None)(self._new_curve)
        self._epsilon = lru_cache(maxsize=None)(self._new_epsilon)

    def shown(self, false_positive: Array | float, false_negative: Array | float) -> float:
        """Return the largest epsilon of the family that upper limits of the error rates refute; 0 if there is none.

        It is valid within the family only: of another mechanism the limits may refute every member, and its epsilon may
        be far smaller. Randomized response at epsilon = 1 would "show" nearly 10. Of several upper limits a and b the
        best pair counts.
        """
        alarms, missed = np.atleast_1d(false_positive), np.atleast_1d(false_negative)

        def refuted(place: int) -> bool:
            return bool(np.any(missed < self._curve(place).tradeoff(alarms)))

        high = self._place_of(_LEAST_EPSILON)
        if not refuted(high):
            return 0.0
        low = self._place_of(_MOST_EPSILON)
        return self._epsilon(low if refuted(low) else first_whole(refuted, low, high))

    @lru_cache(maxsize=2)  # noqa: B019 - a family lives as long as its study
    def _place_of(self, epsilon: float) -> int:
        """Return a place whose epsilon is at most, and about, another one."""
        low, high = (round(math.log(noise) / math.log(_RATIO)) for noise in (0.12, 900.0))
        while high - low > 8:
            middle = (low + high) // 2
            try:
                loud = self._epsilon(middle) > epsilon
            except ValueError:  # too many losses for the memory: far too little noise
                loud = True
            low, high = (middle, high) if loud else (low, middle)
        return high

    def _mechanism(self, place: int) -> Sampled:
        return Sampled(self.sampling_rate, float(_RATIO**place), self.steps)

    def _new_epsilon(self, place: int) -> float:
        return min(accountant.rough(self._mechanism(place)).epsilon(self.delta), 2.0 * _MOST_EPSILON)

    def _new_curve(self, place: int) -> HasCurve:
        mechanism = self._mechanism(place)
        curve: HasCurve = LastIterate(mechanism) if self.last else accountant.rough(mechanism)
        return Changed(curve) if self.changed else curve


@cache
def family_of(sampling_rate: float, steps: int, delta: float, last: bool = False, changed: bool = False) -> Family:
    """Return the family of a setting, the same object each time: it remembers its curves."""
    return Family(sampling_rate, steps, delta, last=last, changed=changed)


def gdp_epsilon(false_positive: float, false_negative: float, delta: float) -> float:
    """Return the epsilon(delta) of the Gaussian mechanism that upper limits of both error rates just refute.

    The limits a and b lie in (0, 1], delta in (0, 1).

    Source: Nasr et al. 2023, arXiv:2302.07956, Sec. 4: mu = Phi^-1(1 - a) - Phi^-1(b); epsilon of mu: Balle and Wang
        2018, arXiv:1805.06530, Theorem 8.

    >>> round(gdp_epsilon(0.3085375387, 0.3085375387, 1e-5), 2)
    4.38
    """
    if false_positive + false_negative >= 1.0:
        return 0.0
    mu = float(ndtri(1.0 - false_positive) - ndtri(false_negative))

    def excess(epsilon: float) -> float:
        return float(ndtr(mu / 2 - epsilon / mu) - np.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu))) - delta

    return 0.0 if excess(0.0) <= 0.0 else halved(lambda epsilon: excess(epsilon) <= 0.0, 0.0, 100.0, 1e-9)[0]


def upper_limits(counts: TrialCounts, significance: float) -> tuple[float, float]:
    """Return upper limits of the false-positive and false-negative rate, each at half the significance.

    The first world is "in": a false positive is a second trial guessed as the first.
    """
    return (
        error_upper_limit(counts.second_as_first, counts.num_second, significance / 2),
        error_upper_limit(counts.first_as_second, counts.num_first, significance / 2),
    )


def refutes(counts: TrialCounts, significance: float, curve: HasCurve) -> bool:
    """Return whether the upper limits of both error rates lie below a whole curve."""
    false_positive, false_negative = upper_limits(counts, significance)
    return false_negative < float(curve.tradeoff(false_positive)) - 1e-9


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Every threshold that other games offer, with its errors there: "in" is said from ``values`` on.

    ``values``, increasing, and the counts ``false_positive`` and ``false_negative`` have shape (n,); ``games_in`` and
    ``games_out`` are the numbers of games.
    """

    values: Array
    false_positive: Array
    false_negative: Array
    games_in: int
    games_out: int

    @classmethod
    def of(cls, scores_in: Array, scores_out: Array, most: int = 2_000) -> Thresholds:
        """Return a limited number of thresholds between scores, spread evenly over the ranks."""
        joined = np.unique(np.concatenate([scores_in, scores_out]))
        if len(joined) > most:
            ranks = np.linspace(0, 1, most)
            ends = np.concatenate([joined[:100], joined[-100:]])
            joined = np.unique(np.concatenate([joined[(ranks * (len(joined) - 1)).astype(int)], ends]))
        values = np.append((joined[1:] + joined[:-1]) / 2, np.nextafter(joined[-1], np.inf))
        values = np.concatenate([[joined[0]], values])
        out, inside = np.sort(scores_out), np.sort(scores_in)
        positives = (len(out) - np.searchsorted(out, values)).astype(np.float64)
        return cls(values, positives, np.searchsorted(inside, values).astype(np.float64), len(inside), len(out))

    def most_right(self) -> float:
        """Return the threshold with the most right guesses, both worlds weighing the same."""
        wrong = self.false_positive / self.games_out + self.false_negative / self.games_in
        return float(self.values[int(np.argmin(wrong))])

    def strongest(self, delta: float, significance: float) -> float:
        """Return the threshold with the largest Clopper-Pearson bound at (epsilon, delta)."""
        false_positive, false_negative = self.limits(significance)
        with np.errstate(divide="ignore", invalid="ignore"):
            bounds = np.maximum(
                np.log(np.maximum(1 - delta - false_positive, 1e-300) / false_negative),
                np.log(np.maximum(1 - delta - false_negative, 1e-300) / false_positive),
            )
        return float(self.values[int(np.argmax(bounds))])

    def furthest_below(self, curve: HasCurve, significance: float) -> tuple[float, float]:
        """Return the threshold whose limits lie furthest below a claimed curve, and how far (negative: above it)."""
        false_positive, false_negative = self.limits(significance)
        margins = curve.tradeoff(false_positive) - false_negative
        place = int(np.argmax(margins))
        return float(self.values[place]), float(margins[place])

    def limits(self, significance: float) -> tuple[Array, Array]:
        """Return the upper limits of the false-positive and the false-negative rate of each threshold."""
        pairs = (self.false_positive, self.games_out), (self.false_negative, self.games_in)
        first, second = (_limits(errors, games, significance / 2) for errors, games in pairs)
        return first, second


def _limits(errors: Array, games: int, significance: float) -> Array:
    limits = betainccinv(errors + 1.0, np.maximum(games - errors, 1e-9), significance)
    return np.asarray(np.where(errors >= games, 1.0, limits))


def counts_at(threshold: float, scores_in: Array, scores_out: Array) -> TrialCounts:
    """Return the counts of games with "in" said from a threshold on; the first world is "in"."""
    first, second = int((scores_in >= threshold).sum()), int((scores_out >= threshold).sum())
    return TrialCounts(first, len(scores_in) - first, second, len(scores_out) - second)
