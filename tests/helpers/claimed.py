"""Results of checks as an engine would count them, made from numbers alone."""

import math
from typing import Any

from ldp_core.checking.claims import (
    CLAUSES,
    FIXED_PAIRS,
    OWN,
    RULES,
    CheckConfig,
    CheckResult,
    Clause,
    Look,
    PairFacts,
    plan_of,
)
from ldp_core.types import TrialCounts

KEPT = Clause("shape-and-type", True, "kept", {"reports": 1_000, "length": 64, "dtype": "float32"})
BROKEN = Clause("finite", False, "broken", {"reports": 1_000, "bad": 3})
OPEN = Clause("restart", None, "impossible")
_REST = {KEPT.name: KEPT, "accepts-every-norm": Clause("accepts-every-norm", True, "kept", {"norms": "0, L"})}
_LENGTHS = {"short-flip": (0.75, 0.75), "two-lengths": (1.0, 0.5), "zero-and-full": (0.0, 1.0)}
_VERSIONS = {"python": "3.11.7"}


def measured(length: int) -> Clause:
    """Return the clause that says how many numbers a report has."""
    return Clause(KEPT.name, True, "kept", {"reports": 1_000, "length": length, "dtype": "float32"})


def filled(*clauses: Clause) -> tuple[Clause, ...]:
    """Return a whole exam: these clauses first, and the others as far as they can be without a number."""
    names = {clause.name for clause in clauses}
    rest = (_REST.get(name) or Clause(name, None, "unusable") for name in CLAUSES if name not in names)
    return (*clauses, *rest)


def counted(trials: int, epsilon: float) -> TrialCounts:
    """Return the counts of a rule that errs as often as the best one may at a true epsilon."""
    first = trials // 2
    wrong = [round(number / (1.0 + math.exp(epsilon))) for number in (first, trials - first)]
    return TrialCounts(first - wrong[0], wrong[0], wrong[1], trials - first - wrong[1])


def checked(
    shown: float = 0.9, *clauses: Clause, pair: str | None = None, rules: tuple[str, ...] = RULES, **options: Any
) -> CheckResult:
    """Return a whole check whose looks err as at a true epsilon of ``shown``, or of 0.5 on others than a named pair."""
    config = CheckConfig(**({"subject": "vendor.sdk:Randomizer", "epsilon": 1.0, "seed": 7} | options))
    tried = [*FIXED_PAIRS, *(f"{OWN}-{number}" for number in range(1, config.own_pairs + 1))]
    if config.adaptive:
        tried.append("refined-1")
    others = [name for name in tried if name != pair]
    asked, looks = dict.fromkeys(tried, 0), list[Look]()
    for number, turn in enumerate(plan_of(config).rounds):
        if not config.adaptive:
            asked = {name: turn.explore // len(tried) for name in tried}
        begin = len(looks)
        chosen = [others[(begin + place) % len(others)] for place in range(turn.looks)]
        if pair is not None and chosen:
            chosen[0] = pair
        for name in chosen:
            rule, true = rules[len(looks) % len(rules)], shown if pair in (None, name) else 0.5
            silent = 0 if rule == "cosine" else turn.judged // 10
            looks.append(Look(name, rule, asked[name], counted(turn.judged - silent, true), True, number, silent))
        for name in chosen:
            asked[name] += turn.judged
        if config.adaptive:
            for name in tried:
                asked[name] += turn.explore // len(tried)
    facts = tuple(_facts(name, reports) for name, reports in asked.items())
    return CheckResult(config, filled(*clauses), tuple(looks), config.reports, True, 1.25, True, _VERSIONS, facts)


def _facts(name: str, reports: int) -> PairFacts:
    if name.startswith("refined"):
        return PairFacts(name, 0.95, 0.8, 171.25, "dummy-flip", reports)
    if name.startswith(OWN):
        return PairFacts(name, 0.4, 0.7, 90.0, reports=reports)
    first, second = _LENGTHS.get(name, (1.0, 1.0))
    return PairFacts(name, first, second, 180.0, reports=reports)
