"""Results of checks as an engine would count them, made from numbers alone."""

import math
from typing import Any

from ldp_core.claims import CLAUSES, PAIRS, RULES, CheckConfig, CheckResult, Clause, Look, plan_of
from ldp_core.types import TrialCounts

KEPT = Clause("shape-and-type", True, "kept", {"reports": 1_000, "length": 64, "dtype": "float32"})
BROKEN = Clause("finite", False, "broken", {"reports": 1_000, "bad": 3})
OPEN = Clause("restart", None, "impossible")
_REST = {
    KEPT.name: KEPT,
    "accepts-every-norm": Clause("accepts-every-norm", True, "kept", {"norms": "0, L"}),
}


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
    """Return a whole check in which each rule errs as at a true epsilon, of a claim of 1 unless the options say more.

    Args:
        shown: what every rule tells apart; 0.5 on the other pairs if ``pair`` is given.
        clauses: of the exam; the others could not be asked.
        pair: the only one on which that much shows.
        rules: those that could judge.
        options: of the ``CheckConfig``.
    """
    config = CheckConfig(**({"subject": "vendor.sdk:Randomizer", "epsilon": 1.0, "seed": 7} | options))
    plan, looks = plan_of(config), []
    for name in PAIRS:
        true = shown if pair in (None, name) else 0.5
        for rule in rules:
            if rule != "learned":
                looks.append(Look(name, rule, 0, counted(plan.trials, true), True))
        for start, end in zip(plan.stages, (*plan.stages[1:], plan.trials), strict=True):
            looks.append(Look(name, "learned", start, counted(end - start, true), True))
    return CheckResult(config, filled(*clauses), tuple(looks), config.reports, True, 1.25, True, {"python": "3.11.7"})
