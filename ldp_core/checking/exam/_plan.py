"""What a check will take and could find, before it asks for much: for mechanisms that are slow."""

from __future__ import annotations

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.claims.power import reports_needed, smallest_detectable_epsilon
from ldp_core.types import EPSILON_RANGE
from ldp_core.words import numbers

_USEFUL = 2.0
"""A check is of use if it would catch a mechanism that leaks so many times what it claims, by the side of reports."""


def plan_sentences(config: CheckConfig, speed: float) -> str:
    """Return how long a check takes at so many reports a second, what it could catch, and how many are of use."""
    found, useful = smallest_detectable_epsilon(config), smallest_useful_reports(config)
    seconds = config.reports / speed
    pace = f"{speed:,.0f} a second" if speed >= 1.0 else f"one in {1.0 / speed:,.0f} seconds"
    text = f"plan: at most {config.reports:,} reports, which take about {_duration(seconds)} at the measured {pace}; "
    text += (
        f"a whole check catches a true epsilon of at least {numbers.ceiled(found, 2)} with 95 % chance, "
        "if it shows on which side a report lies"
        if found is not None
        else "so few catch no such leak with 95 % chance"
    )
    twice = f"{min(_USEFUL * config.epsilon, EPSILON_RANGE[1]):g}"
    if useful is None:
        return f"{text}; no number of reports catches {twice} as surely."
    return f"{text}; about {useful:,} reports are the fewest that catch {twice} as surely."


def smallest_useful_reports(config: CheckConfig) -> int | None:
    """Return about how many reports are the fewest with which a check catches twice the claimed epsilon (at most 30).

    Returns a number to two digits; None if no number would do.
    """
    return reports_needed(config, "side", min(_USEFUL * config.epsilon, EPSILON_RANGE[1]))


def _duration(seconds: float) -> str:
    if seconds < 100.0:
        return f"{max(1.0, seconds):.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 6_000.0 else f"{seconds / 3_600.0:.1f} h"
