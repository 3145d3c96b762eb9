"""A chart, described once: what is marked, between which axes, and in which words.

``screen`` draws a description with plotly and ``printed`` with matplotlib; neither knows what a chart is about.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ldp_core.presentation.figures._styles import NEUTRAL

STROKES = ("", "line", "dash", "dot", "dashdot", "promise", "coin")
"""No line; four in the series' colour; a promise, in black dashes; a coin, dotted in grey."""
TICK = "line-ns-open"
"""A marker: an upright stroke."""
_LARGEST_KEY, _LARGEST_TICK = 11.0, 16.0
"""Size of a marker in the legend, at most."""
Ends = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Series:
    """Points that share a name in the legend; they are joined, marked, or both, or the outline of an area.

    Args:
        name: in the legend; series of one name have one entry.
        x, y: places of the points on the axis below and on that beside, equally many.
        colour: as in "#0072B2"; that of a promise or a coin is its own.
        stroke: of ``STROKES``, in which the points are joined.
        width: of a line in the series' colour, in pixels on screen.
        symbol: plotly's marker, a key of ``printed._MARKERS``; "-open" makes it hollow; "" for none.
        size: of a marker, or of each, in pixels on screen.
        x_ends, y_ends: lower and upper end of an interval at each point; () for none.
        hover: plotly's template of what is shown under the pointer, "" for nothing; ``%{text}`` is from ``texts``.
        opacity: of lines and markers.
        fill: opacity of the area that the points enclose.
        noted: whether the legend on screen leaves it out, because a note or the page's text names it.
        panel: title of the small chart that it belongs to, "" where there is only one.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str = ""
    stroke: str = ""
    width: float = 2.0
    symbol: str = ""
    size: float | Sequence[float] = 10.0
    x_ends: Ends = ()
    y_ends: Ends = ()
    hover: str = ""
    texts: Sequence[str] = ()
    opacity: float = 1.0
    fill: float = 0.0
    noted: bool = False
    panel: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Words inside the chart on screen; for print the legend says all, and notes are left out.

    ``text``: a line, or several with ``<br>``; ``xanchor`` and ``yanchor``: which side of it is at the place ("left",
    "center", "right"; "top", "middle", "bottom"); ``shift``: of the text, to the right and upwards in pixels.
    """

    x: float
    y: float
    text: str
    xanchor: str = "left"
    yanchor: str = "bottom"
    shift: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Field:
    """Numbers over both axes, a row for each of ``y``: contour lines with their values, tinted between.

    ``name`` is in the legend for print, on screen it stands above the chart; lines begin at ``start``, ``step`` apart.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[Sequence[float]]
    start: float
    step: float

    def levels(self) -> list[float]:
        """Return the numbers of the lines."""
        top = max(map(max, self.z))
        return [self.start + self.step * number for number in range(math.ceil((top - self.start) / self.step))]


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis.

    Args:
        title: what it shows; "" where the ticks are names of rows.
        span: where it begins and ends; None for as far as the points reach.
        log: whether it is logarithmic.
        ticks: numbers that are written, with what is written there; () for a choice of the renderer.
        reverse: whether it falls from left to right, or upwards.
        noted: whether it is left out on screen, because notes name its rows.
    """

    title: str
    span: tuple[float, float] | None = None
    log: bool = False
    ticks: Sequence[tuple[float, str]] = ()
    reverse: bool = False
    noted: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart with a legend below it, or several small ones with the same axes and one legend.

    Args:
        series: the first is drawn first.
        below, beside: the axes.
        height: on screen, in pixels; of a row of small charts.
        inches: height for print, without the legend; likewise.
        square: whether both axes have one scale for print.
        order: names that stand first in the legend; of the others, those with markers before lines alone.
        shared: names that stand for marks of any colour, and are grey in the legend.
        margin: on screen, in pixels, see ``_parts.frame``; None for margins that grow with the labels.
        field: below all series, or None.
        clip: whether what lies beyond the axes is cut off.
    """

    series: Sequence[Series]
    below: Axis
    beside: Axis
    height: int = 380
    inches: float = 2.5
    square: bool = False
    notes: Sequence[Note] = ()
    order: Sequence[str] = ()
    shared: Sequence[str] = ()
    margin: Mapping[str, int] | None = None
    field: Field | None = None
    clip: bool = False

    @property
    def panels(self) -> list[str]:
        """Titles of the small charts, in their order; none where there is one chart."""
        return list(dict.fromkeys(series.panel for series in self.series if series.panel))

    def legend(self) -> list[Series]:
        """Return the entries of the legend, in its order: each shows all that the series of its name have."""
        groups: dict[str, list[Series]] = {}
        for series in self.series:
            groups.setdefault(series.name, []).append(series)
        ranks = {name: rank for rank, name in enumerate(self.order)}
        entries = [_entry(group, grey=name in self.shared) for name, group in groups.items()]
        return sorted(entries, key=lambda series: (ranks.get(series.name, len(ranks)), not series.symbol))


def _entry(group: Sequence[Series], *, grey: bool) -> Series:
    """Return what stands for series of one name: the line of the first that has one, the marker likewise."""
    lined = next((series for series in group if series.stroke), group[0])
    marked = [series for series in group if series.symbol]
    shown = marked[0] if marked else lined
    symbol = shown.symbol
    if len({series.symbol for series in marked}) > 1:
        symbol = "circle-open" if symbol.endswith("-open") else "circle"
    colour = next((series.colour for series in (shown, *group) if series.colour), "")
    largest = _LARGEST_TICK if symbol == TICK else _LARGEST_KEY
    return replace(
        shown, colour=NEUTRAL if grey else colour, stroke=lined.stroke, width=lined.width, symbol=symbol,
        size=min(*sizes(shown), largest), fill=max(series.fill for series in group),
        noted=all(series.noted for series in group),
    )  # fmt: skip


def sizes(series: Series) -> Sequence[float]:
    """Return the sizes of a series' markers: one for all, or one for each."""
    return [series.size] if isinstance(series.size, int | float) else series.size
