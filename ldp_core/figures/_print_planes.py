"""Maps and curves for print: pairs by angle and norm, the trade-off of the errors, accuracy by round."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ldp_core.figures._print_parts import COLUMN, below, framed, mark, sheet
from ldp_core.figures._styles import COIN, MAP_SCALE, WRONG, attack_style
from ldp_core.figures._words import attack_name
from ldp_core.figures.mapping import map_grid, map_step, marker_sizes
from ldp_core.figures.tradeoffs import band_outline
from ldp_core.figures.utility import UtilityCurves, curve_name, epsilon_colours, spread
from ldp_core.tables import PairPoint, Tradeoff

Words = Mapping[str, str]


def pairs(
    epsilon: float,
    clip_norm: float,
    points: Sequence[PairPoint],
    words: Words,
    trail: Sequence[Sequence[PairPoint]] = (),
) -> Figure:
    """Draw ``figures.map_figure`` for print."""
    figure = sheet(COLUMN, 3.6)
    axes = framed(figure.subplots())
    angles, lengths, shares_ = map_grid(epsilon)
    heights, step = [length * clip_norm for length in lengths], map_step(epsilon)
    levels = [50 + step * number for number in range(1, 12) if 50 + step * number < shares_[-1][-1]]
    colours = LinearSegmentedColormap.from_list("map", list(MAP_SCALE))
    axes.contourf(angles, heights, shares_, [50.0, *levels, shares_[-1][-1]], cmap=colours)
    lines = axes.contour(angles, heights, shares_, levels, colors="#5f6670", linewidths=0.6)
    axes.clabel(lines, fontsize=6, fmt=lambda value: f"{value:g}")
    for age, earlier in enumerate(trail):
        _pairs(axes, earlier, epsilon, clip_norm, words, 0.15 + 0.35 * (age + 1) / len(trail), label=False)
    _pairs(axes, points, epsilon, clip_norm, words, 1.0, label=True)
    axes.set(
        xlabel=words["angle_axis"], ylabel=words["mean_norm_axis"], title=words["map_title"].format(epsilon=epsilon)
    )
    axes.set(xlim=(0, 184), ylim=(0, 1.04 * clip_norm), xticks=(0, 45, 90, 135, 180))
    below(figure, axes)
    return figure


def tradeoff(cells: Sequence[Tradeoff], words: Words) -> Figure:
    """Draw ``figures.tradeoff_figure`` for print."""
    figure = sheet(COLUMN, 3.8)
    axes = framed(figure.subplots())
    x, y = ([100 * corner[side] for corner in cells[0].region] for side in (0, 1))
    axes.fill(x, y, color="#808080", alpha=0.18, linewidth=0)
    half = len(x) // 2 + 1
    axes.plot(x[:half], y[:half], color="black", linestyle="--", linewidth=1)
    axes.plot([0, 100], [100, 0], color=COIN, linestyle=":", linewidth=1, label=words["coin"].partition(":")[0])
    for cell in cells:
        colour, outline = attack_style(cell.attack)[0], band_outline(cell)
        axes.fill(*outline, facecolor=colour, alpha=0.3, linewidth=0)
        axes.plot(*outline, color=WRONG if cell.leaves else colour, linewidth=1.2 if cell.leaves else 0.5)
        if cell.own is not None:
            label = f"{attack_name(words, cell.attack)} ({cell.rule})"
            style = mark(cell.attack, cell.test) | {"label": label}
            axes.plot([100 * cell.own[0]], [100 * cell.own[1]], **style)
    if any(cell.leaves for cell in cells):
        axes.plot([], [], color=WRONG, linewidth=1.2, label=words["outside"])
    title = words["allowed"].format(epsilon=cells[0].epsilon)
    axes.fill([], [], color="#808080", alpha=0.18, linewidth=0, label=title)
    axes.set(xlabel=words["positive_axis"], ylabel=words["negative_axis"], aspect="equal")
    below(figure, axes)
    return figure


def utility(lines: UtilityCurves, words: Words) -> Figure:
    """Draw ``figures.utility_figure`` for print."""
    figure = sheet(COLUMN, 2.6)
    axes = framed(figure.subplots())
    heights = spread([100 * values[-1] for _, values in lines], 6.0)
    last = max(len(values) - 1 for _, values in lines)
    for (epsilon, values), colour, height in zip(lines, epsilon_colours(lines), heights, strict=True):
        style = "--" if epsilon is None else "-"
        axes.plot(range(len(values)), [100 * value for value in values], color=colour, linestyle=style, linewidth=1.3)
        axes.annotate(
            curve_name(epsilon, words), (last, height), (4, 0), textcoords="offset points", va="center", fontsize=7
        )
    axes.set(xlabel=words["round_axis"], ylabel=words["accuracy_axis"], xlim=(0, last or 1), ylim=(0, 102))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def _pairs(
    axes: Axes,
    points: Sequence[PairPoint],
    epsilon: float,
    clip_norm: float,
    words: Words,
    alpha: float,
    *,
    label: bool,
) -> None:
    groups: dict[str, list[PairPoint]] = {}
    for point in points:
        if point.epsilon == epsilon:
            groups.setdefault(point.attack, []).append(point)
    for attack, group in groups.items():
        style = mark(attack, "white") | {"alpha": alpha, "clip_on": False}
        for point, size in zip(group, marker_sizes(attack, groups), strict=True):
            larger = {"markersize": style["markersize"] * size / 11.0}
            axes.plot([point.angle], [point.norm * clip_norm], **(style | larger))
        if label:
            axes.plot([], [], **(style | {"label": attack_name(words, attack), "clip_on": True}))
