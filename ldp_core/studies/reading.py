"""Reading a study's JSON back, and what all results check."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.reports import refuse_constant
from ldp_core.types import AuditResult

_Result = TypeVar("_Result")


def read(text: str | bytes, schema: str, build: Callable[[dict[str, Any]], _Result]) -> _Result:
    """Build a result of one schema; raise one ``ValueError`` for whatever is not such a report."""
    try:
        report = json.loads(text, parse_constant=refuse_constant)
        if report["schema"] != schema:
            raise ValueError(f"schema must be {schema}, got {report['schema']!r}")
        return build(report)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
            reason = "it is not JSON"
        raise ValueError(f"a report must be what this tool wrote, got one that is not: {reason}") from error


def several(name: str, values: Any) -> Any:
    """Return a list as it is; raise ``ValueError`` for anything else."""
    if not isinstance(values, list | tuple):
        raise ValueError(f"{name} must be a list, got {str(values)[:40]!r}")
    return values


def check_completed(stated: bool, is_complete: bool) -> None:
    """Raise ``ValueError`` unless a report states truly whether it is whole."""
    if stated is not is_complete:
        raise ValueError(f"completed must be {is_complete} with what the report holds, got {stated!r}")


_NAMES: dict[str, Iterable[str]] = {
    "attack": ATTACKS,
    "distinguisher": DISTINGUISHERS,
    "dataset": DATASETS,
    "mechanism": MECHANISMS,
}


def check_known(**named: tuple[str, ...]) -> None:
    """Raise ``ValueError`` for a name that is in no catalogue, given by field."""
    for field, values in named.items():
        for value in values:
            if value not in _NAMES[field]:
                raise ValueError(f"{field} must be one of {', '.join(_NAMES[field])}, got {value!r}")


def check_agrees(name: str, stated: object, derived: object) -> None:
    """Raise ``ValueError`` unless a file states what its counts give."""
    if stated != derived:
        raise ValueError(f"{name} must be what the counts of the file give, got something else")


def counts_of(result: AuditResult) -> dict[str, int]:
    """Return the counts of a test by name."""
    counts = result.counts
    return {name: getattr(counts, name) for name in type(counts).__slots__}
