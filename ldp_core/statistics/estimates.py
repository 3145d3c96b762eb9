"""Step 5: from four counts to numbers, with what they are worth.

Every bound here speaks about a balanced game: each trial sends the first or the second gradient with
probability 1/2. Counts of several measurements may be added before they are bounded.
"""

import math
from collections.abc import Callable

from ldp_core import _validate
from ldp_core.statistics.halving import first_whole
from ldp_core.statistics.intervals import (
    error_lower_limit,
    error_upper_limit,
    excess_limit,
    identification_interval,
)
from ldp_core.types import BOUNDS, TrialCounts

_Limit = Callable[[float, float, float], float]
ANYTIME_SHARE = 0.2
"""Part of a watched run's significance that pays for the bound that may be looked at any time."""
EXCESS_SHARE = 0.1
"""Part of the significance of ``joint_lower_bound`` that pays for the trials that delta allows."""
_MOST_TRIALS = 2**40


def epsilon_point(counts: TrialCounts, delta: float = 0.0) -> float | None:
    """Return the point estimate of epsilon, in nats; biased upwards, never to be shown alone.

    max(ln((1 - delta - FPR) / FNR), ln((1 - delta - FNR) / FPR)): it may be negative, is infinite if an error never
    occurred, and None if one of the gradients was never sent. Raises ``ValueError`` for delta outside [0, 1).

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
    """Return a lower bound on epsilon, in nats, >= 0 and finite, that fails with probability at most ``significance``.

    Args:
        counts: trials, of one or several measurements.
        bound: ``pooled`` bounds the error rate over all trials (tightest when both errors are equally likely) and needs
            a balanced game; ``clopper_pearson`` bounds each error rate at half the significance.
        significance: in (0, 1).
        delta: claimed failure probability, in [0, 1).
        anytime: whether the bound holds at every moment of a run that is looked at while it goes on (else only at a
            number of trials that was fixed beforehand). Over measurements with different pairs this is proven for
            ``pooled``; for ``clopper_pearson`` it was only enumerated, without a violation.

    Raises:
        ValueError: if an argument is out of range, or if ``pooled`` is asked of counts that no balanced game gives.

    Source: pooled and anytime derived here; Clopper-Pearson as in Nasr et al. 2021, arXiv:2101.04535.

    >>> round(epsilon_lower_bound(TrialCounts(500, 0, 0, 500), "clopper_pearson", 0.05), 2)
    4.91
    """
    _check_balanced(counts, bound)
    return _epsilon_from_errors(*_errors_and_trials(counts), bound, delta, _limits(True, significance, anytime))


def joint_lower_bound(
    right: int, wrong: int, trials: int, significance: float, *, delta: float = 0.0, anytime: bool = False
) -> float:
    """Return a lower bound on epsilon, in nats, from a rule that may abstain; it fails with at most ``significance``.

    Each trial sends the first or the second input with probability 1/2. Wherever the rule answers, (epsilon, delta)
    allows p <= e^eps q + delta for the probabilities of its region under the two inputs. So but for trials that come up
    with probability delta, an answer is right with probability at most e^eps / (1 + e^eps): one binomial test of
    p - e^eps q, where two limits of p and q would each pay for themselves. ``trials`` counts those without an answer
    too; with ``anytime`` it is the planned number, and the bound holds at every moment. Other arguments and errors as
    in ``epsilon_lower_bound``.

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


def epsilon_upper_end(
    counts: TrialCounts, bound: str, significance: float, *, delta: float = 0.0, anytime: bool = False
) -> float:
    """Return the upper end of the interval for what *this attack* can tell apart, in nats.

    It says nothing about how much the mechanism may leak: a better attack can always lie above. For ``pooled`` it
    is the upper end of ``identification_interval`` (two-sided at the significance, delta not used), for
    ``clopper_pearson`` it takes both error rates at their lower limits, each at half the significance.
    Arguments as in ``epsilon_lower_bound``; the result may be infinite.
    """
    _check_balanced(counts, bound)
    if bound == "pooled":
        errors = TrialCounts(counts.num_trials - counts.num_right, counts.num_right)
        interval = identification_interval(errors, significance, anytime=anytime)  # mirrored: no digit of it is lost
        return math.inf if interval is None else max(0.0, _log_ratio(1.0 - interval[1], interval[1]))
    return _epsilon_from_errors(*_errors_and_trials(counts), bound, delta, _limits(False, significance, anytime))


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

    ``num_first`` and ``num_second`` are the trials with either gradient; before a run, half of the planned ones each.
    ``spoken_share`` is the share of the second gradient's reports, in [0, 1], that the selective adversary answers with
    "second"; 1 for every other. Other arguments and errors as in ``epsilon_lower_bound``; the bound is in nats, >= 0.

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

    Fewer cannot show epsilon (nats, > 0) at all; this many show it only for an attack that is never wrong. The number
    is even; None if more than 2**41 would be needed. Other arguments and errors as in ``max_provable``.

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
    return 2 * first_whole(enough, high // 2, high)


def _check_balanced(counts: TrialCounts, bound: str) -> None:
    """Raise ``ValueError`` if a balanced game gives these counts less often than 1e-12 (Hoeffding), for ``pooled``."""
    apart = abs(counts.num_first - counts.num_second) / 2.0
    if bound == "pooled" and apart > math.sqrt(counts.num_trials * math.log(2e12) / 2.0):
        raise ValueError(
            "the bound pooled needs counts of a game that sends either gradient with probability 1/2, got "
            f"{counts.num_first:,} and {counts.num_second:,} trials; clopper_pearson needs no balance"
        )


def _limits(upper: bool, significance: float, anytime: bool) -> _Limit:
    """Return limit(errors, trials, part): the error rate's upper or lower limit at a part of the significance."""

    def limit(errors: float, trials: float, part: float) -> float:
        if upper:
            return error_upper_limit(errors, trials, part * significance, anytime=anytime)
        return error_lower_limit(errors, trials, part * significance, anytime=anytime)

    return limit


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
