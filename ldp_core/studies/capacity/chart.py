"""The charts of a capacity: lines with ranges, one chart for each question."""

from collections.abc import Mapping
from dataclasses import dataclass

from ldp_core.presentation.figures._styles import COIN
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Series
from ldp_core.studies.capacity.result import LINES, MEASURES, Panel

Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Axes:
    """What a chart shows: the ends of the names of its axes' texts, and which of them are logarithmic."""

    x: str
    y: str
    log_x: bool = False
    log_y: bool = False


LOOKS = {
    "server_told": Axes("round", "told", log_y=True),
    "server_noise": Axes("round", "deviation", log_y=True),
    "batch_share": Axes("batch", "missed", log_x=True),
    "batch_error": Axes("batch", "error", log_x=True, log_y=True),
    "batch_told": Axes("batch", "told", log_x=True, log_y=True),
    "direction_error": Axes("direction", "error", log_x=True),
    "direction_told": Axes("direction", "told", log_x=True),
    "compression_told": Axes("share", "told", log_x=True),
    "compression_error": Axes("share", "error", log_x=True),
    "reports_named": Axes("reports", "named", log_x=True),
    "reports_told": Axes("reports", "gained", log_x=True),
    "gaussian_error": Axes("nats", "error"),
    "gaussian_named": Axes("nats", "named", log_x=True),
    "noise_named": Axes("noise", "named", log_x=True),
    "noise_told": Axes("noise", "told", log_x=True),
    **{f"{part}_{name}": Axes("nats", name) for part in ("similarity", "inversion") for name in MEASURES},
}
"""Chart -> what it shows."""
STYLES = {
    "kept_honest": ("#56B4E9", "circle"),
    "kept_crafted": ("#D55E00", "square"),
    "kept": ("#D55E00", "square"),
    "solved": ("#0072B2", "diamond"),
    "held_out": ("#CC79A7", "x"),
    "pictures": ("#009E73", "triangle-up"),
    "adaptive": ("#009E73", "triangle-up"),
    "linear": ("#E69F00", "triangle-down"),
    "plain": ("#D55E00", "square"),
    "constant": ("#0072B2", "diamond"),
    "dp-sgd": ("#009E73", "triangle-up"),
    "dp_limit": ("#E69F00", "triangle-down"),
    "guess": (COIN, "x"),
    "removed": ("#0072B2", "diamond"),
    "whole": (COIN, "circle"),
    "expected": ("#E69F00", "triangle-down"),
    "largest": ("#0072B2", "diamond"),
    "random": ("#E69F00", "triangle-down"),
    "natural": ("#009E73", "triangle-up"),
    "white": ("#E69F00", "triangle-down"),
    "personalized": ("#D55E00", "pentagon"),
    "no_noise": ("#56B4E9", "circle"),
    "mean": (COIN, "x"),
    "class_mean": (COIN, "circle"),
    "exact": ("#0072B2", "diamond"),
    "by_mean": ("#56B4E9", "square"),
    "doubling": ("#D55E00", "x"),
    "fano": ("#CC79A7", "triangle-up"),
    "general": ("#E69F00", "triangle-down"),
    "channel": ("#D55E00", "x"),
    "blind": (COIN, "x"),
    "floor": ("#D55E00", "x"),
    "water": ("#CC79A7", "triangle-up"),
    "theory": ("#E69F00", "triangle-down"),
    "drawn": ("#0072B2", "diamond"),
    "real": ("#56B4E9", "square"),
    "nearest": ("#009E73", "pentagon"),
    "dp_dimension": ("#CC79A7", "triangle-up"),
}
"""Line -> its colour and plotly's marker."""
THEOREMS = frozenset(("doubling", "fano", "general", "channel", "floor", "water", "theory", "dp_limit", "dp_dimension"))
"""Lines that are computed and not measured: dashed."""


def capacity_chart(panel: Panel, words: Words = ENGLISH) -> Chart:
    """Describe one chart."""
    look, series = LOOKS[panel.name], []
    across, up = words[f"capacity_x_{look.x}"], words[f"capacity_y_{look.y}"]
    for line in panel.lines:
        name = words[f"capacity_line_{line.name}"]
        (colour, symbol), values = STYLES[line.name], [point.value for point in line.points]
        reach = [
            (point.value if point.lower is None else point.lower, point.value if point.upper is None else point.upper)
            for point in line.points
        ]
        series.append(
            Series(
                name, [point.x for point in line.points], values, colour,
                "dash" if line.name in THEOREMS else "line", 1.5, symbol, 9,
                y_ends=reach if any(low < high for low, high in reach) else (),
                hover=f"{name}<br>{across}: %{{x:.3g}}<br>{up}: %{{y:.3g}}",
            )
        )  # fmt: skip
    return Chart(
        series,
        Axis(across, log=look.log_x, ticks=[(point, f"{point:g}") for point in places_of(panel)]),
        Axis(up, log=look.log_y),
        inches=2.7,
    )


def places_of(panel: Panel) -> list[float]:
    """Return where the points of a chart lie."""
    return sorted({point.x for line in panel.lines for point in line.points})


def capacity_alt(panel: Panel, words: Words = ENGLISH) -> str:
    """Return what ``capacity_chart`` shows, in one sentence: where each line begins and ends."""
    look = LOOKS[panel.name]
    items = [
        words["alt_capacity_item"].format(
            line=words[f"capacity_line_{line.name}"], first=line.points[0].value, last=line.points[-1].value
        )
        for line in panel.lines
    ]
    places = places_of(panel)
    return words["alt_capacity"].format(
        x=words[f"capacity_x_{look.x}"], y=words[f"capacity_y_{look.y}"], first=places[0], last=places[-1],
        items=words["and"].join(items),
    )  # fmt: skip


assert set(LOOKS) == set(LINES)
assert {name for lines in LINES.values() for name in lines} == set(STYLES)
