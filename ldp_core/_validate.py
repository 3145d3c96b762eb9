"""One-sentence argument checks: name, rule, value.

A limit on a number of a configuration is typed once, beside its field, as ``field(metadata=within(low, high))``.
"""

import math
import re
from collections.abc import Collection
from dataclasses import fields
from typing import Any

_LIMITS = "limits"


def number(name: str, value: float, low: float, high: float) -> float:
    """Return ``value`` as a float if it is a number in [low, high], else raise ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, got {value!r}")
    return float(value)


def open_number(name: str, value: float, low: float, high: float) -> float:
    """Return ``value`` as a float if it lies strictly between the limits, else raise ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high:
        rule = f"greater than {low:g}" if math.isinf(high) else f"between {low:g} and {high:g}, both excluded"
        raise ValueError(f"{name} must be a number {rule}, got {value!r}")
    return float(value)


def integer(name: str, value: int, low: int, high: int | None = None) -> int:
    """Return ``value`` if it is an integer in [low, high], else raise ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        rule = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} must be a whole number {rule}, got {value!r}")
    return value


def choice(name: str, value: object, options: Collection[object]) -> None:
    """Raise ``ValueError`` unless ``value`` is one of the options, of the same type."""
    if not any(type(value) is type(option) and value == option for option in options):
        raise ValueError(f"{name} must be one of {', '.join(map(str, options))}, got {value!r}")


def name(field: str, value: object) -> None:
    """Raise ``ValueError`` unless ``value`` is a word in kebab-case."""
    if not isinstance(value, str) or not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", value):
        raise ValueError(f"{field} must be a word of small letters, digits and dashes, got {value!r}")


def text(name: str, value: object, most: int) -> None:
    """Raise ``ValueError`` unless ``value`` is a text of at most so many characters."""
    if not isinstance(value, str) or len(value) > most:
        raise ValueError(f"{name} must be a text of at most {most} characters, got {str(value)[:40]!r}")


def within(low: float, high: float) -> dict[str, tuple[float, float]]:
    """Return a field's metadata that says which values it may have: whole numbers where ``low`` is an int."""
    return {_LIMITS: (low, high)}


def limits(kind: type[Any], name: str) -> tuple[Any, Any]:
    """Return the least and the greatest value that a field of a dataclass may have.

    Raises ``KeyError`` if there is no such field, or it has no limits.
    """
    return {field.name: field for field in fields(kind)}[name].metadata[_LIMITS]  # type: ignore[no-any-return]


def check_limits(instance: Any) -> None:
    """Raise ``ValueError`` if a field's value is out of its limits; whole numbers given for others become floats.

    A field whose default is None may be None.
    """
    for field in fields(instance):
        value = getattr(instance, field.name)
        if _LIMITS not in field.metadata or (value is None and field.default is None):
            continue
        low, high = field.metadata[_LIMITS]
        if isinstance(low, int):
            integer(field.name, value, low, high)
        else:
            object.__setattr__(instance, field.name, number(field.name, value, low, high))
