"""A check as strict JSON and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ldp_core import _validate
from ldp_core.claims._result import CheckResult, Clause, Look, TrialPlan, look_lower, plan_of
from ldp_core.claims._subject import PAIRS, RULES, CheckConfig
from ldp_core.claims._text import detectable_epsilon
from ldp_core.claims._words import CLAUSES
from ldp_core.reports import read_versions, refuse_constant
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, TrialCounts

SCHEMA = "ldp-check/1"
_SHAPE = "shape-and-type"
ANSWERS: dict[bool | None, tuple[str, ...]] = {
    True: ("kept", "decimals", "coarse"),
    False: ("broken", "lengths", "fixed", "useless", "same", "alike", "always"),
    None: (
        *("unusable", "no-order", "no-entries", "not-stated", "too-few", "impossible"),
        *("tells", "tells-nothing", "always"),
    ),
}
"""Which findings mean that a clause was kept, broken or not asked."""
_LEARNED = RULES[-1]


def to_dict(result: CheckResult) -> dict[str, Any]:
    """Return a check as plain values: what was asked, what was counted, and what follows from it.

    The shape is described in the README. No value is infinite or NaN; what has no value is None.
    """
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
                "bound": look.bound,
                "epsilon_lower": look_lower(config, look),
            }
            for look in result.looks
        ],
        "epsilon_lower": result.epsilon_lower,
        "smallest_detectable_epsilon": detectable_epsilon(result),
        "reports_used": result.reports_used,
        "verdict": result.verdict,
        "rejected_by": {"pair": strongest.pair, "rule": strongest.rule} if rejected and strongest else None,
        "completed": result.completed,
        "seconds": result.seconds,
        "seed": config.seed,
        "seeded": result.seeded,
        "versions": dict(result.versions),
    }


def to_json(result: CheckResult) -> str:
    """Return a check as one strict JSON object, indented."""
    return json.dumps(to_dict(result), indent=2, allow_nan=False, ensure_ascii=False)


def from_json(text: str | bytes) -> CheckResult:
    """Read a check back; bounds, verdict and sentences are derived again, not believed.

    Args:
        text: what ``to_json`` wrote.

    Raises:
        ValueError: if it is not such a check, holds an impossible value, or contradicts itself.
    """
    try:
        report = json.loads(text, parse_constant=refuse_constant)
        if report["schema"] != SCHEMA:
            raise ValueError(f"schema must be {SCHEMA}, got {report['schema']!r}")
        config = CheckConfig(**report["config"])
        for name, value in (
            ("claimed_epsilon", config.epsilon),
            ("claimed_delta", config.delta),
            ("seed", config.seed),
        ):
            if report[name] != value:
                raise ValueError(f"{name} must be that of the config, {value!r}, got {report[name]!r}")
        result = CheckResult(
            config,
            tuple(map(_clause, _listed(report, "clauses", len(CLAUSES)))),
            tuple(map(_look, _listed(report, "looks", plan_of(config).looks))),
            _validate.integer("reports_used", report["reports_used"], 0, config.reports),
            _truth(report, "completed"),
            _validate.number("seconds", report["seconds"], 0.0, 1e9),
            _truth(report, "seeded"),
            read_versions(report),
        )
        _refuse_contradictions(result)
        to_json(result).encode()  # whatever is read can be written again
        return result
    except ValueError as error:
        reason = "it is not JSON" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)
        raise ValueError(f"a check must be what this tool wrote, got one that is not: {reason}") from error
    except (KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise ValueError(
            f"a check must be what this tool wrote, got one that is not: {type(error).__name__} {error}"
        ) from error


def _listed(report: Mapping[str, Any], name: str, most: int) -> list[Any]:
    if not isinstance(report[name], list) or len(report[name]) > most:
        raise ValueError(f"{name} must be a list of at most {most}")
    return list(report[name])


def _truth(values: Mapping[str, Any], name: str) -> bool:
    if not isinstance(values[name], bool):
        raise ValueError(f"{name} must be true or false, got {str(values[name])[:40]!r}")
    return bool(values[name])


def _clause(entry: Mapping[str, Any]) -> Clause:
    passed = None if entry["passed"] is None else _truth(entry, "passed")
    for name, value in entry["values"].items():
        _validate.text("values", name, 200)
        if isinstance(value, bool) or not isinstance(value, int | float):
            _validate.text("values", value, 1_000)
    return Clause(str(entry["name"]), passed, str(entry["finding"]), dict(entry["values"]))


def _look(entry: Mapping[str, Any]) -> Look:
    counts = TrialCounts(**entry["counts"])
    return Look(entry["pair"], entry["rule"], entry["trained_on"], counts, _truth(entry, "completed"))


def _refuse_contradictions(result: CheckResult) -> None:
    """Raise ``ValueError`` for clauses or looks that no check of this plan can have found."""
    plan, least = plan_of(result.config), 0
    if len({clause.name for clause in result.clauses}) < len(result.clauses):
        raise ValueError("a clause must be there once")
    for clause in result.clauses:
        if clause.finding not in ANSWERS[clause.passed]:
            raise ValueError(f"passed must follow from the finding {clause.finding!r}, got {clause.passed}")
        _validate.text("sentence", clause.sentence, 2_000)
    if (result.looks or result.completed) and len(result.clauses) < len(CLAUSES):
        raise ValueError(f"clauses must be all {len(CLAUSES)} once the exam is over, got {len(result.clauses)}")
    for pair in PAIRS:
        least += max((_done(plan, result, pair, rule) for rule in RULES), default=0)
    if len({_played(result, pair) for pair in PAIRS}) > 1:
        raise ValueError("looks must be as many and as long on every pair")
    if result.reports_used < least:
        raise ValueError(f"reports_used must be at least the {least} that were judged, got {result.reports_used}")
    judged = not any(clause.name == _SHAPE for clause in result.failed)
    if result.completed and judged and result.verdict == CLAIM_NOT_REJECTED and not _whole(result, plan):
        raise ValueError("completed must be false for a check that did not come to its end")


def _played(result: CheckResult, pair: str) -> tuple[tuple[str, int], ...]:
    """Return the rules that judged a pair, and how many trials; rounds treat all pairs alike."""
    return tuple((look.rule, look.counts.num_trials) for look in result.looks if look.pair == pair)


def _done(plan: TrialPlan, result: CheckResult, pair: str, rule: str) -> int:
    """Return how many reports of a pair a rule needed, and hold its looks against the plan."""
    looks = [look for look in result.looks if (look.pair, look.rule) == (pair, rule)]
    sizes = _sizes(plan, rule)
    if len(looks) > len(sizes):
        raise ValueError(f"there must be at most {len(sizes)} looks with {rule} on {pair}, got {len(looks)}")
    done = 0
    for look, (start, size) in zip(looks, sizes, strict=False):
        trials = look.counts.num_trials
        if trials > size:
            raise ValueError(f"a look must have at most the {size} planned trials, got {trials}")
        if look.completed != (trials == size):
            raise ValueError(f"completed must follow from the {trials} of {size} trials, got {look.completed}")
        if look.trained_on > start:
            raise ValueError(f"trained_on must be at most {start}, got {look.trained_on}")
        done = start + trials
    return done


def _sizes(plan: TrialPlan, rule: str) -> list[tuple[int, int]]:
    """Return for each look of a rule on a pair how many trials come before it, and how many it may have."""
    if rule != _LEARNED:
        return [(0, plan.trials)]
    ends = (*plan.stages[1:], plan.trials)
    return [(start, end - start) for start, end in zip(plan.stages, ends, strict=True)]


def _whole(result: CheckResult, plan: TrialPlan) -> bool:
    """Return whether every pair was played to the end of the plan."""
    if not all(look.completed for look in result.looks):
        return False
    there = [(look.pair, look.rule) for look in result.looks]
    return all(there.count((pair, _LEARNED)) == len(plan.stages) for pair in PAIRS)
