"""Several runs on one chart: the right guesses of each beside what epsilon allows."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ldp_core.game.summary import summarize
from ldp_core.game.sweep import test_of
from ldp_core.presentation.figures._parts import (
    dashes,
    frame,
    key,
    legend_below,
    line,
    marker,
    most_of_100,
    note,
)
from ldp_core.presentation.figures._styles import COIN, attack_style
from ldp_core.presentation.figures._words import ENGLISH, attack_name, capital, rule_name, sentence
from ldp_core.presentation.figures.single import at_root, share_grid, ticks_to
from ldp_core.statistics import intervals, theory
from ldp_core.types import AuditResult


def overlay_figure(results: Sequence[AuditResult], words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw the right guesses of 100 of several runs against epsilon, with their ranges and the promise.

    An attack has its own colour and marker: filled where the report is seen, hollow where only the model is.

    ``results``: runs with at least one trial each, at least one.
    """
    epsilons = [result.config.epsilon for result in results]
    figure, grid = frame(), share_grid(*epsilons)
    places = list(map(at_root, grid))
    line(figure, [places[0], places[-1]], [50, 50], COIN, 2, dash="dot", hoverinfo="skip")
    dashes(figure, places, [100 * theory.worst_case_identification(value) for value in grid], hoverinfo="skip")
    low = 46.0
    for result in results:
        epsilon = result.config.epsilon
        place = at_root(epsilon)
        colour = attack_style(result.config.attack)[0]
        share = summarize(result).identification
        assert share is not None, "a run without trials is not drawn"
        inner = intervals.identification_interval(result.counts, 0.5, anytime=not result.completed)
        for ends, width in (((share.lower, share.upper), 4), ((inner or (0.5,) * 3)[1:], 9)):
            line(figure, [place] * 2, [100 * end for end in ends], colour, width, opacity=0.55, hoverinfo="skip")
        name, promise = _name(result, results, words), 100 * theory.worst_case_identification(epsilon)
        shown = words["hover_share"].format(
            name=capital(name), epsilon=epsilon, promise=most_of_100(promise, words), **share.of_100
        )
        marker(figure, [place], [100 * share.point], *_style(result), 11, hovertemplate=f"{shown}<extra></extra>")
        low = min(low, 100 * share.lower - 2)
    named = {_name(result, results, words): result for result in results}
    for name, result in named.items():
        key(figure, name, *_style(result))
    note(figure, 0, 50, words["coin"], "left", "top", (6, -2))
    at = 0.6 if min(epsilons) > 1.2 else 3.0
    note(figure, at_root(at), 100 * theory.worst_case_identification(at), words["promise"], "right", "bottom")
    ticks = ticks_to(grid[-1])
    figure.update_xaxes(title_text=words["epsilon_axis"], range=[0, places[-1]], tickvals=[*map(at_root, ticks)])
    figure.update_xaxes(ticktext=[f"{tick:g}" for tick in ticks])
    figure.update_yaxes(title_text=words["share_axis"], range=[low, 105])
    legend_below(figure)
    return figure


def overlay_alt(results: Sequence[AuditResult], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``overlay_figure`` shows, in one sentence."""
    items = []
    for result in results:
        summary = summarize(result)
        share = summary.identification
        assert share is not None, "a run without trials is not drawn"
        promise = most_of_100(100 * summary.theory_identification, words)
        facts = {"attack": _name(result, results, words), "epsilon": result.config.epsilon, "promise": promise}
        items.append(facts | share.of_100)
    return sentence(words, "overlay", items)


def _style(result: AuditResult) -> tuple[str, str]:
    colour, symbol = attack_style(result.config.attack)
    return colour, symbol if test_of(result.config.distinguisher) == "white" else f"{symbol}-open"


def _name(result: AuditResult, results: Sequence[AuditResult], words: Mapping[str, str]) -> str:
    """Return the attack's name, with the rule where the attack is there with several."""
    config = result.config
    name = attack_name(words, config.attack)
    rules = {other.config.distinguisher for other in results if other.config.attack == config.attack}
    return name if len(rules) == 1 else f"{name} ({rule_name(words, config.distinguisher)})"
