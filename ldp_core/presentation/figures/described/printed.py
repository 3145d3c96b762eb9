"""A described chart for print."""

from collections.abc import Iterable
from dataclasses import replace
from textwrap import fill
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from ldp_core.presentation.figures._parts import DOT, OUTLINE
from ldp_core.presentation.figures._styles import COIN, MAP_SCALE, NEUTRAL
from ldp_core.presentation.figures._words import in_two_lines
from ldp_core.presentation.figures.described import TICK, Axis, Chart, Field, Series

COLUMN, PAGE = 3.3, 6.85
"""Width of one column of print and of two, in inches: figures are drawn at the size at which they are printed."""
_MARKERS = {
    "circle": "o",
    "pentagon": "p",
    "square": "s",
    "triangle-down": "v",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-right": ">",
    "star": "*",
    "x": "X",
    "cross": "P",
}
_LEGEND: dict[str, Any] = {
    "frameon": False,
    "fontsize": 7,
    "handlelength": 1.9,
    "handletextpad": 0.5,
    "columnspacing": 1.3,
    "labelspacing": 0.35,
    "borderaxespad": 0.2,
}
_MOST_COLUMNS = 4
Key = Line2D | Patch | tuple[Patch, Line2D]


def sheet(width: float, height: float) -> Figure:
    """Return an empty figure, sizes in inches; ``below`` adds the height of the legend."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)  # measures texts
    return figure


def framed(axes: Any) -> Axes:
    """Give a panel our frame: two spines, a faint grid, small letters."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#808080", alpha=0.2, linewidth=0.5)
    axes.set_axisbelow(True)
    panel: Axes = axes
    return panel


def key(label: str = "", **style: Any) -> Line2D:
    """Return a legend's handle that stands for marks of several colours; in grey unless a colour is given."""
    return Line2D([], [], **({"color": NEUTRAL, "linestyle": "", "label": label} | style))


def below(figure: Figure, keys: Iterable[Key] = ()) -> None:
    """Show a legend of everything drawn below the figure, which grows by its height.

    ``figure``: with all its marks; ``keys``: handles in place of those of the first mark with their label, in this
    order after all others; those whose label no mark has are left out.
    """
    handles, names = entries(figure, keys)
    for rows in range(1, len(names) + 1):
        columns = -(-len(names) // rows)
        labels = [_folded(name, 32 if columns > 1 else 56) for name in names]
        if columns > _MOST_COLUMNS:
            continue
        legend = figure.legend(handles=handles, labels=labels, loc="outside lower center", ncols=columns, **_LEGEND)
        extent = legend.get_window_extent()
        if columns == 1 or extent.width < 0.97 * figure.bbox.width:
            figure.set_figheight(figure.get_figheight() + extent.height / figure.dpi)
            return
        legend.remove()


def inside(figure: Figure, axes: Axes, keys: Iterable[Key]) -> None:
    """Show a legend of everything drawn in a cell that has no panel."""
    handles, labels = entries(figure, keys)
    axes.set_axis_off()
    axes.legend(handles, [_folded(label, 18) for label in labels], loc="center", **_LEGEND)


def entries(figure: Figure, keys: Iterable[Key]) -> tuple[list[Key], list[str]]:
    """Return the handles and labels of a legend that names everything drawn once."""
    drawn: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            drawn.setdefault(label, handle)
    given = {str((item[0] if isinstance(item, tuple) else item).get_label()): item for item in keys}
    ordered = [name for name in drawn if name not in given] + [name for name in given if name in drawn]
    return [given.get(name, drawn[name]) for name in ordered], ordered


def _folded(label: str, width: int) -> str:
    """Break a label in lines of at most so many letters, but not within a value."""
    return fill(label.replace(" = ", "\u00a0=\u00a0"), width, break_long_words=False, break_on_hyphens=False).replace(
        "\u00a0=\u00a0", " = "
    )


_POINTS = 0.5
"""Widths and sizes for print, in points, of one pixel on screen."""
_DASHES = {"": "", "line": "-", "dash": "--", "dot": ":", "dashdot": "-."}
_LINES: dict[str, dict[str, Any]] = {
    "promise": {"color": "black", "linestyle": "--", "linewidth": 1},
    "coin": {"color": COIN, "linestyle": ":", "linewidth": 1.2},
}
_CONTOUR: dict[str, Any] = {"color": OUTLINE, "linewidth": 0.6}
_SIZES = {"star": 1.27, "diamond": 0.82}
"""By how much a marker is to be larger than others, to look as large."""


def drawn(chart: Chart) -> Figure:
    """Draw a chart, one column wide; small ones as wide as they need, with the legend in a cell that none has."""
    if chart.panels:
        return _panels(chart)
    figure = sheet(COLUMN, chart.inches)
    axes = framed(figure.subplots())
    if chart.field:
        _field(axes, chart.field)
    for series in chart.series:
        _intervals(axes, series)
        _draw(
            axes, series, clip_on=chart.clip or not len(series.x)
        )  # an empty line that is not cut takes room at (0, 0)
    for place, axis in (("x", chart.below), ("y", chart.beside)):
        _set(axes, place, axis)
    if chart.square:
        axes.set_aspect("equal")
    fields = [key(chart.field.name, linestyle="-", **_CONTOUR)] if chart.field else []
    below(figure, [*(_key(series) for series in chart.legend()), *fields])
    return figure


def _panels(chart: Chart) -> Figure:
    titles = [in_two_lines(title) for title in chart.panels]
    columns = columns_of(len(titles))
    lines = -(-len(titles) // columns)
    height = (chart.inches + 0.12 * any("\n" in title for title in titles)) * lines + 0.15
    figure = sheet(PAGE if columns > 2 else COLUMN, height)
    grid: Any = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    cells = list(grid.flat)
    for name, title, axes in zip(chart.panels, titles, cells, strict=False):
        framed(axes).set_title(title)
        axes.tick_params(labelbottom=True)
        for series in chart.series:
            if series.panel == name:
                _draw(axes, series, clip_on=chart.clip)
        axes.set(xlim=chart.below.span, ylim=chart.beside.span)
        axes.locator_params(nbins=5, steps=[1, 2, 5, 10])
    for axes in cells[max(0, len(titles) - columns) : len(titles)]:  # one across all would lie on the legend
        axes.set_xlabel(chart.below.title)
    figure.supylabel(chart.beside.title, fontsize=8)
    keys, spare = [_key(series) for series in chart.legend()], cells[len(titles) :]
    for axes in spare[:-1]:
        axes.remove()
    if spare:
        inside(figure, spare[-1], keys)
    else:
        below(figure, keys)
    return figure


def columns_of(panels: int) -> int:
    """Return how many panels stand in a row: those that leave the fewest cells without one.

    >>> [columns_of(panels) for panels in range(1, 10)]
    [1, 2, 3, 4, 3, 3, 4, 4, 3]
    """
    return panels if panels < 5 else min((4, 3), key=lambda columns: -panels % columns)


def _intervals(axes: Axes, series: Series) -> None:
    bars: dict[str, Any] = {"color": series.colour, "linewidth": 0.8, "label": series.name}
    for y, (low, high) in zip(series.y, series.x_ends, strict=bool(series.x_ends)):
        axes.plot([low, high], [y, y], **bars)
    for x, (low, high) in zip(series.x, series.y_ends, strict=bool(series.y_ends)):
        axes.plot([x, x], [low, high], **bars)


def _draw(axes: Axes, series: Series, **more: Any) -> None:
    if series.fill:
        axes.fill(series.x, series.y, **_area(series))
    if not isinstance(series.size, int | float):
        for x, y, size in zip(series.x, series.y, series.size, strict=True):
            axes.plot([x], [y], **_style(replace(series, size=size)), **more)
    elif series.stroke or series.symbol:
        axes.plot(series.x, series.y, **_style(series), **more)


def _field(axes: Axes, field: Field) -> None:
    top, colours = max(map(max, field.z)), LinearSegmentedColormap.from_list("map", list(MAP_SCALE))
    least, levels = min(map(min, field.z)), field.levels()
    axes.contourf(field.x, field.y, field.z, [least, *levels, top], cmap=colours)
    style = {"colors": _CONTOUR["color"], "linewidths": _CONTOUR["linewidth"]}
    axes.clabel(axes.contour(field.x, field.y, field.z, levels, **style), fontsize=6, fmt="%g")
    axes.plot([], [], label=field.name, **_CONTOUR)  # stands for the lines, which have no entry of their own


def _key(series: Series) -> Key:
    """Return what stands for a series in the legend: an area, a line with or without a marker, or both."""
    mark = key(**_style(series))
    if not series.fill:
        return mark
    return (Patch(**_area(series)), mark) if series.stroke or series.symbol else Patch(**_area(series))


def _area(series: Series) -> dict[str, Any]:
    return {"facecolor": series.colour, "alpha": series.fill, "linewidth": 0, "label": series.name}


def _style(series: Series) -> dict[str, Any]:
    plain = {"color": series.colour, "alpha": series.opacity, "solid_capstyle": "butt"}
    style = _LINES.get(series.stroke, plain | {"linestyle": _DASHES.get(series.stroke, "")}) | {"label": series.name}
    if series.stroke and series.stroke not in _LINES:
        style["linewidth"] = _POINTS * series.width
    return style | (_mark(series) if series.symbol else {})


def _mark(series: Series) -> dict[str, Any]:
    """Return the style of a marker: hollow, or filled with a thin outline, which dots lack."""
    assert isinstance(series.size, int | float), "markers of several sizes are drawn one by one"
    size = _POINTS * series.size
    if series.symbol == TICK:
        return {"marker": "|", "markersize": size, "markeredgewidth": 1.2}
    symbol = series.symbol.removesuffix("-open")
    style = {"marker": _MARKERS[symbol], "markersize": size * _SIZES.get(symbol, 1.0)}
    if symbol != series.symbol:
        inside = "none" if series.colour == OUTLINE else "white"  # those in grey lie on a filled one
        return style | {"markerfacecolor": inside, "markeredgecolor": series.colour, "markeredgewidth": 1.1}
    return style | ({} if series.size == DOT else {"markeredgecolor": "#404040", "markeredgewidth": 0.4})


def _set(axes: Axes, place: str, axis: Axis) -> None:
    plot_axis = axes.xaxis if place == "x" else axes.yaxis
    if axis.log:
        axes.set(**{f"{place}scale": "log"})
    if axis.ticks:
        values, texts = zip(*axis.ticks, strict=True)
        axes.set(**{f"{place}ticks": values, f"{place}ticklabels": texts})
        plot_axis.set_minor_locator(NullLocator())
    elif axis.log:
        plot_axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        plot_axis.set_major_formatter("{x:g}")
        plot_axis.set_minor_locator(NullLocator())
    else:
        plot_axis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    if axis.span is not None:
        axes.set(**{f"{place}lim": axis.span})
    if axis.reverse:
        plot_axis.set_inverted(True)
    axes.set(**{f"{place}label": axis.title})
