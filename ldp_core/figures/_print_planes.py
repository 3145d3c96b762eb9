"""Maps and curves for print: pairs by angle and norm, the trade-off of the errors, accuracy by round."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ldp_core.figures._print_parts import COLUMN, below, dashed, dotted, framed, key, mark, shape, sheet
from ldp_core.figures._styles import EPSILON_MARKERS, MAP_SCALE, WRONG, attack_style
from ldp_core.figures._words import attack_name
from ldp_core.figures.mapping import map_grid, map_step, marker_sizes
from ldp_core.figures.tradeoffs import band_outline, shown_region
from ldp_core.figures.utility import UtilityCurves, curve_name, epsilon_colours
from ldp_core.tables import PairPoint, Tradeoff

Words = Mapping[str, str]
_FADED: dict[str, Any] = {"color": "#808080", "alpha": 0.18, "linewidth": 0}


def pairs(
    epsilon: float,
    clip_norm: float,
    points: Sequence[PairPoint],
    words: Words,
    trail: Sequence[Sequence[PairPoint]] = (),
) -> Figure:
    """Draw ``figures.map_figure`` for print."""
    figure = sheet(COLUMN, 2.75)
    axes = framed(figure.subplots())
    angles, lengths, shares_ = map_grid(epsilon)
    heights, step = [length * clip_norm for length in lengths], map_step(epsilon)
    levels = [50 + step * number for number in range(1, 12) if 50 + step * number < shares_[-1][-1]]
    colours = LinearSegmentedColormap.from_list("map", list(MAP_SCALE))
    axes.contourf(angles, heights, shares_, [50.0, *levels, shares_[-1][-1]], cmap=colours)
    grey: dict[str, Any] = {"color": "#5f6670", "linewidth": 0.6}
    lines = axes.contour(angles, heights, shares_, levels, colors=grey["color"], linewidths=grey["linewidth"])
    axes.clabel(lines, fontsize=6, fmt=lambda value: f"{value:g}")
    shares_label = words["map_title"].format(epsilon=epsilon)
    axes.plot([], [], **grey, label=shares_label)  # stands for the contour lines, which have no label of their own
    for age, earlier in enumerate(trail):
        _pairs(axes, earlier, epsilon, clip_norm, words, 0.15 + 0.35 * (age + 1) / len(trail), words["earlier"])
    _pairs(axes, points, epsilon, clip_norm, words, 1.0)
    axes.set(xlabel=words["angle_axis"], ylabel=words["mean_norm_axis"])
    axes.set(xlim=(0, 188), ylim=(0, 1.06 * clip_norm), xticks=(0, 45, 90, 135, 180))
    axes.locator_params(axis="y", nbins=6)
    names = dict.fromkeys(point.attack for point in points if point.epsilon == epsilon)
    keys = [key(attack_name(words, attack), **mark(attack, "white")) for attack in names]
    faded = key(words["earlier"], marker="o", markersize=5.5, alpha=0.4)
    below(figure, [*keys, faded, key(shares_label, **(grey | {"linestyle": "-"}))])
    return figure


def tradeoff(cells: Sequence[Tradeoff], words: Words) -> Figure:
    """Draw ``figures.tradeoff_figure`` for print: measured rates with their bands, and the guesses really made."""
    figure = sheet(COLUMN, 3.0)
    axes = framed(figure.subplots())
    epsilon, keys = cells[0].epsilon, []
    allowed, coin = words["allowed"].format(epsilon=epsilon), words["coin"].partition(":")[0]
    axes.fill(*([100 * corner[side] for corner in shown_region(cells)] for side in (0, 1)), **_FADED, label=allowed)
    edge = cells[0].region[: len(cells[0].region) // 2 + 1]
    axes.plot(*([100 * corner[side] for corner in edge] for side in (0, 1)), **dashed(allowed))
    axes.plot([0, 100], [100, 0], **dotted(coin))
    named = len({cell.rule for cell in cells}) > 1
    for number, cell in enumerate(cells):
        label = attack_name(words, cell.attack) + (f" ({cell.rule})" if named else "")
        style, outline = mark(cell.attack, cell.test), band_outline(cell)
        _band(axes, cell, label, number / len(cells))
        axes.plot(*outline, color=style["color"], linewidth=0.4, alpha=0.6, label=label)
        if cell.leaves:
            axes.plot(*outline, color=WRONG, linewidth=1.2, label=words["outside"])
        if cell.own is not None:
            own = style | {"markersize": 1.3 * style["markersize"]}
            axes.plot([100 * cell.own[0]], [100 * cell.own[1]], **own, label=words["own"])
        keys.append(key(label, **(style | {"linestyle": "-", "linewidth": 1})))
    large: dict[str, Any] = {"marker": "o", "markersize": 7.5, "markeredgecolor": "#404040", "markeredgewidth": 0.4}
    keys.append(key(words["own"], **(large | ({} if cells[0].test == "white" else {"markerfacecolor": "white"}))))
    keys.append(key(words["outside"], color=WRONG, linestyle="-", linewidth=1.2))
    region = (Patch(label=allowed, **_FADED), key(**dashed(allowed)))
    axes.set(xlabel=words["positive_axis"], ylabel=words["negative_axis"])
    axes.set(aspect="equal", xlim=(-3, 103), ylim=(-3, 103))
    below(figure, [*keys, region, key(**dotted(coin))])
    return figure


def utility(lines: UtilityCurves, words: Words) -> Figure:
    """Draw ``figures.utility_figure`` for print; an epsilon has a marker of its own."""
    figure = sheet(COLUMN, 2.2)
    axes = framed(figure.subplots())
    last = max(len(values) - 1 for _, values in lines)
    epsilons = sorted({epsilon for epsilon, _ in lines if epsilon is not None})
    step = max(1, -(-last // 8))
    for (epsilon, values), colour in zip(lines, epsilon_colours(lines), strict=True):
        style: dict[str, Any] = {"color": colour, "linewidth": 1.2, "linestyle": "--"}
        if epsilon is not None:
            symbol = shape(EPSILON_MARKERS[epsilons.index(epsilon) % len(EPSILON_MARKERS)])
            style |= {"linestyle": "-", "marker": symbol, "markersize": 4, "clip_on": False}
            style |= {"markevery": slice(last % step, None, step)}  # the last round is among them
        axes.plot(range(len(values)), [100 * value for value in values], **style, label=curve_name(epsilon, words))
    axes.set(xlabel=words["round_axis"], ylabel=words["accuracy_axis"], xlim=(0, last or 1), ylim=(0, 102))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    below(figure)
    return figure


def _band(axes: Axes, cell: Tradeoff, label: str, share: float) -> None:
    """Draw a cell's rates at every threshold with their band; small marks tell the line from others without colour."""
    colour, symbol = attack_style(cell.attack)
    axes.fill(*band_outline(cell), facecolor=colour, alpha=0.12, linewidth=0, label=label)
    x, y = ([100 * rate.point for rate in rates] for rates in (cell.false_positives, cell.false_negatives))
    apart = max(1, len(x) // 4)
    style: dict[str, Any] = {"linewidth": 0.9, "marker": shape(symbol), "markersize": 3, "color": colour}
    every: dict[str, Any] = {"markevery": slice(int(share * apart), None, apart)}
    hollow: dict[str, Any] = {} if cell.test == "white" else {"markerfacecolor": "white"}
    axes.plot(x, y, **style, **every, **hollow, label=label)


def _pairs(
    axes: Axes,
    points: Sequence[PairPoint],
    epsilon: float,
    clip_norm: float,
    words: Words,
    alpha: float,
    label: str = "",
) -> None:
    """Draw pairs, larger below a later attack's at the same place; ``label`` in place of the attacks' names."""
    groups: dict[str, list[PairPoint]] = {}
    for point in points:
        if point.epsilon == epsilon:
            groups.setdefault(point.attack, []).append(point)
    for attack, group in groups.items():
        style = mark(attack, "white") | {"alpha": alpha, "clip_on": False, "label": label or attack_name(words, attack)}
        for point, size in zip(group, marker_sizes(attack, groups), strict=True):
            larger = {"markersize": style["markersize"] * size / 11.0}
            axes.plot([point.angle], [point.norm * clip_norm], **(style | larger))
