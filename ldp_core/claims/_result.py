"""What a check found, and what it could have found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ldp_core import _validate
from ldp_core.claims import _words
from ldp_core.claims._subject import PAIRS, RULES, CheckConfig
from ldp_core.estimates import ANYTIME_SHARE, epsilon_lower_bound
from ldp_core.theory import worst_case_identification
from ldp_core.types import BOUNDS, CLAIM_NOT_REJECTED, CLAIM_REJECTED, EPSILON_RANGE, TrialCounts

NOT_TESTED = "not_tested"
EXAM_SHARE = 0.2
"""Part of the significance that the exam's clauses may spend; the rest is for the looks of the privacy test."""
_EXAM_PART, _MOST_SAMPLE, LEAST_SAMPLE = 100, 4_096, 256
_FIRST_STAGE = 512
_POWER = 0.95


@dataclass(frozen=True, slots=True)
class Clause:
    """One question of the exam, and its answer.

    Args:
        name: in ``_words.CLAUSES``.
        passed: None where it could not be asked or the reports were too few to tell.
        finding: which of the clause's sentences says what was found.
        values: the numbers in that sentence.
    """

    name: str
    passed: bool | None
    finding: str
    values: Mapping[str, float | int | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _validate.choice("clause", self.name, tuple(_words.CLAUSES))
        _validate.choice("finding", self.finding, tuple(_words.CLAUSES[self.name].findings))

    @property
    def sentence(self) -> str:
        """What was found, in one plain sentence."""
        return _words.CLAUSES[self.name].findings[self.finding].format(**self.values)


@dataclass(frozen=True, slots=True)
class Look:
    """What one rule counted on one pair.

    Args:
        pair: name in ``PAIRS``.
        rule: name in ``RULES``.
        trained_on: reports of the pair from which the rule was learned, none of which it was judged on; 0 if none.
        counts: of the reports it was judged on.
        completed: whether the planned number of them was reached.
    """

    pair: str
    rule: str
    trained_on: int
    counts: TrialCounts
    completed: bool

    def __post_init__(self) -> None:
        _validate.choice("pair", self.pair, PAIRS)
        _validate.choice("rule", self.rule, RULES)
        _validate.integer("trained_on", self.trained_on, 0)

    @property
    def bound(self) -> str:
        """Which bound fits the rule's errors, fixed before any run."""
        return BOUNDS[0] if self.rule == "cosine" else BOUNDS[1]


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """How a check spends its reports and its significance; a function of the configuration alone.

    Args:
        sample: size n of one sample of the exam.
        trials: reports of each pair, both inputs together.
        stages: numbers of reports of a pair at which a rule is learned from all before; judged until twice as many.
        looks: over all pairs, rules and stages.
        look_significance: of each look; a fifth of it pays for the bound that holds at every moment.
    """

    sample: int
    trials: int
    stages: tuple[int, ...]
    looks: int
    look_significance: float


def plan_of(config: CheckConfig) -> TrialPlan:
    """Return how a check spends its reports.

    >>> plan_of(CheckConfig("x", 1.0, 0, reports=4_000_000)).trials
    790169
    """
    sample = max(LEAST_SAMPLE, min(_MOST_SAMPLE, config.reports // _EXAM_PART))
    trials = (config.reports - _words.SAMPLES_PER_EXAM * sample) // len(PAIRS)
    stage, stages = trials // 2, list[int]()
    while stage >= _FIRST_STAGE or not stages:
        stages.insert(0, stage)
        stage //= 2
    looks = len(PAIRS) * (2 + len(stages))
    return TrialPlan(sample, trials, tuple(stages), looks, (1.0 - EXAM_SHARE) * config.significance / looks)


def look_lower(config: CheckConfig, look: Look) -> float:
    """Return the lower bound on epsilon that a look shows, at its share of the significance.

    A look that reached its planned size states the larger of two bounds between which its significance is split:
    the one that holds at every moment, and the one for the planned size.
    """
    significance, delta = plan_of(config).look_significance, config.delta
    lower = epsilon_lower_bound(look.counts, look.bound, ANYTIME_SHARE * significance, delta=delta, anytime=True)
    if look.completed:
        share = (1.0 - ANYTIME_SHARE) * significance
        lower = max(lower, epsilon_lower_bound(look.counts, look.bound, share, delta=delta))
    return lower


@lru_cache(maxsize=64)
def smallest_detectable_epsilon(config: CheckConfig) -> float | None:
    """Return the smallest true epsilon that a whole check would reject with 95 % chance, in nats.

    It holds for a leak that shows in full on one of the pairs: the closer-gradient rule is right about a report with
    probability (e^eps + delta) / (1 + e^eps). Less of a leak, or one that shows less openly, may be missed.

    Returns:
        The epsilon, above the claimed one; None if it exceeds 30.

    Source: derived here, from the exact binomial law of the errors and the bound of the planned size.
    """
    from scipy.optimize import brentq
    from scipy.stats import binom

    plan = plan_of(config)
    share = (1.0 - ANYTIME_SHARE) * plan.look_significance

    def rejects(errors: int) -> bool:
        counts = TrialCounts(plan.trials - errors, errors, 0, 0)
        return epsilon_lower_bound(counts, BOUNDS[0], share, delta=config.delta) > config.epsilon

    low, high = -1, plan.trials  # rejects(low), not rejects(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rejects(middle) else (low, middle)
    most = EPSILON_RANGE[1]

    def missing(epsilon: float) -> float:
        error = 1.0 - worst_case_identification(epsilon, config.delta)
        return float(binom.cdf(low, plan.trials, error)) - _POWER

    if low < 0 or missing(most) < 0.0:
        return None
    return float(brentq(missing, config.epsilon, most, xtol=1e-9))


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check, whole or cut short. Numbers only; every bound and verdict is derived.

    Args:
        config: what was asked.
        clauses: of the exam, as far as it went.
        looks: of the privacy test, as far as it went.
        reports_used: reports that were asked for.
        completed: whether the check ended by itself: at its plan's end, or because the claim was rejected.
        seconds: duration so far.
        seeded: whether the same seed gives the same numbers again.
        versions: of the packages that produced the numbers.
    """

    config: CheckConfig
    clauses: tuple[Clause, ...]
    looks: tuple[Look, ...]
    reports_used: int
    completed: bool
    seconds: float
    seeded: bool
    versions: Mapping[str, str]

    @property
    def epsilon_lower(self) -> float:
        """The largest lower bound of all looks, in nats, at the check's significance."""
        return max((look_lower(self.config, look) for look in self.looks), default=0.0)

    @property
    def strongest(self) -> Look | None:
        """The look with the largest bound; None without one above 0."""
        best = max(self.looks, key=lambda look: look_lower(self.config, look), default=None)
        return best if best is not None and look_lower(self.config, best) > 0.0 else None

    @property
    def failed(self) -> tuple[Clause, ...]:
        """The clauses that were not kept."""
        return tuple(clause for clause in self.clauses if clause.passed is False)

    @property
    def verdict(self) -> str:
        """``claim_rejected``, ``claim_not_rejected``, or ``not_tested`` where no report could be judged."""
        if not any(look.counts.num_trials for look in self.looks):
            return NOT_TESTED
        return CLAIM_REJECTED if self.epsilon_lower > self.config.epsilon else CLAIM_NOT_REJECTED
