"""A goal in place of a capacity: the largest capacity that keeps it."""

import math
from collections.abc import Callable

from ldp_core import _validate
from ldp_core.channels.pictures import Fit, Fitted
from ldp_core.statistics.halving import halved

GOALS = {"error": (0.0, 1.0), "named": (0.0, 1.0), "budget": (0.0, 1e9)}
"""Kind -> limits, both excluded: squared error per pixel of the linear estimate, at least; share of noisy pictures that
are named right among the candidates, at most; nats that so many rounds give away in all, at most."""
_LEAST, _MOST, _NEAR = 1e-3, 1e6, 1.001
"""Capacities in nats among which that of a goal is sought, and how near it."""


def goal_of(text: str) -> tuple[str, float]:
    """Return the kind and the number of a goal such as "error:0.02"; raise ``ValueError`` if it is none."""
    kind, colon, number = text.partition(":")
    rule = f"goal must be one of {', '.join(f'{name}:NUMBER' for name in GOALS)}"
    if not colon or kind not in GOALS:
        raise ValueError(f"{rule}, got {text[:60]!r}")
    try:
        value = float(number)
    except ValueError:
        raise ValueError(f"{rule}, got {text[:60]!r}") from None
    return kind, _validate.open_number(f"goal {kind}", value, *GOALS[kind])


def goal_text(kind: str, value: float) -> str:
    """Return a goal as it is written; of pictures that are named ``value`` is how many of 100.

    >>> goal_text("named", 5.0), goal_text("error", 0.02)
    ('named:0.05', 'error:0.02')
    """
    return f"{kind}:{value / 100.0 if kind == 'named' else value:.12g}"


def check_goal(text: object) -> None:
    """Raise ``ValueError`` unless a value is a goal, or "" for none."""
    _validate.text("goal", text, 40)
    if text:
        goal_of(str(text))


def kept_by(goal: str, fit: Fit, named: Callable[[Fitted], float], rounds: int) -> Fitted:
    """Return the channel of the largest capacity, in nats, that keeps a goal; a smaller capacity keeps it, too.

    Found to one part in a thousand, by halving; a capacity that no noise reaches counts as too large.

    Args:
        goal: as ``goal_of`` reads it.
        fit: of a channel.
        named: returns the share of noisy pictures that are named right.
        rounds: those of a budget.

    Raises:
        ValueError: if not even the smallest capacity keeps it.
    """
    kind, value = goal_of(goal)
    keeps: dict[str, Callable[[Fitted], bool]] = {
        "error": lambda channel: channel.wiener_error() >= value,
        "named": lambda channel: named(channel) <= value,
        "budget": lambda channel: channel.capacity(rounds) <= value,
    }

    def broken(logarithm: float) -> bool:
        try:
            return not keeps[kind](fit(math.exp(logarithm)))
        except ValueError:
            return True

    if broken(math.log(_LEAST)):
        raise ValueError(f"goal must be one that some noise reaches, got {goal!r}, missed at {_LEAST:g} nats")
    return fit(math.exp(halved(broken, math.log(_LEAST), math.log(_MOST), math.log(_NEAR))[0]))
