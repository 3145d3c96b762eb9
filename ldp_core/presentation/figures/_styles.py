"""Colours, markers and places, the same on screen and on paper."""

from collections.abc import Sequence

from ldp_core.adversaries import ADVERSARIES
from ldp_core.presentation.tables import Row

RIGHT, WRONG, COIN = "#0072B2", "#D55E00", "#8C8C8C"
MAP_SCALE = ("#FBFAFE", "#A99BD3")
"""Fewest and most right guesses on the printed map: one hue, light enough for every marker."""
MAP_TINT = ("rgba(125,98,200,0.04)", "rgba(125,98,200,0.5)")
"""The same on screen, where the page shines through: light on a light page, dark on a dark one."""
EPSILON_MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "x", "star", "pentagon")
"""Smallest to largest epsilon, so that no line is told by its colour alone."""
EPSILON_COLOURS = ("#5555F1", "#24A845", "#E21212", "#A562BC", "#317252", "#DF6885")
"""Smallest to largest epsilon, then again from the start: hues that every eye tells apart, on any page."""
NEUTRAL = "#858c96"
"""Grey that shows on white and on black pages."""
SHADED = "#808080"
"""Grey of areas, which lets the page through."""
FIRST, SECOND = "#7D62C8", "#2A9784"
"""Updates A and B: hues that mean neither right nor wrong, on white and on black pages."""


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
