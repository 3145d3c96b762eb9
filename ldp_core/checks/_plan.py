"""What a check will take and could find, before it asks for much: for mechanisms that are slow."""

from __future__ import annotations

import math
from dataclasses import replace

from ldp_core.claims import CheckConfig, smallest_detectable_epsilon
from ldp_core.types import EPSILON_RANGE

_MOST = 10**8
_USEFUL = 2.0
"""A check is of use if it would catch a mechanism that leaks so many times what it claims."""


def plan_sentences(config: CheckConfig, speed: float) -> str:
    """Return how long a check takes, what it could catch, and how many reports are of use.

    Args:
        config: of the check.
        speed: reports a second, as measured.
    """
    found, useful = _caught(config), smallest_useful_reports(config)
    seconds = config.reports / speed
    pace = f"{speed:,.0f} a second" if speed >= 1.0 else f"one in {1.0 / speed:,.0f} seconds"
    text = f"plan: at most {config.reports:,} reports, which take about {_duration(seconds)} at the measured {pace}; "
    text += (
        f"a whole check catches a true epsilon of at least {math.ceil(1_000 * found) / 1_000:.3f} with 95 % chance, "
        "if it shows in full on one of the pairs"
        if found is not None
        else "so few catch no leak with 95 % chance"
    )
    twice = f"{min(_USEFUL * config.epsilon, EPSILON_RANGE[1]):g}"
    if useful is None:
        return f"{text}; no number of reports catches {twice} as surely."
    return f"{text}; {useful:,} reports are the fewest that catch {twice} as surely."


def smallest_useful_reports(config: CheckConfig) -> int | None:
    """Return the fewest reports, to two digits, with which a check catches twice the claimed epsilon (at most 30).

    Returns:
        From 10,000 to 100 million; None if even those would not do.
    """
    wanted = min(_USEFUL * config.epsilon, EPSILON_RANGE[1])

    def catches(reports: int) -> bool:
        found = _caught(replace(config, reports=reports))
        return found is not None and found <= wanted

    grid: list[int] = [digits * 10**power for power in range(3, 7) for digits in range(10, 100)] + [_MOST]
    if not catches(_MOST):
        return None
    low, high = -1, len(grid) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if catches(grid[middle]) else (middle, high)
    return grid[high]


def _caught(config: CheckConfig) -> float | None:
    return smallest_detectable_epsilon(config)


def _duration(seconds: float) -> str:
    if seconds < 100.0:
        return f"{max(1.0, seconds):.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 6_000.0 else f"{seconds / 3_600.0:.1f} h"
