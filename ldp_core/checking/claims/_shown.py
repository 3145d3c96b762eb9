"""What reports show of their inputs at all: nearly always which it was, or nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ldp_core.checking.claims._plan import plan_of
from ldp_core.checking.claims._result import CheckResult, Look
from ldp_core.checking.claims._subject import CheckConfig
from ldp_core.types import CLAIM_NOT_REJECTED

_NEARLY, _FEWEST = 0.99, 100
_MOST_REPORTS = 10**12
_SHOWN = (("unbiased", "tells"), ("unbiased", "kept"))
"""Findings of the exam that come only where reports depend on their inputs."""


@dataclass(frozen=True, slots=True)
class Named:
    """How often reports named their input on a pair, in a check that did not reject the claim.

    Args:
        pair: name of the pair.
        reports: of it that were judged, silent ones included.
        right: those whose input was named.
        allowed: in so many guesses, to three digits, the claim allows one wrong one.
        decides: about how many reports a whole check needs to reject the claim, with two digits, if errors stay as
            rare; None if they are not rarer than the claim allows, or it is above 10^12.
    """

    pair: str
    reports: int
    right: int
    allowed: float
    decides: int | None

    @property
    def wrong(self) -> int:
        """Reports whose input was not named."""
        return self.reports - self.right


def named_inputs(result: CheckResult) -> Named | None:
    """Return what is known if at least 99 of 100 reports of a pair named their input and the claim stands; else None.

    The claim may be kept even so: e^10 right names for a wrong one are what a claim of 10 allows.
    """
    looks = [look for look in result.looks if look.trials >= _FEWEST and look.counts.num_right >= _NEARLY * look.trials]
    if not looks or result.verdict != CLAIM_NOT_REJECTED:
        return None
    best = max(looks, key=lambda look: look.counts.num_right)
    allowed = float(f"{1.0 + math.exp(result.config.epsilon):.3g}")
    return Named(best.pair, best.trials, best.counts.num_right, allowed, _decides(result.config, best))


def shows_inputs(result: CheckResult) -> bool | None:
    """Return whether the reports of a file depend on the inputs they are said to be of, as far as was counted.

    Where they do not, the rows may be out of order, or be no answers to these inputs, and a leak would not show; or the
    noise hides the inputs from so few reports. A rule's guesses about fair coins are then right half the time: an exact
    binomial test of each look, at its share of the check's significance.
    Returns None where that is not asked: for reports that came while they were asked for, and before any was judged.
    """
    config = result.config
    looks = [look for look in result.looks if look.counts.num_trials]
    if config.adaptive or not looks:
        return None
    if any((clause.name, clause.finding) in _SHOWN for clause in result.clauses):
        return True
    from scipy.stats import binom

    chances = (float(binom.sf(look.counts.num_right - 1, look.counts.num_trials, 0.5)) for look in looks)
    return min(chances) < config.significance / len(looks)


def _decides(config: CheckConfig, look: Look) -> int | None:
    """Return how many reports of a check are enough if errors stay as rare as in a look."""
    from ldp_core.statistics.estimates import ANYTIME_SHARE, joint_lower_bound

    rate = (look.counts.num_trials - look.counts.num_right) / look.counts.num_trials
    if rate * (1.0 + math.exp(config.epsilon)) >= 1.0:
        return None

    def enough(reports: int) -> bool:
        last = plan_of(config, reports).rounds[-1]
        wrong = math.ceil(rate * last.judged)
        level = (1.0 - ANYTIME_SHARE) * last.significance
        return joint_lower_bound(last.judged - wrong, wrong, last.judged, level, delta=config.delta) > config.epsilon

    reports = config.reports
    while not enough(reports):
        reports *= 2
        if reports > _MOST_REPORTS:
            return None
    fewest = reports // 2
    while reports - fewest > 0.02 * reports:
        middle = (fewest + reports) // 2
        fewest, reports = (fewest, middle) if enough(middle) else (middle, reports)
    unit: int = 10 ** (len(str(reports)) - 2)
    return math.ceil(reports / unit) * unit
