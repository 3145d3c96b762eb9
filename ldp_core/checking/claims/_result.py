"""What a check found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ldp_core import _validate
from ldp_core.checking.claims._plan import plan_of
from ldp_core.checking.claims._subject import NOTICES, RULES, WORDS, CheckConfig, PairFacts, check_pair_name
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, TrialCounts

NOT_TESTED = "not_tested"
_UNJUDGED = ("copies", "no-order", "impossible", "drifts", "always", "no-entries", "refused")


@dataclass(frozen=True, slots=True)
class Clause:
    """One question of the exam, and its answer.

    Args:
        name: in ``WORDS``.
        passed: None where it could not be asked or the reports were too few to tell.
        finding: which of the clause's sentences says what was found.
        values: the numbers in that sentence.
    """

    name: str
    passed: bool | None
    finding: str
    values: Mapping[str, float | int | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _validate.choice("clause", self.name, tuple(WORDS))
        _validate.choice("finding", self.finding, tuple(WORDS[self.name].findings))

    @property
    def sentence(self) -> str:
        """What was found, in one plain sentence."""
        return WORDS[self.name].findings[self.finding].format(**self.values)


@dataclass(frozen=True, slots=True)
class Look:
    """What one rule counted on one pair.

    Args:
        pair: name of a pair, see ``PairFacts``.
        trained_on: reports of the pair from which the rule was chosen, none of which it was judged on; 0 if none.
        counts: guesses about the reports it was judged on.
        completed: whether the planned number of reports was reached.
        round: of the plan, from 0.
        silent: reports about which the rule said nothing.
    """

    pair: str
    rule: str
    trained_on: int
    counts: TrialCounts
    completed: bool
    round: int
    silent: int = 0

    def __post_init__(self) -> None:
        check_pair_name("pair", self.pair)
        _validate.choice("rule", self.rule, RULES)
        _validate.integer("trained_on", self.trained_on, 0)
        _validate.integer("round", self.round, 0, 64)
        _validate.integer("silent", self.silent, 0)

    @property
    def trials(self) -> int:
        """Reports that were judged, silent ones included."""
        return self.counts.num_trials + self.silent


def look_lower(config: CheckConfig, look: Look) -> float:
    """Return the lower bound on epsilon that a look shows, at its share of the significance.

    A look that reached its planned size states the larger of two bounds between which its significance is split:
    the one that holds at every moment, and the one for the planned size.
    """
    from ldp_core.statistics.estimates import ANYTIME_SHARE, joint_lower_bound

    turn, right = plan_of(config).rounds[look.round], look.counts.num_right
    planned, wrong = look.trials if look.completed else turn.judged, look.counts.num_trials - right

    def bound(share: float, anytime: bool) -> float:
        level = share * turn.significance
        return joint_lower_bound(right, wrong, planned, level, delta=config.delta, anytime=anytime)

    lower = bound(ANYTIME_SHARE, True)
    return max(lower, bound(1.0 - ANYTIME_SHARE, False)) if look.completed else lower


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check, whole or cut short. Numbers only; every bound and verdict is derived.

    Args:
        clauses: of the exam, as far as it went.
        looks: of the privacy test, as far as it went.
        reports_used: reports that were asked for.
        completed: whether the check ended by itself: at its plan's end, or because the claim was rejected.
        seeded: whether the same seed gives the same numbers again.
        pairs: what may be published of the pairs of inputs.
        notice: what the files that reports came from, or a given seed, cannot show, a name in ``NOTICES``; or "".
    """

    config: CheckConfig
    clauses: tuple[Clause, ...]
    looks: tuple[Look, ...]
    reports_used: int
    completed: bool
    seconds: float
    seeded: bool
    versions: Mapping[str, str]
    pairs: tuple[PairFacts, ...] = ()
    notice: str = ""

    def __post_init__(self) -> None:
        _validate.choice("notice", self.notice, ("", *NOTICES))

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
        """The clauses that were not kept; ``unjudged`` has those that were not asked, of which it says nothing."""
        return tuple(clause for clause in self.clauses if clause.passed is False)

    @property
    def unjudged(self) -> tuple[Clause, ...]:
        """The clauses that could not be asked of a mechanism reached in this way, or as it behaves."""
        return tuple(clause for clause in self.clauses if clause.finding in _UNJUDGED and clause.passed is None)

    @property
    def verdict(self) -> str:
        """``claim_rejected``, ``claim_not_rejected``, or ``not_tested`` where no report could be judged."""
        if not any(look.trials for look in self.looks):
            return NOT_TESTED
        return CLAIM_REJECTED if self.epsilon_lower > self.config.epsilon else CLAIM_NOT_REJECTED

    @property
    def ended(self) -> bool:
        """Whether a check ended with a rejection or at its plan's end; else something stopped it."""
        if not self.completed or not all(look.completed for look in self.looks):
            return self.completed and self.verdict == CLAIM_REJECTED
        return self.verdict == CLAIM_REJECTED or self.judged_last

    @property
    def judged_last(self) -> bool:
        """Whether the last round of the plan was judged."""
        return any(look.round == len(plan_of(self.config).rounds) - 1 for look in self.looks)
