"""Step 5: from four counts to numbers, with what they are worth.

Every bound here speaks about a balanced game: each trial sends the first or the second gradient with
probability 1/2. Counts of several measurements may be added before they are bounded.
"""

import math
from collections.abc import Callable

from ldp_core import _lazy, _validate
from ldp_core.types import BOUNDS, TrialCounts

brentq = _lazy.function("scipy.optimize", "brentq")
betainc, betaincc, betainccinv, betaincinv, betaln = (
    _lazy.function("scipy.special", name) for name in ("betainc", "betaincc", "betainccinv", "betaincinv", "betaln")
)
_Limit = Callable[[float, float, float], float]
ANYTIME_SHARE = 0.2
"""Part of a watched run's significance that pays for the bound that may be looked at any time."""
EXCESS_SHARE = 0.1
"""Part of the significance of ``joint_lower_bound`` that pays for the trials that delta allows."""
_MIXTURE_WIDTH = 250.0
"""Free parameter of the interval for stopped runs; it makes the interval tight near a thousand trials."""
_MOST_TRIALS = 2**40


def epsilon_point(counts: TrialCounts, delta: float = 0.0) -> float | None:
    """Return the point estimate of epsilon, in nats; biased upwards, never to be shown alone.

    max(ln((1 - delta - FPR) / FNR), ln((1 - delta - FNR) / FPR)), infinite if an error never occurred.

    Args:
        counts: trials of one measurement.
        delta: claimed failure probability, in [0, 1).

    Returns:
        The estimate (it may be negative or infinite), or None if one of the gradients was never sent.

    Raises:
        ValueError: if delta is out of range.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 3.

    >>> round(epsilon_point(TrialCounts(90, 10, 20, 80)), 3)
    2.079
    """
    _check_delta(delta)
    false_positive, false_negative = counts.false_positive_rate, counts.false_negative_rate
    if false_positive is None or false_negative is None:
        return None
    return max(
        _log_ratio(1.0 - delta - false_positive, false_negative),
        _log_ratio(1.0 - delta - false_negative, false_positive),
    )


def epsilon_lower_bound(
    counts: TrialCounts, bound: str, significance: float, *, delta: float = 0.0, anytime: bool = False
) -> float:
    """Return a lower bound on epsilon that fails with probability at most ``significance``.

    Args:
        counts: trials, of one or several measurements.
        bound: ``pooled`` bounds the error rate over all trials (tightest when both errors are equally
            likely); ``clopper_pearson`` bounds the two error rates apart, each at half the significance.
        significance: in (0, 1).
        delta: claimed failure probability, in [0, 1).
        anytime: whether the bound holds at every moment of a run that is looked at while it goes on
            (else only at a number of trials that was fixed beforehand). Over measurements with different pairs this is
            proven for ``pooled``; for ``clopper_pearson`` it was only enumerated, without a violation.

    Returns:
        The bound in nats, >= 0 and finite; 0 if a gradient was never sent and the bound needs it.

    Raises:
        ValueError: if an argument is out of range.

    Source: pooled and anytime derived here; Clopper-Pearson as in Nasr et al. 2021, arXiv:2101.04535.

    >>> round(epsilon_lower_bound(TrialCounts(500, 0, 0, 500), "clopper_pearson", 0.05), 2)
    4.91
    """
    return _epsilon_from_errors(*_errors_and_trials(counts), bound, delta, _limits(True, significance, anytime))


def joint_lower_bound(
    right: int, wrong: int, trials: int, significance: float, *, delta: float = 0.0, anytime: bool = False
) -> float:
    """Return a lower bound on epsilon from a rule that may be silent; it fails with at most ``significance``.

    Each trial sends the first or the second input with probability 1/2. Wherever the rule speaks, (epsilon, delta)
    allows p <= e^eps q + delta for the probabilities of its region under the two inputs. So but for trials that come up
    with probability delta, a spoken guess is right with probability at most e^eps / (1 + e^eps): one binomial
    test of p - e^eps q, where two limits of p and q would each pay for themselves.

    Args:
        right: right guesses.
        wrong: wrong guesses.
        trials: all trials, silent ones included; planned ones, if ``anytime``.
        significance: in (0, 1).
        delta: claimed failure probability, in [0, 1).
        anytime: whether it holds at every moment of a run with so many planned trials.

    Returns:
        The bound in nats, >= 0 and finite.

    Raises:
        ValueError: if an argument is out of range.

    Source: derived here. With delta the right guesses are lessened by the largest number of delta's trials that a
        tenth of the significance allows.

    >>> round(joint_lower_bound(900, 100, 5_000, 0.05), 3)
    2.021
    """
    _check_delta(delta)
    _validate.integer("trials", trials, right + wrong)
    excess = 0
    if delta > 0.0:
        excess = excess_limit(trials, delta, EXCESS_SHARE * significance)
        significance *= 1.0 - EXCESS_SHARE
    counted = max(0, right - excess) + wrong
    rate = error_upper_limit(wrong, counted, significance, anytime=anytime)
    return max(0.0, _log_ratio(1.0 - rate, rate))


def excess_limit(trials: int, delta: float, significance: float) -> int:
    """Return the number of trials with probability delta each that is exceeded with at most ``significance``."""
    low, high = -1, trials  # P(Bin > high) <= significance < P(Bin > low)
    while high - low > 1:
        middle = (low + high) // 2
        enough = float(betainc(middle + 1.0, trials - middle, delta)) <= significance
        low, high = (low, middle) if enough else (middle, high)
    return high


def epsilon_upper_end(
    counts: TrialCounts, bound: str, significance: float, *, delta: float = 0.0, anytime: bool = False
) -> float:
    """Return the upper end of the interval for what *this attack* can tell apart, in nats.

    It says nothing about how much the mechanism may leak: a better attack can always lie above. For ``pooled`` it
    is the upper end of ``identification_interval`` (two-sided at the significance, delta not used), for
    ``clopper_pearson`` it takes both error rates at their lower limits, each at half the significance.
    Arguments as in ``epsilon_lower_bound``; the result may be infinite.
    """
    if bound == "pooled":
        errors = TrialCounts(counts.num_trials - counts.num_right, counts.num_right)
        interval = identification_interval(errors, significance, anytime=anytime)  # mirrored: no digit of it is lost
        return math.inf if interval is None else max(0.0, _log_ratio(1.0 - interval[1], interval[1]))
    return _epsilon_from_errors(*_errors_and_trials(counts), bound, delta, _limits(False, significance, anytime))


def error_upper_limit(errors: float, trials: float, significance: float, *, anytime: bool = False) -> float:
    """Return the one-sided upper limit of an error probability.

    Args:
        errors: errors seen, in [0, trials] (planning may pass a fraction).
        trials: trials, >= 0; without any the limit is 1.
        significance: chance that the limit lies below the truth, in (0, 1).
        anytime: whether it holds at all numbers of trials at once.

    Returns:
        Clopper and Pearson's limit; with ``anytime`` the smallest w above errors/trials at which the
        mixture M(w) reaches 1/significance, where M is a supermartingale whenever every trial's error
        probability is at least w.

    Raises:
        ValueError: if an argument is out of range.

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


def identification_interval(
    counts: TrialCounts, significance: float, *, anytime: bool = False
) -> tuple[float, float, float] | None:
    """Return the share of right guesses and a two-sided interval for their probability.

    Args:
        counts: trials, of one or several measurements (then the interval is for the mean over trials).
        significance: chance that the interval misses, in (0, 1).
        anytime: whether it holds at every moment of a run that is looked at while it goes on.

    Returns:
        (point, lower, upper), each in [0, 1]; None without trials.

    Raises:
        ValueError: if the significance is out of range.

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
        return point, max(0.0, point - radius), min(1.0, point + radius)
    return (
        point,
        _error_lower_limit(right, trials, significance / 2),
        error_upper_limit(right, trials, significance / 2),
    )


def max_provable(
    num_first: float,
    num_second: float,
    bound: str,
    significance: float,
    *,
    spoken_share: float = 1.0,
    delta: float = 0.0,
    anytime: bool = False,
) -> float:
    """Return the most a run can show: the lower bound of an adversary who is never wrong.

    Args:
        num_first: trials with the first gradient; before a run, half of the planned trials.
        num_second: likewise with the second.
        bound: as in ``epsilon_lower_bound``.
        significance: as there.
        spoken_share: share of the second gradient's reports in which the adversary speaks up at all, in
            [0, 1]; below 1 only for the selective adversary, who otherwise answers "first".
        delta: as there.
        anytime: as there.

    Returns:
        The bound in nats, >= 0.

    Raises:
        ValueError: if an argument is out of range.

    >>> [round(max_provable(5_000, 5_000, bound, 0.05), 2) for bound in ("clopper_pearson", "pooled")]
    [7.21, 8.11]
    """
    _validate.number("spoken_share", spoken_share, 0.0, 1.0)
    silent = (1.0 - spoken_share) * num_second
    limit = _limits(True, significance, anytime)
    return _epsilon_from_errors((0.0, silent), (num_first, num_second), bound, delta, limit)


def trials_needed(
    epsilon: float,
    bound: str,
    significance: float,
    *,
    spoken_share: float = 1.0,
    delta: float = 0.0,
    anytime: bool = False,
) -> int | None:
    """Return the fewest trials (both gradients together) whose ``max_provable`` reaches epsilon.

    Fewer cannot show epsilon at all; this many show it only for an attack that is never wrong.

    Args:
        epsilon: in nats, > 0.
        bound: as in ``max_provable``.
        significance: as there.
        spoken_share: as there.
        delta: as there.
        anytime: as there.

    Returns:
        The number of trials, even; None if more than 2**41 would be needed.

    Raises:
        ValueError: if an argument is out of range.

    >>> trials_needed(4.0, "pooled", 0.05)
    166
    """
    _validate.open_number("epsilon", epsilon, 0.0, math.inf)

    def enough(per_side: int) -> bool:
        reached = max_provable(
            per_side, per_side, bound, significance, spoken_share=spoken_share, delta=delta, anytime=anytime
        )
        return reached >= epsilon

    high = 1
    while not enough(high):
        high *= 2
        if high > _MOST_TRIALS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return 2 * high


def _limits(upper: bool, significance: float, anytime: bool) -> _Limit:
    """Return limit(errors, trials, part): the error rate's upper or lower limit at a part of the significance."""

    def limit(errors: float, trials: float, part: float) -> float:
        if upper:
            return error_upper_limit(errors, trials, part * significance, anytime=anytime)
        return _error_lower_limit(errors, trials, part * significance, anytime=anytime)

    return limit


def _error_lower_limit(errors: float, trials: float, significance: float, *, anytime: bool = False) -> float:
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


def _epsilon_from_errors(
    errors: tuple[float, float], trials: tuple[float, float], bound: str, delta: float, limit: _Limit
) -> float:
    """Turn the limits of the error rates into an epsilon, floored at 0."""
    _validate.choice("bound", bound, BOUNDS)
    _check_delta(delta)
    if bound == "pooled":
        rate = limit(sum(errors), sum(trials), 1.0)
        return max(0.0, _log_ratio(1.0 - delta - rate, rate))
    first = limit(errors[0], trials[0], 0.5)
    second = limit(errors[1], trials[1], 0.5)
    return max(0.0, _log_ratio(1.0 - delta - first, second), _log_ratio(1.0 - delta - second, first))


def _errors_and_trials(counts: TrialCounts) -> tuple[tuple[float, float], tuple[float, float]]:
    return (counts.first_as_second, counts.second_as_first), (counts.num_first, counts.num_second)


def _log_ratio(numerator: float, denominator: float) -> float:
    """Return ln(numerator / denominator); -inf where there is no evidence (numerator <= 0)."""
    if numerator <= 0.0:
        return -math.inf
    if denominator <= 0.0:
        return math.inf
    return math.log(numerator / denominator)


def _check_delta(delta: float) -> None:
    if isinstance(delta, bool) or not isinstance(delta, int | float) or not 0.0 <= delta < 1.0:
        raise ValueError(f"delta must be a number from 0 to 1, 1 excluded, got {delta!r}")


def _log_mixture(below: float, log_rate: float, log_rest: float, errors: float, trials: float) -> float:
    """Return ln M(rate), its prior uniform on [0, rate]; ``below`` is the incomplete beta function at the rate."""
    right = trials - errors
    return float(betaln(errors + 1.0, right + 1.0)) + math.log(below) - (errors + 1.0) * log_rate - right * log_rest
