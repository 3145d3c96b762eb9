"""What a check's rules show on each pair, beside the claim and what the check would have caught."""

import math
from collections.abc import Iterator, Mapping

import plotly.graph_objects as go

from ldp_core.claims import PAIRS, RULES, CheckResult, Look, detectable_epsilon, look_lower
from ldp_core.figures._parts import dashes, frame, key, legend_below, line, marker
from ldp_core.figures._styles import NEUTRAL, RIGHT, WRONG
from ldp_core.figures._words import ENGLISH

RULE_SYMBOLS = dict(zip(RULES, ("circle", "square", "diamond"), strict=True))
_SHELVES = dict(zip(RULES, (-0.24, 0.0, 0.24), strict=True))
_LONG = 14


def check_figure(result: CheckResult, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw every look's lower bound on epsilon, a line for each pair, beside the claim.

    A look within the claim is hollow and blue, one above it filled and vermillion. Rules differ by symbol and height.

    Args:
        result: a check, whole or cut short.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure, config, found = frame(), result.config, detectable_epsilon(result)
    top, last = axis_top(result), len(PAIRS) - 0.4
    if found is not None:
        line(figure, [found, found], [-0.6, last], NEUTRAL, 1.2, hoverinfo="skip")
    dashes(figure, [config.epsilon] * 2, [-0.6, last], hoverinfo="skip")
    for look, lower, y, above in places(result):
        symbol = RULE_SYMBOLS[look.rule]
        hover = f"{words[f'rule_{look.rule}']}: {floor(lower)}<extra></extra>"
        style = (WRONG, symbol) if above else (RIGHT, f"{symbol}-open")
        marker(figure, [lower], [y], *style, 11, hovertemplate=hover, cliponaxis=False)
    names = [_broken(words[f"pair_{pair}"]) for pair in PAIRS]
    figure.update_yaxes(tickvals=list(range(len(PAIRS))), ticktext=names, range=[last, -0.6], automargin=True, ticks="")
    figure.update_yaxes(tickfont={"size": 12})
    figure.update_xaxes(title_text=words["shown"], range=[-0.03 * top, top])
    figure.update_layout(height=56 * len(PAIRS) + 170)
    for rule, symbol in RULE_SYMBOLS.items():
        if any(look.rule == rule for look in result.looks):
            key(figure, words[f"rule_{rule}"], RIGHT, f"{symbol}-open")
    if any(above for *_, above in places(result)):
        key(figure, words["above_claim"].format(lower=floor(result.epsilon_lower)), WRONG, "circle")
    key(figure, words["claim"].format(epsilon=config.epsilon), NEUTRAL, dash="dash")
    if found is not None:
        key(figure, words["would_catch"].format(epsilon=ceil(found)), NEUTRAL)
    legend_below(figure)
    return figure


def check_alt(result: CheckResult, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``check_figure`` shows, in a sentence or two."""
    config, lower, strongest = result.config, result.epsilon_lower, result.strongest
    shown = float(floor(lower))
    if strongest is not None and lower > config.epsilon:
        rule = words["alt_check_rule"].format(rule=words[f"rule_{strongest.rule}"])
        return words["alt_check_above"].format(
            rule=rule, pair=words[f"pair_{strongest.pair}"], lower=shown, epsilon=config.epsilon
        )
    found = detectable_epsilon(result)
    power = "" if found is None else words["alt_check_power"].format(epsilon=ceil(found))
    return words["alt_check_below"].format(lower=shown, epsilon=config.epsilon) + power


def places(result: CheckResult) -> Iterator[tuple[Look, float, float, bool]]:
    """Yield each look with its bound, its height on the chart, and whether it is above the claim."""
    for look in result.looks:
        lower = look_lower(result.config, look)
        yield look, lower, PAIRS.index(look.pair) + _SHELVES[look.rule], lower > result.config.epsilon


def axis_top(result: CheckResult) -> float:
    """Return where the axis of epsilon ends."""
    return 1.12 * max(result.config.epsilon, result.epsilon_lower, detectable_epsilon(result) or 0.0)


def floor(value: float) -> str:
    """Return what is "at least", rounded down."""
    return f"{math.floor(1_000 * value) / 1_000:.3f}"


def ceil(value: float) -> float:
    """Return what holds from somewhere on, rounded up to two decimals."""
    return math.ceil(100.0 * value) / 100.0


def _broken(name: str) -> str:
    """Break a long name in lines, so that it leaves room on a narrow screen."""
    lines = [""]
    for word in name.replace("（", " （").split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= _LONG:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "<br>".join(lines)
