"""The chart of a check for print."""

from collections.abc import Mapping
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from ldp_core.claims import PAIRS, RULES, CheckResult, detectable_epsilon
from ldp_core.figures._print_parts import COLUMN, below, dashed, framed, key, sheet
from ldp_core.figures._styles import NEUTRAL, RIGHT, WRONG
from ldp_core.figures.check import axis_top, ceil, floor, places

_MARKERS = dict(zip(RULES, "osD", strict=True))


def check(result: CheckResult, words: Mapping[str, str]) -> Figure:
    """Draw ``figures.check_figure`` for print."""
    found, epsilon, top = detectable_epsilon(result), result.config.epsilon, axis_top(result)
    figure = sheet(COLUMN, 0.42 * len(PAIRS) + 0.6)
    axes = framed(figure.subplots())
    axes.set_yticks(range(len(PAIRS)), [fill(words[f"pair_{pair}"], 16) for pair in PAIRS])
    above_claim = words["above_claim"].format(lower=floor(result.epsilon_lower))
    for look, lower, y, above in places(result):
        label = words[f"rule_{look.rule}"]
        axes.plot([lower], [y], **_mark(look.rule, False), label=label)
        if above:
            axes.plot([lower], [y], **_mark(look.rule, True), label=above_claim)
    claim = words["claim"].format(epsilon=epsilon)
    axes.axvline(epsilon, **dashed(claim))
    keys = [key(words[f"rule_{rule}"], **_mark(rule, False)) for rule in RULES]
    keys += [key(above_claim, **_mark(RULES[0], True)), key(**dashed(claim))]
    if found is not None:
        caught = words["would_catch"].format(epsilon=ceil(found))
        axes.axvline(found, color=NEUTRAL, linewidth=0.8, label=caught)
        keys.append(key(caught, linestyle="-", linewidth=0.8))
    axes.set(ylim=(len(PAIRS) - 0.45, -0.55), xlim=(-0.04 * top, top), xlabel=words["shown"])
    axes.locator_params(axis="x", nbins=6)
    below(figure, keys)
    return figure


def _mark(rule: str, above: bool) -> dict[str, Any]:
    colour = WRONG if above else RIGHT
    edge = {"markeredgecolor": "#404040", "markeredgewidth": 0.4} if above else {"markeredgecolor": colour}
    style = {"marker": _MARKERS[rule], "markersize": 5.0, "linestyle": "", "zorder": 3, "clip_on": False}
    return style | {"markerfacecolor": colour if above else "white"} | edge
