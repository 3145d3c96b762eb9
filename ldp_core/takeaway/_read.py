"""Reads any result that was saved as JSON, and refuses what this tool cannot have written.

Whoever opens a file trusts it as little as the network: it is small, its names are known, its numbers agree.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ldp_core import claims, exports, reports, studies
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.summary import expected_identification
from ldp_core.types import AuditResult

MOST_BYTES = 16 * 2**20
_TOLERANCE = 1e-6


class UnreadableError(ValueError):
    """A file that cannot be opened.

    Args:
        reason: "large", "json", "schema" or "content".
        sentence: what is wrong with it.
    """

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Opened:
    """What a file holds.

    Args:
        kind: "audit", "compare", "utility", "path" or "check".
        result: an ``AuditResult``, ``CompareResult``, ``UtilityResult``, ``TrainingPathResult`` or ``CheckResult``.
        notes: a comparison's sentences on what could not be made.
    """

    kind: str
    result: Any
    notes: tuple[str, ...] = ()


def read(content: bytes) -> Opened:
    """Read a saved result; bounds, states and verdicts are derived again from its counts.

    Args:
        content: of a JSON file, at most ``MOST_BYTES``.

    Raises:
        UnreadableError: if it is too large, no JSON, of no known schema, or contradicts itself.
    """
    if len(content) > MOST_BYTES:
        raise UnreadableError("large", f"a saved result must have at most {MOST_BYTES:,} bytes, got {len(content):,}")
    try:
        report = json.loads(content, parse_constant=reports.refuse_constant)
    except (ValueError, RecursionError) as error:
        raise UnreadableError("json", "a saved result must be JSON, got something else") from error
    schema = report.get("schema") if isinstance(report, dict) else None
    if not isinstance(schema, str) or schema not in _READERS:
        raise UnreadableError("schema", f"a saved result must have one of the schemas {', '.join(_READERS)}, got none")
    try:
        return _READERS[schema](content, report)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise UnreadableError("content", _printable(str(error))) from error


def _audit(content: bytes, report: dict[str, Any]) -> Opened:
    result = reports.from_json(content)
    config = result.config
    _known(attack=(config.attack,), distinguisher=(config.distinguisher,), dataset=(config.dataset,))
    _known(mechanism=(config.mechanism,))
    for item in result.measurements:
        law = expected_identification(config, item.pair)
        stated = item.expected_identification
        if stated is not None and (law is None or abs(stated - law) > _TOLERANCE):
            raise ValueError(f"expected_identification must follow from the pair, got {stated!r}")
    _agrees("summary.counts", report["summary"]["counts"], _counts(result))
    _agrees("completed", report["completed"], result.completed)
    _agrees("seed", report["seed"], config.seed)
    return Opened("audit", result)


def _compare(content: bytes, report: dict[str, Any]) -> Opened:
    result, notes = exports.read(content)
    _known(dataset=result.config.datasets, mechanism=(result.config.mechanism,))
    counts = [cell["summary"]["counts"] for cell in report["cells"]]
    _agrees("cells", counts, [_counts(cell) for cell in result.cells])
    _agrees("completed", report["completed"], result.completed)
    _agrees("seed", report["seed"], result.config.seed)
    thresholds = {len(item.curve.false_positives) for _, _, item in result.measured() if item.curve is not None}
    if len(thresholds) > 1:
        raise ValueError("all curves must have the same number of thresholds")
    return Opened("compare", result, notes)


def _utility(content: bytes, report: dict[str, Any]) -> Opened:
    result = studies.utility_from_json(content)
    _known(dataset=(result.config.dataset,))
    if len({len(curve.accuracy) for curve in result.curves}) > 1:
        raise ValueError("all curves must have the same number of rounds")
    return Opened("utility", result)


def _path(content: bytes, report: dict[str, Any]) -> Opened:
    result = studies.training_path_from_json(content)
    _known(dataset=(result.config.dataset,), attack=result.config.attacks)
    return Opened("path", result)


def _check(content: bytes, report: dict[str, Any]) -> Opened:
    return Opened("check", claims.from_json(content))


_READERS: dict[str, Callable[[bytes, dict[str, Any]], Opened]] = {
    reports.SCHEMA: _audit,
    exports.SCHEMA: _compare,
    studies.UTILITY_SCHEMA: _utility,
    studies.TRAINING_PATH_SCHEMA: _path,
    claims.FIRST_SCHEMA: _check,
    claims.SCHEMA: _check,
}
_NAMES: dict[str, Iterable[str]] = {
    "attack": ATTACKS,
    "distinguisher": DISTINGUISHERS,
    "dataset": DATASETS,
    "mechanism": MECHANISMS,
}


def _known(**named: tuple[str, ...]) -> None:
    for field, values in named.items():
        for value in values:
            if value not in _NAMES[field]:
                raise ValueError(f"{field} must be one of {', '.join(_NAMES[field])}, got {value!r}")


def _counts(result: AuditResult) -> dict[str, int]:
    counts = result.counts
    return {name: getattr(counts, name) for name in type(counts).__slots__}


def _agrees(name: str, stated: object, derived: object) -> None:
    if stated != derived:
        raise ValueError(f"{name} must be what the counts of the file give, got something else")


def _printable(text: str) -> str:
    """Return a sentence without what a terminal would obey, and short."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:300]
