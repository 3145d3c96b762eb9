"""Charts of one run and of no run: what epsilon promises, and what was measured beside it."""

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from ldp_core import estimates, theory
from ldp_core.figures._parts import (
    OUTLINE,
    SHADE,
    SHARES,
    compared_digits,
    dashes,
    frame,
    line,
    marker,
    note,
)
from ldp_core.figures._styles import COIN, RIGHT, attack_style
from ldp_core.figures._words import ENGLISH
from ldp_core.figures.story import chosen
from ldp_core.mechanisms import HONEST
from ldp_core.summary import expected_epsilon, has_law, summarize
from ldp_core.types import EPSILON_RANGE, AuditResult

_LOWEST = 44
TICKS = (0.01, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30)


def theory_figure(epsilon: float, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw the most right guesses of 100 that any attacker can reach, with the chosen epsilon marked.

    Args:
        epsilon: the chosen value, in nats, > 0.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure = _share_figure(epsilon, words)
    _promise(figure, epsilon)
    share = 100.0 * theory.worst_case_identification(epsilon)
    marker(figure, [epsilon], [share], RIGHT, "circle", 13)
    _beside(figure, epsilon, share, f"<b>{chosen(epsilon, words)}</b>", above=_fraction(figure, epsilon) > 0.4)
    return figure


def theory_alt(epsilon: float, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``theory_figure`` shows, in one sentence."""
    return words["alt_promise"].format(chosen=chosen(epsilon, words))


def identification_figure(result: AuditResult, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw a run's right guesses of 100 against epsilon: the promise, this attack's exact law, what was measured.

    The law, where one is known, is the mean over the measured angles and norms; small markers are measurements, the
    big one is all of them with its nested 50 % and stated intervals. Arguments as in ``theory_figure``.
    """
    config, summary = result.config, summarize(result)
    colour, symbol = attack_style(config.attack)
    reaches, grid = _law_is_promise(result), share_grid(config.epsilon)
    figure = _share_figure(
        config.epsilon, words, "promise_is_law" if reaches and config.mechanism in HONEST else "promise"
    )
    law = [100.0 * mean_law(result, epsilon) for epsilon in grid] if knows_law(result) else []
    if law:
        line(figure, grid, law, colour, 8 if reaches else 3)
        if not reaches:
            _law_label(figure, config.epsilon, grid, law, words["law"])
    _promise(figure, config.epsilon)
    begun = [item.counts for item in result.measurements if item.counts.num_trials]
    singles = [100.0 * counts.num_right / counts.num_trials for counts in begun]
    share = summary.identification
    if share is None:
        return figure
    inner = estimates.identification_interval(summary.counts, 0.5, anytime=not result.completed)
    for low, high, width in ((share.lower, share.upper, 5), (*(inner or (0.5, 0.5, 0.5))[1:], 11)):
        line(figure, [config.epsilon] * 2, [100.0 * low, 100.0 * high], colour, width, opacity=0.55)
    point = 100.0 * share.point
    marker(figure, [config.epsilon], [point], colour, symbol, 13)
    marker(figure, [config.epsilon] * len(begun), singles, OUTLINE, f"{symbol}-open", 7)
    if result.completed and min(*singles, 100.0 * share.lower) < _LOWEST + 2:  # while a run goes on, axes stay
        figure.update_yaxes(range=[min(*singles, 100.0 * share.lower) - 4, 105], tickvals=list(range(0, 101, 10)))
    above = share.point > summary.theory_identification
    text = words["measured"].format(point=point, digits=compared_digits(point))
    _beside(figure, config.epsilon, point, f"<b>{text}</b>", above=above, under=law)
    return figure


def identification_alt(result: AuditResult, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``identification_figure`` shows, in one sentence; empty without trials."""
    summary = summarize(result)
    share = summary.identification
    if share is None:
        return ""
    return words["alt_identification"].format(
        point=100 * share.point,
        lower=100 * share.lower,
        upper=100 * share.upper,
        epsilon=result.config.epsilon,
        promise=100 * summary.theory_identification,
    )


def epsilon_figure(result: AuditResult, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw a run's empirical epsilon against the promised one: exact law if known, interval, estimate, diagonal.

    While a run goes on, the axes depend on the promise alone, and what is beyond them stands at their end.
    Arguments as in ``theory_figure``.
    """
    config, epsilon = result.config, summarize(result).epsilon
    colour, symbol = attack_style(config.attack)
    top = 2.05 * config.epsilon
    if result.completed:
        top = max(top, 1.08 * (epsilon.point or 0.0), 1.08 * epsilon.lower)
    lowest = -0.08 * top
    point = None if epsilon.point is None else min(max(epsilon.point, lowest), top)
    shown_lower = min(epsilon.lower, top)
    figure = frame()
    figure.add_scatter(x=[0, top, top], y=[0, 0, top], fill="toself", fillcolor=SHADE, mode="none", hoverinfo="skip")
    if epsilon.lower > config.epsilon:  # what was measured stands above the diagonal, its name below
        note(figure, 0.99 * top, 0.42 * top, words["diagonal"], "right", "top")
    else:
        note(figure, 0.80 * top, 0.80 * top, words["diagonal"], "right", "bottom")
    if knows_law(result):
        grid = [top * step / 40 for step in range(1, 41) if top * step / 40 <= EPSILON_RANGE[1]]
        law = [expected_epsilon(result, value) for value in grid]
        line(figure, [0.0, *grid], [0.0, *law], colour, 3)
        if law[-1] < 0.8 * grid[-1]:
            note(figure, grid[-1], law[-1], words["law"], "right", "bottom", (0, 4))
    dashes(figure, [0, top], [0, top])
    if epsilon.max_provable < 0.97 * top:
        line(figure, [0, top], [epsilon.max_provable] * 2, COIN, 2, dash="dot")
        note(figure, 0.01 * top, epsilon.max_provable, words["provable"], "left", "bottom")
    high = top if epsilon.upper is None else min(epsilon.upper, top)
    line(figure, [config.epsilon] * 2, [shown_lower, high], colour, 6, opacity=0.55)
    marker(figure, [config.epsilon], [shown_lower], colour, symbol, 12)
    lower = f"<b>{words['lower'].format(lower=floored(epsilon.lower))}</b>"
    _epsilon_note(figure, config.epsilon, shown_lower, lower, "top", crosses=epsilon.lower > config.epsilon)
    if epsilon.point is not None and point is not None:
        marker(figure, [config.epsilon], [point], OUTLINE, f"{symbol}-open", 10)
        text = words["point"].format(point=epsilon.point)
        _epsilon_note(figure, config.epsilon, point, text, "bottom", crosses=True)
    figure.update_xaxes(title_text=words["claimed_axis"], range=[0, top])
    figure.update_yaxes(title_text=words["empirical_axis"], range=[lowest, top])
    return figure


def epsilon_alt(result: AuditResult, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``epsilon_figure`` shows, in one sentence."""
    epsilon = summarize(result).epsilon
    return words["alt_epsilon"].format(
        lower=floored(epsilon.lower), epsilon=result.config.epsilon, provable=epsilon.max_provable
    )


def floored(value: float) -> float:
    """Return what is "at least", rounded down to two decimals."""
    return math.floor(100.0 * value) / 100.0


def _share_figure(epsilon: float, words: Mapping[str, str], promise: str = "promise") -> go.Figure:
    """Draw what every chart of right guesses has: the promise, what it allows, and the coin."""
    figure, grid = frame(SHARES), share_grid(epsilon)
    shares = [100.0 * theory.worst_case_identification(value) for value in grid]
    line(figure, [grid[0], grid[-1]], [50, 50], COIN, 2, dash="dot")
    figure.add_scatter(x=grid, y=shares, mode="lines", fill="tonexty", fillcolor=SHADE, line={"width": 0})
    figure.data[0].hoverinfo = figure.data[1].hoverinfo = "skip"
    at = 0.6 if epsilon > 1.2 else 3.0
    note(figure, math.log10(at), 100.0 * theory.worst_case_identification(at), words[promise], "right", "bottom")
    end, side, inwards = (grid[-1], "right", -6) if epsilon < 0.5 else (grid[0], "left", 6)  # away from what is chosen
    note(figure, math.log10(end), 50, words["coin"], side, "top", shift=(inwards, -2))
    ticks = [tick for tick in TICKS if grid[0] <= tick <= grid[-1]]
    span = [math.log10(grid[0]), math.log10(grid[-1])]
    labels = {"tickvals": ticks, "ticktext": [f"{tick:g}" for tick in ticks], "tickangle": 0}
    figure.update_xaxes(type="log", range=span, title_text=words["epsilon_axis"], **labels)
    figure.update_yaxes(title_text=words["share_axis"], range=[_LOWEST, 105], tickvals=[50, 60, 70, 80, 90, 100])
    return figure


def share_grid(epsilon: float) -> list[float]:
    """Return the values of epsilon, evenly spaced on a log axis, at which the curves beside a run are drawn."""
    low, high = min(0.1, epsilon / 1.5), max(9.0, 1.3 * epsilon)
    return [low * (high / low) ** (step / 60) for step in range(61)]


def mean_law(result: AuditResult, epsilon: float) -> float:
    """Return the exact law at another epsilon, averaged over the run's measured angles and norms."""
    pairs = [item.pair for item in result.measurements]
    clip = result.config.clip_norm
    laws = [
        theory.cosine_identification(epsilon, pair.angle_degrees, pair.norm_first, pair.norm_second, clip)
        for pair in pairs
    ]
    return sum(laws) / len(laws)


def knows_law(result: AuditResult) -> bool:
    """Return whether a run has pairs whose exact law is known."""
    return bool(result.measurements) and has_law(result.config)


def _law_is_promise(result: AuditResult) -> bool:
    epsilon = result.config.epsilon
    return knows_law(result) and (theory.worst_case_identification(epsilon) - mean_law(result, epsilon) < 0.002)


def _fraction(figure: go.Figure, x: float) -> float:
    """Return how far along a log axis a value lies, from 0 to 1."""
    left, right = figure.layout.xaxis.range
    return float((math.log10(x) - left) / (right - left))


def _beside(figure: go.Figure, x: float, y: float, text: str, *, above: bool, under: list[float] | None = None) -> None:
    """Write beside a point where no rising curve runs, also on a narrow screen."""
    fraction, at = _fraction(figure, x), math.log10(x)
    if above and fraction > 0.3:
        note(figure, at, y, text, "right", "bottom", (-8, 5))
    elif above:
        note(figure, at, y, text, "left", "bottom", (8, 8))
    elif fraction <= 0.68:
        note(figure, at, y, text, "left", "top", (12, -4))
    else:
        low = min([y, *([under[40]] if under else [])])
        note(figure, figure.layout.xaxis.range[1], low, text, "right", "top", (0, -8))


def _epsilon_note(figure: go.Figure, x: float, y: float, text: str, yanchor: str, *, crosses: bool) -> None:
    """Write to the right of a point, or to its left where the diagonal would cross the text."""
    note(figure, x, y, text, "right" if crosses else "left", yanchor, (-11 if crosses else 11, 0))


def _law_label(figure: go.Figure, epsilon: float, grid: list[float], law: list[float], text: str) -> None:
    """Name the law's curve away from the measured point's label."""
    if epsilon > 2.3:
        near = min(range(len(grid)), key=lambda index: abs(grid[index] - 0.6))
        note(figure, math.log10(grid[near]), law[near], text, "left", "top", (6, -2))
    elif 100.0 * theory.worst_case_identification(grid[-1]) - law[-1] > 8.0:
        note(figure, math.log10(grid[-1]), law[-1], text, "right", "bottom", (0, 4))
    else:
        note(figure, math.log10(grid[-1]), law[42], text, "right", "top", (0, -6))


def _promise(figure: go.Figure, epsilon: float) -> None:
    grid = share_grid(epsilon)
    dashes(figure, grid, [100.0 * theory.worst_case_identification(value) for value in grid])
