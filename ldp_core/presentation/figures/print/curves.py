"""Empirical against promised epsilon for print, a panel for each attack.

Drawn here and in ``comparison`` apart, since panels are laid out for a phone there and for a sheet here, with the
legend in the cell that no attack needs: a description of panels would serve this chart alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ldp_core.presentation.figures._styles import NEUTRAL, attack_style
from ldp_core.presentation.figures._words import attack_name, in_two_lines
from ldp_core.presentation.figures.print.parts import (
    COLUMN,
    PAGE,
    below,
    dashed,
    framed,
    inside,
    key,
    keys_of_tests,
    mark,
    sheet,
)
from ldp_core.presentation.tables import Row

Words = Mapping[str, str]


def curves(curve_rows: Sequence[Sequence[Row]], words: Words) -> Figure:
    """Draw ``figures.curves_figure`` for print; the legend stands in the cell that no attack needs, or below."""
    rows = [row for curve in curve_rows for row in curve]
    names = list(dict.fromkeys(row.attack for row in rows))
    columns = columns_of(len(names))
    lines = -(-len(names) // columns)
    titles = [in_two_lines(attack_name(words, attack)) for attack in names]
    height = (1.75 + 0.12 * any("\n" in title for title in titles)) * lines + 0.15
    figure = sheet(PAGE if columns > 2 else COLUMN, height)
    grid: Any = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    top = 1.08 * max(max(row.epsilon, row.lower, row.point or 0.0) for row in rows)
    low = min(0.0, *(row.point or 0.0 for row in rows), 0.0) - 0.04 * top
    for attack, title, axes in zip(names, titles, grid.flat, strict=False):
        framed(axes).set_title(title)
        axes.tick_params(labelbottom=True)
        axes.plot([0, top], [0, top], **dashed(words["diagonal"]))
        for curve in curve_rows:
            if curve and curve[0].attack == attack:
                _curve(axes, curve, top, words)
        axes.set(xlim=(0, top), ylim=(low, top))
        axes.locator_params(nbins=5, steps=[1, 2, 5, 10])
    for axes in list(grid.flat)[max(0, len(names) - columns) : len(names)]:  # one across all would lie on the legend
        axes.set_xlabel(words["claimed_axis"])
    figure.supylabel(words["shown"], fontsize=8)
    arrow: dict[str, Any] = {"marker": "^", "markersize": 3.5, "linestyle": ":", "linewidth": 0.7}
    keys = [
        *keys_of_tests(words, linestyle="-", linewidth=1.2),
        key(words["estimate"], marker="o", markersize=2.5),
        key(words["infinite"], **arrow),
        key(words["predicted"], linestyle="-", linewidth=1.5),
        key(**dashed(words["diagonal"])),
    ]
    spare = list(grid.flat)[len(names) :]
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


def _curve(axes: Axes, curve: Sequence[Row], top: float, words: Words) -> None:
    law = [(row.epsilon, row.expected_epsilon) for row in curve if row.expected_epsilon is not None]
    if law:
        x, y = [0.0, *(x for x, _ in law)], [0.0, *(y for _, y in law)]
        axes.plot(x, y, color=NEUTRAL, linewidth=1.5, label=words["predicted"])
    colour, dots = attack_style(curve[0].attack)[0], [row for row in curve if row.point is not None]
    if dots:
        x, y = [row.epsilon for row in dots], [row.point or 0.0 for row in dots]
        axes.plot(x, y, marker="o", markersize=2.5, color=colour, linestyle="", label=words["estimate"])
    for row in curve:
        if row.point_infinite:
            style: dict[str, Any] = {
                "linestyle": ":",
                "linewidth": 0.7,
                "marker": "^",
                "markersize": 3.5,
                "markevery": [1],
            }
            ends = [row.lower, top]
            axes.plot([row.epsilon] * 2, ends, color=colour, clip_on=False, **style, label=words["infinite"])
    style = mark(curve[0].attack, curve[0].test) | {"linestyle": "-" if curve[0].test == "white" else ":"}
    label = words[curve[0].test]
    axes.plot([row.epsilon for row in curve], [row.lower for row in curve], **style, linewidth=1.2, label=label)
