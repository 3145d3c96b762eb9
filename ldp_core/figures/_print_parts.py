"""What every chart for print is made of: sheet, frame, markers, legend."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ldp_core.figures._styles import NEUTRAL, attack_style

COLUMN = 3.5
"""Width of a column of print, in inches."""
_MARKERS = {
    "circle": "o",
    "pentagon": "p",
    "square": "s",
    "triangle-down": "v",
    "diamond": "D",
    "triangle-up": "^",
    "star": "*",
    "x": "X",
}


def sheet(width: float, height: float) -> Figure:
    """Return an empty figure, sizes in inches."""
    return Figure(figsize=(width, height), layout="constrained")


def framed(axes: Any) -> Axes:
    """Give a panel our frame: two spines, a faint grid, small letters."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#808080", alpha=0.2, linewidth=0.5)
    axes.set_axisbelow(True)
    found: Axes = axes
    return found


def mark(attack: str, test: str) -> dict[str, Any]:
    """Return the style of an attack's markers: filled for the white box, hollow for the black."""
    colour, symbol = attack_style(attack)
    size = {"star": 7.0, "diamond": 4.5}.get(symbol, 5.5)
    filled = {"markerfacecolor": colour, "markeredgecolor": "#404040", "markeredgewidth": 0.4}
    hollow = {"markerfacecolor": "white", "markeredgecolor": colour, "markeredgewidth": 1.1}
    style = {"marker": _MARKERS[symbol], "markersize": size, "linestyle": "", "color": colour, "zorder": 3}
    return style | (filled if test == "white" else hollow)


def tick() -> dict[str, Any]:
    """Return the style of what the exact law predicts."""
    return {"marker": "|", "markersize": 12, "color": NEUTRAL, "linestyle": "", "markeredgewidth": 1.2}


def below(figure: Figure, axes: Axes) -> None:
    """Show the panel's legend below the figure."""
    handles, labels = axes.get_legend_handles_labels()
    columns = 4 if figure.get_figwidth() >= 2 * COLUMN else 1 if max(map(len, labels)) > 32 else 2
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False, fontsize=7)
