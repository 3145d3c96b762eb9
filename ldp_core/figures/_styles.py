"""Colours, markers and places, the same on screen and on paper."""

from collections.abc import Sequence

from ldp_core.tables import Row

RIGHT, WRONG, COIN = "#0072B2", "#D55E00", "#999999"
ATTACK_STYLES: dict[str, tuple[str, str]] = {
    "benign": ("#009E73", "circle"),
    "input-perturbation": ("#C2187A", "pentagon"),
    "label-flip": ("#56B4E9", "square"),
    "parameter-retrogression": ("#8040E0", "triangle-down"),
    "gradient-flip": ("#E69F00", "diamond"),
    "collusion": ("#CC79A7", "triangle-up"),
    "dummy": ("#9A6B1F", "star"),
}
"""Attack -> colour and marker; the hues leave blue, vermillion and grey to right, wrong and coin."""
MAP_SCALE = ("#FBFAFE", "#A99BD3")
"""Fewest and most right guesses on the map: one hue, light enough for every marker, on a page of any colour."""
EPSILON_SCALE = ("#6DBFAE", "#2A9784", "#0F6B5E")
"""Smallest, middle and largest epsilon: one hue."""
NEUTRAL = "#858c96"
"""Grey that shows on white and on black pages."""


def attack_style(attack: str) -> tuple[str, str]:
    """Return an attack's colour and plotly marker symbol; an unknown one is drawn in slate."""
    return ATTACK_STYLES.get(attack, ("#406060", "x"))


def between(scale: tuple[str, ...], share: float) -> str:
    """Return the colour at a share from 0 to 1 of a scale, mixed linearly.

    >>> between(("#000000", "#ffffff"), 0.5)
    '#808080'
    """
    place = min(max(share, 0.0), 1.0) * (len(scale) - 1)
    index = min(int(place), len(scale) - 2)
    ends = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in scale[index : index + 2]]
    mixed = (round(low + (place - index) * (high - low)) for low, high in zip(*ends, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def shelf(row: Row, rows: Sequence[Row]) -> float:
    """Return how far a row's mark lies from the middle of its attack's line: none where all rows share a test."""
    if len({other.test for other in rows}) == 1:
        return 0.0
    return -0.17 if row.test == "white" else 0.17
