"""The chart of a check for print."""

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from ldp_core.claims import PAIRS, RULES, CheckResult, detectable_epsilon
from ldp_core.figures._print_parts import COLUMN, framed, sheet
from ldp_core.figures._styles import NEUTRAL, RIGHT, WRONG
from ldp_core.figures.check import axis_top, floor, places

_MARKERS = dict(zip(RULES, "osD", strict=True))


def check(result: CheckResult, words: Mapping[str, str]) -> Figure:
    """Draw ``figures.check_figure`` for print."""
    found, epsilon, top = detectable_epsilon(result), result.config.epsilon, axis_top(result)
    figure = sheet(COLUMN, 0.42 * len(PAIRS) + 1.9)
    axes = framed(figure.subplots())
    axes.set_yticks(range(len(PAIRS)), [words[f"pair_{pair}"] for pair in PAIRS])
    drawn = list(places(result))
    for look, lower, y, above in drawn:
        axes.plot([lower], [y], **_mark(look.rule, above))
    for rule in RULES:
        if any(look.rule == rule for look, *_ in drawn):
            axes.plot([], [], **_mark(rule, False), label=words[f"rule_{rule}"])
    if any(above for *_, above in drawn):
        above_claim = words["above_claim"].format(lower=floor(result.epsilon_lower))
        axes.plot([], [], **_mark(RULES[0], True), label=above_claim)
    claim = words["claim"].format(epsilon=epsilon)
    axes.axvline(epsilon, color="black", linestyle="--", linewidth=1, label=claim)
    if found is not None:
        axes.axvline(found, color=NEUTRAL, linewidth=0.8, label=words["would_catch"].format(epsilon=found))
    axes.set(ylim=(len(PAIRS) - 0.45, -0.55), xlim=(-0.03 * top, top), xlabel=words["shown"])
    figure.legend(loc="outside lower center", frameon=False, fontsize=7)
    return figure


def _mark(rule: str, above: bool) -> dict[str, Any]:
    colour = WRONG if above else RIGHT
    edge = {"markeredgecolor": "#404040", "markeredgewidth": 0.4} if above else {"markeredgecolor": colour}
    style = {"marker": _MARKERS[rule], "markersize": 5.0, "linestyle": "", "zorder": 3}
    return style | {"markerfacecolor": colour if above else "white"} | edge
