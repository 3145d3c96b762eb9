"""The chart of a check for print."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from ldp_core.claims import LEAKS, RULES, CheckResult
from ldp_core.figures._print_parts import COLUMN, framed, sheet
from ldp_core.figures._styles import NEUTRAL, RIGHT, WRONG
from ldp_core.figures._words import pair_name
from ldp_core.figures.check import axis_top, catch_text, drawn_leaks, floor, judged_pairs, places

_MARKERS = dict(zip(RULES, "os^D", strict=True))
_LINES = dict(zip(LEAKS, ("-", ":", "-."), strict=True))


def check(result: CheckResult, words: Mapping[str, str]) -> Figure:
    """Draw ``figures.check_figure`` for print."""
    pairs, drawn, epsilon = judged_pairs(result), places(result), result.config.epsilon
    caught, top = drawn_leaks(result, drawn), axis_top(result, drawn)
    rules = [rule for rule in RULES if any(place.look.rule == rule for place in drawn)]
    figure = sheet(COLUMN, 0.36 * len(pairs) + 0.9 + 0.16 * (len(rules) + len(caught) + 2))
    axes = framed(figure.subplots())
    axes.set_yticks(range(len(pairs)), [pair_name(words, pair) for pair in pairs])
    for place in drawn:
        axes.plot([place.lower], [place.y], **_mark(place.look.rule, place.above))
    for rule in rules:
        axes.plot([], [], **_mark(rule, False), label=words[f"rule_{rule}"])
    if any(place.above for place in drawn):
        above_claim = words["above_claim"].format(lower=floor(result.epsilon_lower))
        axes.plot([], [], **_mark(RULES[0], True), label=above_claim)
    claim = words["claim"].format(epsilon=epsilon)
    axes.axvline(epsilon, color="black", linestyle="--", linewidth=1, label=claim)
    for kind, found in caught.items():
        label = catch_text(words, kind, found)
        axes.axvline(found, color=NEUTRAL, linestyle=_LINES[kind], linewidth=1, label=label)
    axes.set(ylim=(len(pairs) - 0.45, -0.55), xlim=(-0.03 * top, top), xlabel=words["shown"])
    figure.legend(loc="outside lower center", frameon=False, fontsize=7)
    return figure


def _mark(rule: str, above: bool) -> dict[str, Any]:
    colour = WRONG if above else RIGHT
    edge = {"markeredgecolor": "#404040", "markeredgewidth": 0.4} if above else {"markeredgecolor": colour}
    style = {"marker": _MARKERS[rule], "markersize": 5.0, "linestyle": "", "zorder": 3}
    return style | {"markerfacecolor": colour if above else "white"} | edge
