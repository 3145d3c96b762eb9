"""Charts of one run for print: right guesses, and measured against promised epsilon."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from ldp_core import estimates, theory
from ldp_core.figures._parts import OUTLINE, digits
from ldp_core.figures._print_parts import COLUMN, below, dashed, dotted, framed, key, mark, sheet
from ldp_core.figures._styles import attack_style
from ldp_core.figures.single import TICKS, knows_law, mean_law, share_grid
from ldp_core.grid import test_of
from ldp_core.summary import expected_epsilon, summarize
from ldp_core.types import EPSILON_RANGE, AuditResult

Words = Mapping[str, str]
_SHADE: dict[str, Any] = {"color": "#808080", "alpha": 0.13, "linewidth": 0}


def identification(result: AuditResult, words: Words) -> Figure:
    """Draw ``figures.identification_figure`` for print."""
    config, summary = result.config, summarize(result)
    colour, grid = attack_style(config.attack)[0], share_grid(config.epsilon)
    figure, axes = _panel()
    promise = [100 * theory.worst_case_identification(value) for value in grid]
    axes.fill_between(grid, 50, promise, **_SHADE, label=words["promise"])
    axes.plot([grid[0], grid[-1]], [50, 50], **dotted(words["coin"]))
    if knows_law(result):
        law = [100 * mean_law(result, value) for value in grid]
        axes.plot(grid, law, color=colour, linewidth=3, alpha=0.6, label=words["law"])
    axes.plot(grid, promise, **dashed(words["promise"]))
    begun = [item.counts for item in result.measurements if item.counts.num_trials]
    singles = [100 * counts.num_right / counts.num_trials for counts in begun]
    strokes: dict[str, Any] = {
        "marker": "_",
        "markersize": 11,
        "markeredgewidth": 0.7,
        "linestyle": "",
        "color": colour,
    }
    axes.plot([config.epsilon] * len(begun), singles, **strokes, label=words["single"])
    share = summary.identification
    if share is not None:
        inner = estimates.identification_interval(summary.counts, 0.5, anytime=not result.completed)
        _range(axes, config.epsilon, 100 * share.lower, 100 * share.upper, colour, 2.5, words["interval"])
        if inner is not None:
            _range(axes, config.epsilon, 100 * inner[1], 100 * inner[2], colour, 6, words["inner"])
        point = 100 * share.point
        text = words["measured"].format(point=point, digits=digits(point))
        style = mark(config.attack, test_of(config.distinguisher))
        axes.plot([config.epsilon], [point], **(style | {"markersize": 5.5, "label": text}))
    axes.set_xscale("log")
    ticks = [tick for tick in TICKS if grid[0] <= tick <= grid[-1]]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set(xlim=(grid[0], grid[-1]), ylim=(min([44, *singles]) - 1, 103), yticks=(50, 60, 70, 80, 90, 100))
    axes.set(xlabel=words["epsilon_axis"], ylabel=words["share_axis"])
    below(figure, [(Patch(**_SHADE, label=words["promise"]), key(**dashed(words["promise"])))])
    return figure


def epsilon(result: AuditResult, words: Words) -> Figure:
    """Draw ``figures.epsilon_figure`` for print."""
    config, found = result.config, summarize(result).epsilon
    colour, diagonal = attack_style(config.attack)[0], words["diagonal"]
    top = 1.08 * max(1.9 * config.epsilon, found.point or 0.0, found.lower)
    figure, axes = _panel()
    axes.fill_between([0, top], 0, [0, top], **_SHADE, label=diagonal)
    if knows_law(result):
        grid = [top * step / 40 for step in range(1, 41) if top * step / 40 <= EPSILON_RANGE[1]]
        law = [expected_epsilon(result, value) for value in grid]
        axes.plot([0.0, *grid], [0.0, *law], color=colour, linewidth=3, alpha=0.6, label=words["law"])
    axes.plot([0, top], [0, top], **dashed(diagonal))
    if found.max_provable < 0.97 * top:
        axes.plot([0, top], [found.max_provable] * 2, **dotted(words["provable"]))
    high = top if found.upper is None else min(found.upper, top)
    _range(axes, config.epsilon, found.lower, high, colour, 3, words["interval"])
    style = mark(config.attack, test_of(config.distinguisher))
    axes.plot([config.epsilon], [found.lower], **style, label=words["lower"].format(lower=found.lower))
    if found.point is not None:
        dot: dict[str, Any] = {
            "marker": "o",
            "markersize": 3,
            "markerfacecolor": "white",
            "markeredgecolor": OUTLINE,
            "linestyle": "",
        }
        text = words["point"].format(point=found.point)
        axes.plot([config.epsilon], [found.point], **dot, zorder=4, label=text)
    axes.set(xlim=(0, top), ylim=(min(-0.08 * top, found.point or 0.0), top))
    axes.set(xlabel=words["claimed_axis"], ylabel=words["empirical_axis"])
    axes.locator_params(nbins=6)
    below(figure, [(Patch(**_SHADE, label=diagonal), key(**dashed(diagonal)))])
    return figure


def _panel() -> tuple[Figure, Axes]:
    figure = sheet(COLUMN, 2.5)
    return figure, framed(figure.subplots())


def _range(axes: Axes, x: float, low: float, high: float, colour: str, width: float, label: str) -> None:
    style: dict[str, Any] = {"color": colour, "linewidth": width, "alpha": 0.55, "solid_capstyle": "butt"}
    axes.plot([x, x], [low, high], **style, label=label)
