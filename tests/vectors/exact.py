"""The estimators once more, by other means: sums of positive terms in 30 digits, and roots. Nothing of ldp_core.

A limit of an error rate is a root in the log-odds u = ln(w / (1 - w)), so that neither w nor 1 - w loses digits.
"""

import functools
import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

Limit = tuple[Decimal, Decimal]
"""A limit w of a rate, and 1 - w."""
ZERO, ONE = Decimal(0), Decimal(1)
WIDTH = Decimal(250)
"""The width of the normal mixture that the documentation states."""
TURN = Decimal("6.283185307179586476925286766559005768394")
BERNOULLI = [(1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798)]


def precise(function: Callable[P, R]) -> Callable[P, R]:
    """Compute with 30 digits, and leave everybody else's digits alone."""

    @functools.wraps(function)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        with localcontext(prec=30):
            return function(*args, **kwargs)

    return inner


def ln_gamma(z: Decimal) -> Decimal:
    """Return ln Gamma(z) by Stirling's series, after moving z above 100."""
    shift = ONE
    while z < 100:
        shift *= z
        z += 1
    series = sum(
        (Decimal(b) / (c * (2 * k) * (2 * k - 1) * z ** (2 * k - 1)) for k, (b, c) in enumerate(BERNOULLI, 1)), ZERO
    )
    return (z - Decimal("0.5")) * z.ln() - z + TURN.ln() / 2 + series - shift.ln()


def positive_sum(ratio: Callable[[int], Decimal]) -> Decimal:
    """Return 1 + r(0) + r(0) r(1) + ..., ratios falling in the end, until the rest is below 1e-25 of it."""
    total, term, j = ONE, ONE, 0
    while True:
        factor = ratio(j)
        term *= factor
        total += term
        j += 1
        if term <= 0 or (factor < 1 and term * factor < (1 - factor) * total * Decimal("1e-25")):
            return total


def at_most(x: Decimal, n: Decimal, odds: Decimal) -> Decimal:
    """Return the chance of at most x of n, summed from x downwards (for a fraction: the incomplete beta's series)."""
    w, rest, back = odds / (1 + odds), 1 / (1 + odds), 1 / odds
    if x == int(x):
        ln_term = ln_gamma(n + 1) - ln_gamma(x + 1) - ln_gamma(n - x + 1) + x * odds.ln() + n * rest.ln()
        return ln_term.exp() * positive_sum(lambda j: (x - j) / (n - x + 1 + j) * back)
    ln_first = ln_gamma(n + 1) - ln_gamma(x + 1) - ln_gamma(n - x + 1) + (x + 1) * w.ln() + (n - x) * rest.ln()
    return ln_first.exp() * positive_sum(lambda j: (n + 1 + j) / (n - x + 1 + j) * rest)


def mixture(x: Decimal, n: Decimal, odds: Decimal) -> Decimal:
    """Return the mean over q uniform on [0, w] of the likelihood ratio of q to w, for x errors in n.

    For integers it is a polynomial in the odds, the coefficients C(n+1, x+1+j) / ((n+1) C(n, x)).
    """
    if n == int(n) and x == int(x):
        return positive_sum(lambda j: (n - x - j) / (x + 2 + j) * odds) / (x + 1)
    w, rest = odds / (1 + odds), 1 / (1 + odds)
    if odds < 1:
        return positive_sum(lambda j: (n + 2 + j) / (x + 2 + j) * w) / (x + 1) * rest
    whole = ln_gamma(x + 1) + ln_gamma(n - x + 1) - ln_gamma(n + 2) - (x + 1) * w.ln() - (n - x) * rest.ln()
    above = positive_sum(lambda j: (n + 2 + j) / (n - x + 2 + j) * rest) / (n - x + 1) * rest
    return whole.exp() - above


def root(function: Callable[[Decimal], Decimal], low: Decimal, step: Decimal) -> Decimal:
    """Return where a growing function crosses 0 above ``low``: doubled steps, then regula falsi (Illinois)."""
    at_low = function(low)
    assert at_low < 0
    high = low + step
    while (at_high := function(high)) <= 0:
        low, at_low, step = high, at_high, 2 * step
        if at_high == 0:
            return high
        high = low + step
    side, before = 0, low
    while True:
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        value = function(middle)
        if abs(middle - before) < Decimal("1e-14") or value == 0:
            return middle
        before = middle
        if value < 0:
            low, at_low = middle, value
            at_high = at_high / 2 if side < 0 else at_high
            side = -1
        else:
            high, at_high = middle, value
            at_low = at_low / 2 if side > 0 else at_low
            side = 1


@functools.cache
@precise
def upper_limit(errors: float, trials: float, alpha: Decimal, anytime: bool) -> Limit:
    """Return the one-sided upper limit of an error rate."""
    if errors >= trials:
        return ONE, ZERO
    x, n = Decimal(errors), Decimal(trials)

    def excess(u: Decimal) -> Decimal:
        value = mixture(x, n, u.exp()) * alpha if anytime else alpha / at_most(x, n, u.exp())
        return value.ln()

    start = ((x + Decimal("0.5")) / (n - x + Decimal("0.5"))).ln()
    u = root(excess, start, 1 / (min(x, n - x) + 1).sqrt())
    return 1 / (1 + (-u).exp()), 1 / (1 + u.exp())


def lower_limit(errors: float, trials: float, alpha: Decimal, anytime: bool) -> Limit:
    return upper_limit(trials - errors, trials, alpha, anytime)[::-1]


def ln_ratio(top: Decimal, bottom: Decimal) -> Decimal:
    if top <= 0:
        return Decimal("-inf")
    return (top / bottom).ln() if bottom > 0 else Decimal("inf")


def epsilon_of(first: Limit, second: Limit, delta: Decimal) -> Decimal:
    """Return the larger of ln((1 - delta - one rate) / the other), floored at 0."""
    return max(ZERO, ln_ratio(first[1] - delta, second[0]), ln_ratio(second[1] - delta, first[0]))


@precise
def epsilon_point(counts: list[int], delta: float) -> Decimal | None:
    right_first, wrong_first, wrong_second, right_second = map(Decimal, counts)
    first, second = right_first + wrong_first, wrong_second + right_second
    if not first or not second:
        return None
    fp, fn, rest = wrong_first / first, wrong_second / second, 1 - Decimal(delta)
    return max(ln_ratio(rest - fp, fn), ln_ratio(rest - fn, fp))


@precise
def epsilon_bound(
    upper: bool, errors: tuple[float, float], trials: tuple[float, float],
    bound: str, significance: float, delta: float, anytime: bool,
) -> Decimal:  # fmt: skip
    """Return the lower bound of epsilon from upper limits of the errors, or its upper end from lower limits."""
    limit, alpha = (upper_limit if upper else lower_limit), Decimal(significance)
    if bound == "clopper_pearson":
        first, second = (limit(x, n, alpha / 2, anytime) for x, n in zip(errors, trials, strict=True))
        return epsilon_of(first, second, Decimal(delta))
    if upper:
        rate = limit(sum(errors), sum(trials), alpha, anytime)
        return max(ZERO, ln_ratio(rate[1] - Decimal(delta), rate[0]))
    total = int(sum(trials))
    ends = identification_interval(total - int(sum(errors)), total, significance, anytime)
    return Decimal("inf") if ends is None else max(ZERO, ln_ratio(ends[2], ends[3]))


@precise
def identification_interval(
    right: int, trials: int, significance: float, anytime: bool
) -> tuple[Decimal, Decimal, Decimal, Decimal] | None:
    """Return point, lower and upper end, and what the upper end lacks to 1."""
    if not trials:
        return None
    point = Decimal(right) / trials
    if anytime:
        radius = normal_radius(trials, Decimal(significance))
        upper_rest = max(ZERO, Decimal(trials - right) / trials - radius)
        return point, max(ZERO, point - radius), min(ONE, point + radius), upper_rest
    alpha = Decimal(significance) / 2
    upper = upper_limit(right, trials, alpha, False)
    return point, lower_limit(right, trials, alpha, False)[0], *upper


@functools.cache
@precise
def normal_radius(trials: int, alpha: Decimal) -> Decimal:
    """Return the deviation of the mean at which exp(l S - l^2 n / 8), averaged over l ~ N(0, 1/250), is 1/alpha."""
    precision = Decimal(trials) / 4 + WIDTH
    step = 1 / (4 * precision.sqrt())

    def excess(deviation: Decimal) -> Decimal:
        middle = deviation / precision
        points = (middle + k * step for k in range(-48, 49))
        total = sum(((slope * deviation - slope * slope * precision / 2).exp() for slope in points), ZERO)
        return (total * step * (WIDTH / TURN).sqrt() * alpha).ln()

    return root(excess, ZERO, precision.sqrt()) / trials


def trials_needed(
    epsilon: float, bound: str, significance: float, spoken_share: float, delta: float, anytime: bool
) -> int:
    """Return the fewest trials whose bound without an error reaches epsilon, tried one by one."""
    per_side = 1
    while (
        epsilon_bound(
            True, (0, (1 - spoken_share) * per_side), (per_side, per_side), bound, significance, delta, anytime
        )
        < Decimal(epsilon)
    ):  # fmt: skip
        per_side += 1
    return 2 * per_side


@precise
def trials_needed_without_errors(epsilon: float, bound: str, significance: float) -> int:
    """Return the same for a fixed number of trials, without trying: 1 - alpha^(1/n) <= 1/(1 + e^epsilon)."""
    ln_right = -(1 + (-Decimal(epsilon)).exp()).ln()
    sides, level = (2, Decimal(significance)) if bound == "pooled" else (1, Decimal(significance) / 2)
    return 2 * math.ceil(level.ln() / ln_right / sides)
