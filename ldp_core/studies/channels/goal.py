"""From a goal to a channel: the largest capacity at which the goal is kept."""

from __future__ import annotations

import math
from collections.abc import Callable

from ldp_core import _validate
from ldp_core.channels import Fitted

GOALS = {"error": (0.0, 1.0), "named": (0.0, 1.0), "budget": (0.0, 1e9)}
"""Kind -> limits, both excluded: squared error per pixel of the linear estimate, at least; share of noisy pictures that
are named right among the candidates, at most; nats that the last number of rounds gives away in all, at most."""
_LEAST, _MOST, _NEAR = 1e-3, 1e6, 1.001


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


def largest(fit: Callable[[float], Fitted], keeps: Callable[[Fitted], bool], goal: str) -> Fitted:
    """Return the channel of the largest capacity, in nats, that keeps a goal; a smaller capacity keeps it, too.

    Found to one part in a thousand, by halving; a capacity that no noise reaches counts as too large.

    Raises:
        ValueError: if not even the smallest capacity keeps it.
    """
    low, high, found = math.log(_LEAST), math.log(_MOST), fit(_LEAST)
    if not keeps(found):
        raise ValueError(f"goal must be one that some noise reaches, got {goal!r}, missed at {_LEAST:g} nats")
    while high - low > math.log(_NEAR):
        middle = (low + high) / 2.0
        try:
            tried = fit(math.exp(middle))
            kept = keeps(tried)
        except ValueError:
            kept = False
        if kept:
            low, found = middle, tried
        else:
            high = middle
    return found
