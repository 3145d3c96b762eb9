"""Everything that is said about a run, derived from its counts and from theory."""

import math
from dataclasses import dataclass

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import LDP_SGD_FAMILY, claimed_delta
from ldp_core.statistics import estimates, intervals, theory
from ldp_core.statistics.intervals import Interval
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, AuditConfig, AuditResult, PairGeometry, TrialCounts

STATES = ("above", "too_few", "coin", "at", "below")
PLANNED_ANGLE_DEGREES = 90.0
"""Angle assumed of a selective adversary's pair before it is known: near it for two ordinary updates, too
small (so that the plan errs on the side of more trials) for a gradient and its negative."""


@dataclass(frozen=True, slots=True)
class EpsilonEstimate:
    """What the counts say about epsilon, in nats.

    ``point`` is the mean of the measurements' finite point estimates, None without any; ``point_infinite`` how many are
    not finite; ``lower`` a lower bound on the mechanism's epsilon; ``upper`` the upper end of the interval for this
    attack (``estimates.epsilon_upper_end``), None if unbounded; ``max_provable`` the most these trials can show.
    """

    point: float | None
    point_infinite: int
    lower: float
    upper: float | None
    max_provable: float


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """The derived part of a result, over all measurements together.

    ``bound`` says which bound ``epsilon.lower`` is, with ``_anytime`` where it may be looked at during the run, and
    ``significance`` what that bound and the interval were given of the run's. ``identification`` is the share of right
    guesses, None without trials; ``theory_identification`` the promise, (e^eps + delta) / (1 + e^eps) of the claimed
    epsilon and delta; ``expected_identification`` the mean over trials of the exact law, None where no law is known.
    ``state`` is one of ``STATES``, ``verdict`` ``claim_rejected`` or ``claim_not_rejected``.
    """

    counts: TrialCounts
    bound: str
    significance: float
    identification: Interval | None
    epsilon: EpsilonEstimate
    theory_identification: float
    theory_epsilon: float
    theory_delta: float
    expected_identification: float | None
    state: str
    verdict: str

    @property
    def straddles(self) -> bool:
        """Whether an estimate (of epsilon, or the share of right guesses) is above the promise and no bound is."""
        if self.state == "above" or self.identification is None:
            return False
        point = self.epsilon.point
        above = point is not None and point > self.theory_epsilon
        return above or (self.bound.startswith("pooled") and self.identification.point > self.theory_identification)


def summarize(result: AuditResult) -> AuditSummary:
    """Derive estimates, state and verdict of a run, whole or cut short.

    A run that reached its planned trials states the fixed-size bound; one that did not, or is still going
    on, states the anytime bound. A watched run splits its significance between the two, 4 to 1.
    """
    config, counts = result.config, result.counts
    bound, anytime = config.bound, not result.completed
    significance = effective_significance(config, anytime=anytime)
    claimed, delta = config.epsilon, claimed_delta(config.mechanism)
    lower = estimates.epsilon_lower_bound(counts, bound, significance, delta=delta, anytime=anytime)
    upper = estimates.epsilon_upper_end(counts, bound, significance, delta=delta, anytime=anytime)
    provable = estimates.max_provable(
        counts.num_first,
        counts.num_second,
        bound,
        significance,
        spoken_share=_spoken_share(result),
        delta=delta,
        anytime=anytime,
    )
    provable = max(provable, lower)  # a selective adversary may have answered more often than expected
    identification = intervals.identification_interval(counts, significance, anytime=anytime)
    promise = theory.worst_case_identification(claimed, delta)
    if lower > claimed:
        state = "above"
    elif provable < claimed:
        state = "too_few"
    elif lower == 0.0 and identification and identification.lower <= 0.5 <= identification.upper:
        state = "coin"
    else:
        state = "at" if upper >= claimed else "below"
    point, infinite = _mean_point(result)
    return AuditSummary(
        counts=counts,
        bound=bound + ("_anytime" if anytime else ""),
        significance=significance,
        identification=identification,
        epsilon=EpsilonEstimate(point, infinite, lower, upper if math.isfinite(upper) else None, provable),
        theory_identification=promise,
        theory_epsilon=claimed,
        theory_delta=delta,
        expected_identification=_expected(result),
        state=state,
        verdict=CLAIM_REJECTED if state == "above" else CLAIM_NOT_REJECTED,
    )


def effective_significance(config: AuditConfig, *, anytime: bool) -> float:
    """Return the part of the run's significance that the anytime or the fixed-size bound may spend."""
    if not config.watch:
        return config.significance
    return config.significance * (estimates.ANYTIME_SHARE if anytime else 1.0 - estimates.ANYTIME_SHARE)


def planned_max_provable(config: AuditConfig) -> float:
    """Return the most that a planned run can show, in nats."""
    per_side = config.num_trials * config.num_measurements / 2
    significance = effective_significance(config, anytime=False)
    share = _planned_share(config)
    return estimates.max_provable(
        per_side, per_side, config.bound, significance, spoken_share=share, delta=claimed_delta(config.mechanism)
    )


def planned_trials_needed(config: AuditConfig) -> int | None:
    """Return the trials of one measurement that a run of this configuration needs to be able to show epsilon."""
    total = estimates.trials_needed(
        config.epsilon,
        config.bound,
        effective_significance(config, anytime=False),
        spoken_share=_planned_share(config),
        delta=claimed_delta(config.mechanism),
    )
    if total is None:
        return None
    if config.bound == "clopper_pearson":  # each side counts for itself, and the coin does not split evenly
        total += math.ceil(4.0 * math.sqrt(total))
    return math.ceil(total / config.num_measurements)


def sees_report(config: AuditConfig) -> bool:
    """Return whether the attacker sees the report, or can compute it back."""
    return DISTINGUISHERS[config.distinguisher].sees_report(config.clients)


def has_exact_rates(config: AuditConfig) -> bool:
    """Return whether an exact law is known: of LDP-SGD and its like, for rules that see the report and have one."""
    return DISTINGUISHERS[config.distinguisher].law and sees_report(config) and config.mechanism in LDP_SGD_FAMILY


def expected_identification(config: AuditConfig, pair: PairGeometry) -> float | None:
    """Return what the exact law of LDP-SGD expects of a pair (all rules with a law share it); None without one."""
    if not has_exact_rates(config):
        return None
    return theory.cosine_identification(config.epsilon, *_sizes(config, pair))


def _sizes(config: AuditConfig, pair: PairGeometry) -> tuple[float, float, float, float]:
    return pair.angle_degrees, pair.norm_first, pair.norm_second, config.clip_norm


def knows_law(result: AuditResult) -> bool:
    """Return whether a run has pairs whose exact law is known."""
    return bool(result.measurements) and has_exact_rates(result.config)


def mean_law(result: AuditResult, epsilon: float) -> float:
    """Return the exact law at another epsilon, averaged over the run's measured angles and norms."""
    sizes = [_sizes(result.config, measurement.pair) for measurement in result.measurements]
    return sum(theory.cosine_identification(epsilon, *size) for size in sizes) / len(sizes)


def judged_share(result: AuditResult) -> Interval | None:
    """Return the share of right guesses of 100 that is compared with the promise, with its interval; None before any.

    Of a rule that abstains it is the share among its answers alone, which the same promise limits.
    """
    summary = summarize(result)
    if not DISTINGUISHERS[result.config.distinguisher].abstains:
        return summary.identification
    counts = summary.counts
    words = TrialCounts(0, counts.first_as_second, 0, counts.second_as_second)
    return intervals.identification_interval(words, summary.significance, anytime=not result.completed)


def silent_share(result: AuditResult) -> float:
    """Return the share of trials in which a rule that abstains gives no answer, in [0, 1]; 0 for all other rules."""
    counts = result.counts
    if not DISTINGUISHERS[result.config.distinguisher].abstains or not counts.num_trials:
        return 0.0
    return (counts.first_as_first + counts.second_as_first) / counts.num_trials


def judged_law(result: AuditResult, epsilon: float) -> float:
    """Return ``judged_share``'s expectation over a run's pairs at a claimed epsilon of LDP-SGD, in nats."""
    config = result.config
    if not DISTINGUISHERS[config.distinguisher].abstains:
        return mean_law(result, epsilon)
    rates = [theory.selective_rates(epsilon, *_sizes(config, item.pair)) for item in result.measurements]
    wrong, right = (sum(side) for side in zip(*rates, strict=True))
    return right / (wrong + right) if wrong + right > 0.0 else 0.5


def expected_epsilon(result: AuditResult, epsilon: float) -> float:
    """Return what the run's bound tends to with more trials, in nats, at another claimed epsilon of LDP-SGD."""
    config = result.config
    law = theory.selective_rates if DISTINGUISHERS[config.distinguisher].abstains else theory.cosine_rates
    rates = [law(epsilon, *_sizes(config, measurement.pair)) for measurement in result.measurements]
    wrong, caught = (sum(side) / len(rates) for side in zip(*rates, strict=True))
    if config.bound == "pooled":
        right = (1.0 - wrong + caught) / 2.0
        return math.log(right / (1.0 - right))
    if wrong <= 0.0 or caught <= 0.0:  # nearly equal directions: the selective adversary always abstains
        return 0.0
    return max(math.log((1.0 - wrong) / (1.0 - caught)), math.log(caught / wrong))


def _spoken_share(result: AuditResult) -> float:
    """Return how often the selective adversary answers "second" when it should, by LDP-SGD's law."""
    config, total = result.config, result.counts.num_trials
    if not DISTINGUISHERS[config.distinguisher].abstains or not total:
        return _planned_share(config)
    weighted = 0.0
    for measurement in result.measurements:
        _, spoken = theory.selective_rates(config.epsilon, *_sizes(config, measurement.pair))
        weighted += spoken * measurement.counts.num_trials
    return weighted / total


def _planned_share(config: AuditConfig) -> float:
    if not DISTINGUISHERS[config.distinguisher].abstains:
        return 1.0
    norm = config.clip_norm
    return theory.selective_rates(config.epsilon, PLANNED_ANGLE_DEGREES, norm, norm, norm)[1]


def _mean_point(result: AuditResult) -> tuple[float | None, int]:
    measured = [measurement.counts for measurement in result.measurements if measurement.counts.num_trials]
    points = [estimates.epsilon_point(counts, claimed_delta(result.config.mechanism)) for counts in measured]
    finite = [point for point in points if point is not None and math.isfinite(point)]
    return (sum(finite) / len(finite) if finite else None), len(points) - len(finite)


def _expected(result: AuditResult) -> float | None:
    total, expected = result.counts.num_trials, 0.0
    for measurement in result.measurements:
        if measurement.expected_identification is None:
            return None
        expected += measurement.expected_identification * measurement.counts.num_trials
    return expected / total if total else None
