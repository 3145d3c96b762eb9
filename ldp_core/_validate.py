"""One-sentence argument checks: name, rule, value."""

import math
import re
from collections.abc import Collection


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
