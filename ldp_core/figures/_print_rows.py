"""Rows and tables for print, drawn by matplotlib from the arrays of ``ldp_core.tables``.

Objects only, no pyplot: nothing here changes a global setting. Hollow markers mean black box, as on screen.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ldp_core.figures._print_parts import COLUMN, below, framed, mark, sheet, tick
from ldp_core.figures._styles import COIN, NEUTRAL, attack_style, shelf
from ldp_core.figures._words import attack_name, dataset_name, group_name
from ldp_core.tables import ClientsRow, NormEffect, PublishedRow, Row

Words = Mapping[str, str]


def attacks(rows: Sequence[Row], words: Words) -> Figure:
    """Draw ``figures.attacks_figure`` for print."""
    figure, axes, places = _list([row.attack for row in rows], lambda name: attack_name(words, name))
    axes.axvline(rows[0].epsilon, color="black", linestyle="--", linewidth=1)
    for row in rows:
        y, colour = places[row.attack] + shelf(row, rows), attack_style(row.attack)[0]
        if row.expected_epsilon is not None:
            axes.plot([row.expected_epsilon], [y], **tick())
        if row.point is not None:
            axes.plot([row.lower, row.point], [y, y], color=colour, linewidth=1.2)
            axes.plot([row.point], [y], marker="o", markersize=2.5, color=colour, linestyle="")
        axes.plot([row.lower], [y], **mark(row.attack, row.test))
    axes.set_xlabel(words["shown"])
    _legend(figure, axes, rows, words, points=True, law=any(row.expected_epsilon is not None for row in rows))
    return figure


def shares(rows: Sequence[Row], words: Words) -> Figure:
    """Draw ``figures.shares_figure`` for print."""
    figure, axes, places = _list([row.attack for row in rows], lambda name: attack_name(words, name))
    axes.axvline(50, color=COIN, linestyle=":", linewidth=1)
    axes.axvline(100 * rows[0].promise, color="black", linestyle="--", linewidth=1)
    for row in rows:
        y, share = places[row.attack] + shelf(row, rows), row.identification
        if row.expected is not None:
            axes.plot([100 * row.expected], [y], **tick())
        axes.plot([100 * share.lower, 100 * share.upper], [y, y], color=attack_style(row.attack)[0], linewidth=2)
        axes.plot([100 * share.point], [y], **mark(row.attack, row.test))
    axes.set_xlabel(words["share_axis"])
    _legend(figure, axes, rows, words, points=False, law=any(row.expected is not None for row in rows))
    return figure


def curves(curve_rows: Sequence[Sequence[Row]], words: Words) -> Figure:
    """Draw ``figures.curves_figure`` for print, three panels in a row."""
    rows = [row for curve in curve_rows for row in curve]
    names = list(dict.fromkeys(row.attack for row in rows))
    columns = min(3, len(names))
    lines = -(-len(names) // columns)
    figure = sheet(2 * COLUMN, 1.75 * lines + 0.8)
    grid: Any = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    top = 1.08 * max(max(row.epsilon, row.lower, row.point or 0.0) for row in rows)
    for axes in list(grid.flat)[len(names) :]:
        axes.set_axis_off()
    for number, attack in enumerate(names):
        axes = grid.flat[number]
        framed(axes)
        axes.set_title(attack_name(words, attack))
        axes.plot([0, top], [0, top], color="black", linestyle="--", linewidth=1)
        for curve in curve_rows:
            if curve and curve[0].attack == attack:
                _curve(axes, curve)
        axes.set(xlim=(0, top))
        if number + columns >= len(names):
            axes.tick_params(labelbottom=True)
            axes.set_xlabel(words["claimed_axis"])
    figure.supylabel(words["shown"], fontsize=8)
    _legend(figure, grid.flat[0], rows, words, points=True, law=False)
    return figure


def norms(effect: NormEffect, words: Words) -> Figure:
    """Draw ``figures.norms_figure`` for print."""
    figure = sheet(COLUMN, 2.9)
    axes = framed(figure.subplots())
    axes.axhline(50, color=COIN, linestyle=":", linewidth=1)
    axes.axhline(100 * effect.law[-1], color="black", linestyle="--", linewidth=1)
    axes.plot(effect.norms, [100 * share for share in effect.law], color=NEUTRAL, linewidth=1.5, label=words["law"])
    for attack in dict.fromkeys(point.attack for point in effect.points):
        points = [point for point in effect.points if point.attack == attack]
        for point in points:
            ends = [100 * point.share.lower, 100 * point.share.upper]
            axes.plot([point.norm] * 2, ends, color=attack_style(attack)[0], linewidth=2)
        values = [100 * point.share.point for point in points]
        style = mark(attack, "white") | {"label": attack_name(words, attack)}
        axes.plot([point.norm for point in points], values, **style)
    axes.set(xlabel=words["norm_axis"], ylabel=words["share_axis"])
    below(figure, axes)
    return figure


def datasets(rows: Sequence[Row], words: Words) -> Figure:
    """Draw ``figures.datasets_figure`` for print."""
    names = list(dict.fromkeys(row.attack for row in rows))
    figure, axes, places = _list([row.dataset for row in rows], lambda name: dataset_name(words, name), 0.75)
    axes.axvline(rows[0].epsilon, color="black", linestyle="--", linewidth=1)
    step = 0.8 / len(names)
    for row in rows:
        y, colour = places[row.dataset] - 0.4 + step * (names.index(row.attack) + 0.5), attack_style(row.attack)[0]
        if row.point is not None:
            axes.plot([row.lower, row.point], [y, y], color=colour, linewidth=1.2)
            axes.plot([row.point], [y], marker="o", markersize=2.5, color=colour, linestyle="")
        label = attack_name(words, row.attack) if row.dataset == rows[0].dataset else None
        axes.plot([row.lower], [y], **(mark(row.attack, row.test) | {"label": label}))
    axes.set_xlabel(words["shown"])
    below(figure, axes)
    return figure


def clients(rows: Sequence[ClientsRow], words: Words) -> Figure:
    """Draw ``figures.clients_figure`` for print; the rows must be of one epsilon."""
    groups: dict[tuple[str, str, float], list[Row]] = {}
    for item in rows:
        groups.setdefault((item.row.attack, item.row.rule, item.row.strength), []).append(item.row)
    figure = sheet(COLUMN, 2.4 + 0.16 * len(groups))
    axes = framed(figure.subplots())
    axes.axhline(50, color=COIN, linestyle=":", linewidth=1)
    for (attack, rule, strength), group in groups.items():
        x, shares_ = [row.clients for row in group], [row.identification for row in group]
        for place, share in zip(x, shares_, strict=True):
            ends = [100 * share.lower, 100 * share.upper]
            axes.plot([place] * 2, ends, color=attack_style(attack)[0], linewidth=2)
        label = group_name(words, attack, rule, strength)
        style = mark(attack, "black") | {"linestyle": ":", "label": label}
        axes.plot(x, [100 * share.point for share in shares_], **style)
    counts = sorted({item.row.clients for item in rows})
    axes.set_xscale("log")
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.minorticks_off()
    axes.set(xlabel=words["clients_axis"], ylabel=words["share_axis"])
    below(figure, axes)
    return figure


def published(rows: Sequence[PublishedRow], words: Words) -> Figure:
    """Draw ``figures.published_figure`` for print."""
    figure = sheet(COLUMN, 0.16 * len(rows) + 0.9)
    axes = framed(figure.subplots())
    axes.axvline(0, color=NEUTRAL, linewidth=0.8)
    for place, item in enumerate(rows):
        axes.plot([-item.error, item.error], [place, place], color=NEUTRAL, linewidth=4, alpha=0.4)
        axes.plot([item.difference], [place], **mark(item.row.attack, "white" if item.explained else "black"))
    names = [words["row"].format(attack=attack_name(words, item.row.attack), epsilon=item.row.epsilon) for item in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.set(ylim=(len(rows) - 0.4, -0.6), xlabel=words["difference_axis"])
    for fill, name in ((NEUTRAL, "sampling"), ("white", "unexplained")):
        axes.plot([], [], marker="o", linestyle="", markerfacecolor=fill, color=NEUTRAL, label=words[name])
    below(figure, axes)
    return figure


def _list(names: Sequence[str], title: Callable[[str], str], each: float = 0.34) -> tuple[Figure, Axes, dict[str, int]]:
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    figure = sheet(COLUMN, each * len(places) + 1.3)
    axes = framed(figure.subplots())
    axes.set_yticks(list(places.values()), [title(name) for name in places])
    axes.set_ylim(len(places) - 0.45, -0.55)
    return figure, axes, places


def _curve(axes: Axes, curve: Sequence[Row]) -> None:
    law = [(row.epsilon, row.expected_epsilon) for row in curve if row.expected_epsilon is not None]
    if law:
        axes.plot([0.0, *(x for x, _ in law)], [0.0, *(y for _, y in law)], color=NEUTRAL, linewidth=1.5)
    points = [(row.epsilon, row.point) for row in curve if row.point is not None]
    colour = attack_style(curve[0].attack)[0]
    axes.plot([x for x, _ in points], [y for _, y in points], marker="o", markersize=2.5, color=colour, linestyle="")
    style = mark(curve[0].attack, curve[0].test) | {"linestyle": "-" if curve[0].test == "white" else ":"}
    axes.plot([row.epsilon for row in curve], [row.lower for row in curve], **(style | {"linewidth": 1.2}))


def _legend(figure: Figure, axes: Axes, rows: Sequence[Row], words: Words, *, points: bool, law: bool) -> None:
    for test, fill in (("white", NEUTRAL), ("black", "white")):
        if any(row.test == test for row in rows):
            axes.plot([], [], marker="o", linestyle="", markerfacecolor=fill, color=NEUTRAL, label=words[test])
    if points:
        axes.plot([], [], marker="o", markersize=2.5, linestyle="", color=NEUTRAL, label=words["estimate"])
    if law:
        axes.plot([], [], **tick(), label=words["predicted"])
    axes.plot([], [], color="black", linestyle="--", linewidth=1, label=words["promise"])
    below(figure, axes)
