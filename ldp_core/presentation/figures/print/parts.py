"""What every chart for print is made of: sheet, frame, markers, legend.

Every artist that shows data has the label of its entry in the legend; entries that stand for several colours have a
grey handle of their own. ``tests/presentation/test_figures_paper.py`` holds every chart to it.
"""

from collections.abc import Iterable
from textwrap import fill
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ldp_core.presentation.figures._styles import COIN, NEUTRAL

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
    found: Axes = axes
    return found


def shape(symbol: str) -> str:
    """Return matplotlib's marker for plotly's symbol."""
    return _MARKERS[symbol]


def dashed(label: str) -> dict[str, Any]:
    """Return the style of a promise."""
    return {"color": "black", "linestyle": "--", "linewidth": 1, "label": label}


def dotted(label: str) -> dict[str, Any]:
    """Return the style of a coin's line."""
    return {"color": COIN, "linestyle": ":", "linewidth": 1.2, "label": label}


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
    given = {_label(item): item for item in keys}
    ordered = [name for name in drawn if name not in given] + [name for name in given if name in drawn]
    return [given.get(name, drawn[name]) for name in ordered], ordered


def _folded(label: str, width: int) -> str:
    """Break a label in lines of at most so many letters, but not within a value."""
    return fill(label.replace(" = ", "\u00a0=\u00a0"), width, break_long_words=False, break_on_hyphens=False).replace(
        "\u00a0=\u00a0", " = "
    )


def _label(item: Key) -> str:
    return str((item[0] if isinstance(item, tuple) else item).get_label())
