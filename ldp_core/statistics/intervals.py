"""Limits and intervals for a chance, from counts, and for a mean, from values."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ldp_core import _lazy, _validate
from ldp_core.statistics.halving import first_whole
from ldp_core.types import TrialCounts

brentq = _lazy.function("scipy.optimize", "brentq")
betainc, betaincc, betainccinv, betaincinv, betaln = (
    _lazy.function("scipy.special", name) for name in ("betainc", "betaincc", "betainccinv", "betaincinv", "betaln")
)
stdtrit = _lazy.function("scipy.special", "stdtrit")
_MIXTURE_WIDTH = 250.0
"""Free parameter of the interval for stopped runs; it makes the interval tight near a thousand trials."""


class Interval(NamedTuple):
    """A number that was measured, a share in [0, 1] most often, with the ends of its two-sided interval."""

    point: float
    lower: float
    upper: float

    @property
    def of_100(self) -> dict[str, float]:
        """The three of 100 by name, as texts take them."""
        return {name: 100 * value for name, value in self._asdict().items()}


def excess_limit(trials: int, delta: float, significance: float) -> int:
    """Return the number of trials with probability delta each that is exceeded with at most ``significance``."""
    return first_whole(lambda most: float(betainc(most + 1.0, trials - most, delta)) <= significance, -1, trials)


def error_upper_limit(errors: float, trials: float, significance: float, *, anytime: bool = False) -> float:
    """Return the one-sided upper limit of an error probability.

    Clopper and Pearson's limit; with ``anytime``, which holds at all numbers of trials at once, the smallest w above
    errors/trials at which the mixture M(w) reaches 1/significance: M is a supermartingale whenever every trial's error
    probability is at least w. Errors lie in [0, trials] and may be fractions for planning; without trials the limit
    is 1. ``significance``, in (0, 1), is the chance that the limit lies below the truth. Raises ``ValueError`` out of
    range.

    Source: Clopper and Pearson 1934; the mixture over a uniform prior on [0, w] is derived here.

    >>> round(error_upper_limit(0, 500, 0.025), 5)
    0.00735
    """
    _validate.open_number("significance", significance, 0.0, 1.0)
    _validate.number("trials", trials, 0, 1e15)
    _validate.number("errors", errors, 0, trials)
    if errors >= trials:
        return 1.0
    if not anytime:
        return float(betainccinv(errors + 1.0, trials - errors, significance))
    share, threshold = errors / trials, -math.log(significance)

    def excess(rate: float) -> float:
        below = float(betainc(errors + 1.0, trials - errors + 1.0, rate))
        return _log_mixture(below, math.log(rate), math.log1p(-rate), errors, trials) - threshold

    low = max(share, 1e-300)
    if excess(low) >= 0.0:
        return low
    high = 1.0 - 1e-16
    if excess(high) < 0.0:
        return 1.0
    return float(brentq(excess, low, high, xtol=1e-300, rtol=1e-12))


def error_lower_limit(errors: float, trials: float, significance: float, *, anytime: bool = False) -> float:
    """Return 1 - error_upper_limit(trials - errors, ...), without losing the digits of a small limit."""
    if errors <= 0.0:
        return 0.0
    if not anytime:
        return float(betaincinv(errors, trials - errors + 1.0, significance))
    right, threshold = trials - errors, -math.log(significance)

    def excess(log_rate: float) -> float:
        rate = math.exp(log_rate)
        above = float(betaincc(errors + 1.0, right + 1.0, rate))
        return _log_mixture(above, math.log1p(-rate), log_rate, right, trials) - threshold

    high = math.log(min(errors / trials, 1.0 - 1e-16))
    if excess(high) >= 0.0:
        return math.exp(high)
    return math.exp(brentq(excess, -690.0, high, xtol=1e-16, rtol=1e-14))


def identification_interval(counts: TrialCounts, significance: float, *, anytime: bool = False) -> Interval | None:
    """Return the share of right guesses and a two-sided interval for its expectation; None without trials.

    ``significance`` is the chance that the interval misses, in (0, 1), else ``ValueError``; with ``anytime`` it holds
    at every moment of a run that is looked at while it goes on. Of several measurements the interval is for the mean
    over trials.

    Source: Clopper and Pearson 1934; anytime: Robbins's normal mixture for variables in [0, 1], which needs
        no equal probabilities (Howard et al. 2021, arXiv:1810.08240, Eq. 14, sub-Gaussian with variance n/4).
    """
    _validate.open_number("significance", significance, 0.0, 1.0)
    trials, right = counts.num_trials, counts.num_right
    if not trials:
        return None
    point = right / trials
    if anytime:
        total = _MIXTURE_WIDTH + trials / 4
        radius = math.sqrt(2 * total * (0.5 * math.log(total / _MIXTURE_WIDTH) - math.log(significance))) / trials
        return Interval(point, max(0.0, point - radius), min(1.0, point + radius))
    return share_interval(right, trials, significance)


def share_interval(right: int, trials: int, significance: float) -> Interval:
    """Return a share with Clopper and Pearson's two-sided interval, of one trial or more."""
    half = significance / 2
    return Interval(right / trials, error_lower_limit(right, trials, half), error_upper_limit(right, trials, half))


def mean_interval(values: Sequence[float], significance: float) -> tuple[float, float | None, float | None] | None:
    """Return a mean and a two-sided interval for the expectation behind it: (point, lower, upper).

    None without values, no ends for a single one. ``significance`` is the chance that the interval misses, in (0, 1),
    else ``ValueError``, if the mean is normally distributed.

    Source: Student 1908.

    >>> tuple(round(end, 3) for end in mean_interval((1.0, 2.0, 3.0), 0.05))
    (2.0, -0.484, 4.484)
    """
    _validate.open_number("significance", significance, 0.0, 1.0)
    count = len(values)
    if not count:
        return None
    point = math.fsum(values) / count
    if count == 1:
        return point, None, None
    spread = math.sqrt(math.fsum((value - point) ** 2 for value in values) / (count - 1) / count)
    half = float(stdtrit(count - 1, 1.0 - significance / 2)) * spread
    return point, point - half, point + half


def _log_mixture(below: float, log_rate: float, log_rest: float, errors: float, trials: float) -> float:
    """Return ln M(rate), its prior uniform on [0, rate]; ``below`` is the incomplete beta function at the rate."""
    right = trials - errors
    return float(betaln(errors + 1.0, right + 1.0)) + math.log(below) - (errors + 1.0) * log_rate - right * log_rest
