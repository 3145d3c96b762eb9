"""Colours, markers and places, the same on screen and on paper."""

import math
from collections.abc import Sequence

from ldp_core.adversaries import ADVERSARIES
from ldp_core.presentation.tables import Row

RIGHT, WRONG, COIN = "#0072B2", "#D55E00", "#8C8C8C"
MAP_SCALE = ("#FBFAFE", "#A99BD3")
"""Fewest and most right guesses on the printed map: one hue, light enough for every marker."""
MAP_TINT = ("rgba(125,98,200,0.04)", "rgba(125,98,200,0.5)")
"""The same on screen, where the page shines through: light on a light page, dark on a dark one."""
LINE_MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "pentagon")
"""Of several lines, so that none is told by its colour alone."""
LINE_COLOURS = ("#5555F1", "#24A845", "#E21212", "#A562BC", "#317252", "#DF6885")
"""Of several lines, then again from the start: hues that every eye tells apart, on any page."""
SEQUENTIAL = ((0x2B, 0x98, 0xD2), (0x5A, 0x58, 0xD8))
"""Red, green and blue of the smallest epsilon and of the largest: all between show on white and on black pages."""
NEUTRAL = "#858c96"
"""Grey that shows on white and on black pages."""
SHADED = "#808080"
"""Grey of areas, which lets the page through."""
FIRST, SECOND = "#7D62C8", "#2A9784"
"""Updates A and B: hues that mean neither right nor wrong, on white and on black pages."""


def epsilon_style(epsilon: float) -> tuple[str, str]:
    """Return the colour and the plotly marker symbol of an epsilon, the same wherever it is drawn.

    >>> epsilon_style(0.125), epsilon_style(16.0)
    (('#2b98d2', 'circle'), ('#5a58d8', 'pentagon'))
    """
    place = min(max((math.log2(epsilon) + 3.0) / 7.0, 0.0), 1.0)
    mixed = (round(first + place * (last - first)) for first, last in zip(*SEQUENTIAL, strict=True))
    return f"#{''.join(f'{part:02x}' for part in mixed)}", LINE_MARKERS[round(7.0 * place)]


def attack_style(attack: str) -> tuple[str, str]:
    """Return an attack's colour and plotly marker symbol, see ``Adversary.style``; an unknown one is drawn in slate.

    The hues leave blue, vermillion and grey to right, wrong and coin. Every colour shows on a light page and on a dark
    one, and no two attacks look alike to a colour-blind eye.
    """
    known = ADVERSARIES.get(attack)
    return known.style if known else ("#5A7D7D", "x")


def shelf(row: Row, rows: Sequence[Row]) -> float:
    """Return how far a row's mark lies from the middle of its attack's line: none where all rows share a test."""
    if len({other.test for other in rows}) == 1:
        return 0.0
    return -0.17 if row.test == "white" else 0.17
