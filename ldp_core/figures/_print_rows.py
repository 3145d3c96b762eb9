"""Lists and rows for print, drawn by matplotlib from the arrays of ``ldp_core.tables``.

Objects only, no pyplot: nothing here changes a global setting. Hollow markers mean black box, as on screen.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from ldp_core.adversaries import has_strength
from ldp_core.figures._print_parts import (
    COLUMN,
    below,
    dashed,
    distinct,
    dotted,
    framed,
    key,
    keys_of_tests,
    lines_of,
    mark,
    sheet,
    tick,
)
from ldp_core.figures._styles import NEUTRAL, attack_style, shelf
from ldp_core.figures._words import attack_name, dataset_name
from ldp_core.figures.details import norm_places
from ldp_core.tables import ClientsRow, NormEffect, PublishedRow, Row

Words = Mapping[str, str]


def attacks(rows: Sequence[Row], words: Words) -> Figure:
    """Draw ``figures.attacks_figure`` for print."""
    figure, axes, places = _list([row.attack for row in rows], lambda name: attack_name(words, name))
    axes.axvline(rows[0].epsilon, **dashed(words["promise_epsilon"].format(epsilon=rows[0].epsilon)))
    top = _epsilon_axis(axes, rows, words)
    for row in rows:
        y = places[row.attack] + shelf(row, rows)
        if row.expected_epsilon is not None:
            axes.plot([row.expected_epsilon], [y], **tick(), label=words["predicted"])
        _bound(axes, row, y, top, words, words[row.test])
    law = key(words["predicted"], **tick(8))
    promise = key(**dashed(words["promise_epsilon"].format(epsilon=rows[0].epsilon)))
    below(figure, [*keys_of_tests(words), *_estimate_keys(words), law, promise])
    return figure


def shares(rows: Sequence[Row], words: Words) -> Figure:
    """Draw ``figures.shares_figure`` for print."""
    figure, axes, places = _list([row.attack for row in rows], lambda name: attack_name(words, name))
    promise, coin = words["promise_at"].format(epsilon=rows[0].epsilon), words["coin"]
    axes.axvline(50, **dotted(coin))
    axes.axvline(100 * rows[0].promise, **dashed(promise))
    for row in rows:
        y, share = places[row.attack] + shelf(row, rows), row.identification
        if row.expected is not None:
            axes.plot([100 * row.expected], [y], **tick(), label=words["predicted"])
        ends = [100 * share.lower, 100 * share.upper]
        axes.plot(ends, [y, y], color=attack_style(row.attack)[0], linewidth=2, label=words["interval"])
        axes.plot([100 * share.point], [y], **mark(row.attack, row.test), label=words[row.test])
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel(words["share_axis"])
    interval, law = key(words["interval"], linestyle="-", linewidth=2), key(words["predicted"], **tick(8))
    below(figure, [*keys_of_tests(words), interval, law, key(**dashed(promise)), key(**dotted(coin))])
    return figure


def norms(effect: NormEffect, words: Words) -> Figure:
    """Draw ``figures.norms_figure`` for print."""
    figure, places = sheet(COLUMN, 2.5), norm_places(effect)
    axes, right = framed(figure.subplots()), max([1.0, *places.values()]) + 0.05
    coin, promise = words["coin"], words["promise_at"].format(epsilon=effect.epsilon)
    longer_style: dict[str, Any] = {"color": "#808080", "alpha": 0.15, "linewidth": 0}
    law = [100 * share for share in effect.law]
    axes.plot([0, right], [50, 50], **dotted(coin))
    axes.plot([0, right], [law[-1]] * 2, **dashed(promise))
    axes.plot([*effect.norms, right], [*law, law[-1]], color=NEUTRAL, linewidth=1.5, label=words["law"])
    if any(point.norm > 1.0 - 1e-6 for point in effect.points):
        axes.axvspan(1.0, right, **longer_style, label=words["as_long"])
    for attack in dict.fromkeys(point.attack for point in effect.points):
        points = [point for point in effect.points if point.attack == attack]
        for point in points:
            ends, x = [100 * point.share.lower, 100 * point.share.upper], places[point]
            axes.plot([x, x], ends, color=attack_style(attack)[0], linewidth=2, label=words["interval"])
        across, values = [places[point] for point in points], [100 * point.share.point for point in points]
        axes.plot(across, values, **mark(attack, "white"), label=attack_name(words, attack))
    axes.set(xlabel=words["norm_axis"], ylabel=words["share_axis"], xlim=(0, right), xticks=(0, 0.25, 0.5, 0.75, 1))
    axes.locator_params(axis="y", nbins=6)
    interval = key(words["interval"], linestyle="-", linewidth=2)
    lines = key(words["law"], linestyle="-", linewidth=1.5)
    longer = Patch(label=words["as_long"], **longer_style)
    below(figure, [interval, lines, key(**dashed(promise)), key(**dotted(coin)), longer])
    return figure


def datasets(rows: Sequence[Row], words: Words) -> Figure:
    """Draw ``figures.datasets_figure`` for print."""
    names = list(dict.fromkeys(row.attack for row in rows))
    each = max(0.34, 0.13 * len(names) + 0.1)
    figure, axes, places = _list([row.dataset for row in rows], lambda name: dataset_name(words, name), each)
    promise = dashed(words["promise_epsilon"].format(epsilon=rows[0].epsilon))
    axes.axvline(rows[0].epsilon, **promise)
    top, step = _epsilon_axis(axes, rows, words), 0.8 / len(names)
    for row in rows:
        y = places[row.dataset] - 0.4 + step * (names.index(row.attack) + 0.5)
        _bound(axes, row, y, top, words, attack_name(words, row.attack))
    below(figure, [*_estimate_keys(words), key(**promise)])
    return figure


def clients(rows: Sequence[ClientsRow], words: Words) -> Figure:
    """Draw ``figures.clients_figure`` for print; the rows must be of one epsilon. Rules differ by stroke."""
    groups: dict[tuple[str, str, float], list[Row]] = {}
    for item in rows:
        strength = item.row.strength if has_strength(item.row.attack) else 1.0
        groups.setdefault((item.row.attack, item.row.rule, strength), []).append(item.row)
    strokes = distinct([(rule, strength) for _, rule, strength in groups])
    figure = sheet(COLUMN, 2.5)
    axes = framed(figure.subplots())
    axes.axhline(50, **dotted(words["coin"]))
    for number, ((attack, rule, strength), group) in enumerate(groups.items()):
        shift = 0.88 + 0.24 * (number + 0.5) / len(groups)
        x, found = [row.clients * shift for row in group], [row.identification for row in group]
        colour, values = attack_style(attack)[0], [100 * share.point for share in found]
        for place, share in zip(x, found, strict=True):
            ends = [100 * share.lower, 100 * share.upper]
            axes.plot([place, place], ends, color=colour, linewidth=1.6, alpha=0.55, label=words["interval"])
        style = {"linestyle": strokes[rule, strength], "color": colour, "linewidth": 1}
        across, up = (x, values) if len(x) > 1 else ([0.93 * x[0], 1.07 * x[0]], values * 2)  # shows the stroke
        axes.plot(across, up, **style, label=_rule_name(rule, strength))
        axes.plot(x, values, **(mark(attack, "black") | {"markersize": 4.5}), label=attack_name(words, attack))
    counts = sorted({item.row.clients for item in rows})
    axes.set_xscale("log")
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.minorticks_off()
    axes.set(xlabel=words["clients_axis"], ylabel=words["share_axis"])
    lines = [key(_rule_name(*name), linestyle=stroke, linewidth=1) for name, stroke in strokes.items()]
    interval = key(words["interval"], linestyle="-", linewidth=1.6, alpha=0.55)
    below(figure, [*lines, interval, key(**dotted(words["coin"]))])
    return figure


def published(rows: Sequence[PublishedRow], words: Words) -> Figure:
    """Draw ``figures.published_figure`` for print."""
    figure = sheet(COLUMN, 0.16 * len(rows) + 0.6)
    axes = framed(figure.subplots())
    axes.axvline(0, color=NEUTRAL, linewidth=0.8, label=words["no_difference"])
    for place, item in enumerate(rows):
        ends = [-item.error, item.error]
        axes.plot(ends, [place, place], color=NEUTRAL, linewidth=4, alpha=0.4, label=words["chance"])
        style = mark(item.row.attack, "white" if item.explained else "black")
        axes.plot([item.difference], [place], **style, label=words["sampling" if item.explained else "unexplained"])
    names = [words["row"].format(attack=attack_name(words, item.row.attack), epsilon=item.row.epsilon) for item in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.set(ylim=(len(rows) - 0.4, -0.6), xlabel=words["difference_axis"])
    axes.locator_params(axis="x", nbins=6)
    round_mark = {"marker": "o", "markersize": 5.5}
    kinds = [key(words["sampling"], **round_mark), key(words["unexplained"], **round_mark, markerfacecolor="white")]
    band = key(words["chance"], linestyle="-", linewidth=4, alpha=0.4)
    below(figure, [*kinds, band, key(words["no_difference"], linestyle="-", linewidth=0.8)])
    return figure


def _list(names: Sequence[str], title: Callable[[str], str], each: float = 0.34) -> tuple[Figure, Axes, dict[str, int]]:
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    figure = sheet(COLUMN, each * len(places) + 0.6)
    axes = framed(figure.subplots())
    axes.set_yticks(list(places.values()), [lines_of(title(name)) for name in places])
    axes.set_ylim(len(places) - 0.45, -0.55)
    return figure, axes, places


def _epsilon_axis(axes: Axes, rows: Sequence[Row], words: Words) -> float:
    """Set the axis of what is shown of epsilon, which has 0 on it, and return its end."""
    top = 1.1 * max(rows[0].epsilon, *(max(row.lower, row.point or 0.0) for row in rows))
    bottom = min(0.0, *(row.point or 0.0 for row in rows))
    axes.set(xlim=(bottom - 0.04 * (top - bottom), top), xlabel=words["shown"])
    axes.locator_params(axis="x", nbins=6)
    return top


def _bound(axes: Axes, row: Row, y: float, top: float, words: Words, label: str) -> None:
    """Draw a row's bound, joined to its estimate, or to an arrow at the axis' end where one is infinite."""
    thin: dict[str, Any] = {"color": attack_style(row.attack)[0], "linewidth": 1.2, "markevery": [1]}
    if row.point is not None:
        axes.plot([row.lower, row.point], [y, y], **thin, marker="o", markersize=2.5, label=words["estimate"])
    if row.point_infinite:
        style = thin | {"linewidth": 0.7, "linestyle": ":", "marker": ">", "markersize": 3.5, "clip_on": False}
        axes.plot([row.lower, top], [y, y], **style, label=words["infinite"])
    axes.plot([row.lower], [y], **mark(row.attack, row.test), label=label)


def _estimate_keys(words: Words) -> list[Line2D]:
    dots = key(words["estimate"], linestyle="-", linewidth=1.2, marker="o", markersize=2.5)
    return [dots, key(words["infinite"], linestyle=":", linewidth=0.7, marker=">", markersize=3.5)]


def _rule_name(rule: str, strength: float) -> str:
    return rule if strength == 1.0 else f"{rule} ×{strength:g}"
