"""A check as strict JSON and back."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ldp_core import _validate
from ldp_core.checking.claims._plan import num_pairs, plan_of
from ldp_core.checking.claims._result import CheckResult, Clause, Look, look_lower
from ldp_core.checking.claims._subject import CLAUSES, FIXED_PAIRS, MOST_REFINED, OPTIONAL, OWN, CheckConfig, PairFacts
from ldp_core.checking.claims._text import (
    depends_on_inputs,
    detectable_epsilons,
    named_inputs,
    needed_reports,
    pair_sentence,
)
from ldp_core.record import check_names, of_fields, of_json, read_report, reading
from ldp_core.statistics import promise
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED

SCHEMA = "ldp-check/3"
_SHAPE = "shape-and-type"
ANSWERS: dict[bool | None, tuple[str, ...]] = {
    True: ("kept", "decimals", "coarse"),
    False: ("broken", "lengths", "fixed", "useless", "same", "again", "alike", "ordered", "summed", "always"),
    None: (
        *("unusable", "refused", "no-order", "copies", "no-entries", "not-stated", "too-few", "impossible", "drifts"),
        *("tells", "tells-nothing", "always"),
    ),
}
"""Which findings mean that a clause was kept, broken or not asked."""


def to_dict(result: CheckResult) -> dict[str, Any]:
    """Return a check as plain values: what was asked, what was counted, and what follows from it.

    The shape is described in ``python -m ldp_core check --help``. No value is infinite or NaN; what has no value is
    None.
    """
    return _found(result) | {"power": _power(result)}


def _found(result: CheckResult) -> dict[str, Any]:
    """Return everything but the power, which takes a second to compute."""
    config, rejected, strongest = result.config, result.verdict == CLAIM_REJECTED, result.strongest
    return {
        "schema": SCHEMA,
        "claimed_epsilon": config.epsilon,
        "claimed_delta": config.delta,
        "config": asdict(config),
        "clauses": [
            {
                "name": clause.name,
                "passed": clause.passed,
                "sentence": clause.sentence,
                "finding": clause.finding,
                "values": dict(clause.values),
            }
            for clause in result.clauses
        ],
        "looks": [
            {
                "pair": look.pair,
                "rule": look.rule,
                "trained_on": look.trained_on,
                "counts": asdict(look.counts),
                "completed": look.completed,
                "bound": "joint",
                "epsilon_lower": look_lower(config, look),
                "round": look.round,
                "silent": look.silent,
            }
            for look in result.looks
        ],
        "pairs": [asdict(pair) | {"sentence": pair_sentence(pair)} for pair in result.pairs],
        "epsilon_lower": result.epsilon_lower,
        "reports_used": result.reports_used,
        "verdict": result.verdict,
        **promise.to_dict(config.epsilon, config.delta),
        "rejected_by": {"pair": strongest.pair, "rule": strongest.rule} if rejected and strongest else None,
        **_shown(result),
        "notice": result.notice,
        "completed": result.completed,
        "seconds": result.seconds,
        "seed": config.seed,
        "seeded": result.seeded,
        "versions": dict(result.versions),
    }


def _shown(result: CheckResult) -> dict[str, Any]:
    named = named_inputs(result)
    return {"named_inputs": None if named is None else asdict(named), "shows_inputs": depends_on_inputs(result)}


def _power(result: CheckResult) -> dict[str, Any]:
    """Return what the check would have caught; see ``detectable_epsilons`` and ``needed_reports``."""
    if result.verdict != CLAIM_NOT_REJECTED:
        return {"probability": None, "smallest_detectable_epsilon": None, "reports_needed": None}
    epsilon, needed = needed_reports(result)
    return {
        "probability": 0.95,
        "smallest_detectable_epsilon": detectable_epsilons(result),
        "reports_needed": {"epsilon": epsilon} | needed,
    }


def to_json(result: CheckResult) -> str:
    """Return a check as one strict JSON object, indented."""
    return json.dumps(to_dict(result), indent=2, allow_nan=False, ensure_ascii=False)


def from_json(text: str | bytes) -> CheckResult:
    """Read a check back; bounds, verdict and sentences are derived again, not believed.

    ``text``: what ``to_json`` wrote.
    Raises ``ValueError`` if it is not such a check, holds an impossible value, or contradicts itself.
    """
    with reading("a check must be what this tool wrote"):
        report = read_report(text, SCHEMA)
        config: CheckConfig = of_fields(CheckConfig, report["config"], "config")
        for name, value in (
            ("claimed_epsilon", config.epsilon),
            ("claimed_delta", config.delta),
            ("seed", config.seed),
        ):
            if report[name] != value:
                raise ValueError(f"{name} must be that of the config, {value!r}, got {report[name]!r}")
        result = CheckResult(
            config,
            _listed(Clause, report, "clauses", len(CLAUSES) + len(OPTIONAL), "sentence"),
            _listed(Look, report, "looks", plan_of(config).looks, "bound", "epsilon_lower"),
            _validate.integer("reports_used", report["reports_used"], 0, config.reports),
            of_json(bool, report["completed"], "completed"),
            float(report["seconds"]),
            of_json(bool, report["seeded"], "seeded"),
            report["versions"],
            _listed(PairFacts, report, "pairs", num_pairs(config) + 1 + MOST_REFINED, "sentence"),
            str(report["notice"]),
        )
        _refuse_contradictions(result)
        fields = _found(result)
        json.dumps(fields, allow_nan=False, ensure_ascii=False).encode()  # what is read can be written again
        check_names(report, (*fields, "power"), "a check")
        return result


def _listed(kind: type[Any], report: Mapping[str, Any], name: str, most: int, *derived: str) -> tuple[Any, ...]:
    """Return the entries of a list without what is derived from the others."""
    if not isinstance(report[name], list) or len(report[name]) > most:
        raise ValueError(f"{name} must be a list of at most {most}")
    entries = [{field: value for field, value in entry.items() if field not in derived} for entry in report[name]]
    return tuple(of_fields(kind, entry, name) for entry in entries)


def _refuse_contradictions(result: CheckResult) -> None:
    """Raise ``ValueError`` for clauses, pairs or looks that no check of this plan can have found."""
    names = {clause.name for clause in result.clauses}
    if len(names) < len(result.clauses):
        raise ValueError("a clause must be there once")
    for clause in result.clauses:
        if clause.finding not in ANSWERS[clause.passed]:
            raise ValueError(f"passed must follow from the finding {clause.finding!r}, got {clause.passed}")
        for name, value in clause.values.items():
            _validate.text("values", name, 200)
            if isinstance(value, str):
                _validate.text("values", value, 1_000)
        _validate.text("sentence", clause.sentence, 2_000)
    if (result.looks or result.completed) and not names >= {*CLAUSES}:
        raise ValueError(f"clauses must be all {len(CLAUSES)} once the exam is over, got {len(result.clauses)}")
    least, whole = _judged_and_asked(result), result.judged_last and all(look.completed for look in result.looks)
    if result.reports_used < least:
        raise ValueError(f"reports_used must be at least the {least} that were judged, got {result.reports_used}")
    judged = not any(clause.name == _SHAPE for clause in result.failed)
    if result.completed and judged and result.verdict == CLAIM_NOT_REJECTED and not whole:
        raise ValueError("completed must be false for a check that did not come to its end")


def _judged_and_asked(result: CheckResult) -> int:
    """Hold pairs and looks against the plan, and return how many reports were asked for at least."""
    config, plan = result.config, plan_of(result.config)
    reports = {pair.name: pair.reports for pair in result.pairs}
    own_names = [f"{OWN}-{number}" for number in range(1, config.own_pairs + 1)]
    if len(reports) < len(result.pairs) or (reports and not {*FIXED_PAIRS, *own_names} <= set(reports)):
        raise ValueError("pairs must be all that are tried from the start, each once")
    for pair in result.pairs:
        if (pair.parent and pair.parent not in reports) or (pair.name.startswith(OWN) and pair.name not in own_names):
            raise ValueError(f"pairs must be of this check, got {pair.name} made from {pair.parent or 'nothing'}")
    for number, turn in enumerate(plan.rounds):
        looks = [look for look in result.looks if look.round == number]
        if len(looks) > turn.looks or len({look.pair for look in looks}) < len(looks):
            raise ValueError(f"there must be at most {turn.looks} looks in round {number}, each at another pair")
        for look in looks:
            planned = turn.judged
            if look.trials > planned:
                raise ValueError(f"a look must have at most the {planned} planned trials, got {look.trials}")
            if look.completed != (look.trials == planned):
                raise ValueError(
                    f"completed must follow from the {look.trials} of {planned} trials, got {look.completed}"
                )
    if result.looks and max(look.round for look in result.looks) >= len(plan.rounds):
        raise ValueError(f"round must be below {len(plan.rounds)}")
    for name in {look.pair for look in result.looks}:
        looks = [look for look in result.looks if look.pair == name]
        if (
            sum(look.trials for look in looks) > reports.get(name, 0)
            or max(look.trained_on for look in looks) > reports[name]
        ):
            raise ValueError(f"reports of the pair {name} must be at least those that were judged or learned from")
    return sum(reports.values())
