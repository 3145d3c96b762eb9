"""Step 6: draw. Results and plain numbers become chart specifications; every chart has a text that states its finding.

Colours: blue is right, vermillion wrong, grey a coin; the promise is dashed in black, on a white line that shows on
dark pages only. An attack has one colour and one marker everywhere. Backgrounds are transparent and texts take the
page's colour. Words come in as a mapping, so that another language can bring its own.
"""

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from ldp_core import estimates, theory
from ldp_core.summary import expected_epsilon, summarize
from ldp_core.types import EPSILON_RANGE, AuditResult

RIGHT, WRONG, COIN = "#0072B2", "#D55E00", "#999999"
ATTACK_STYLES: dict[str, tuple[str, str]] = {
    "benign": ("#009E73", "circle"),
    "label-flip": ("#56B4E9", "square"),
    "gradient-flip": ("#E69F00", "diamond"),
    "collusion": ("#CC79A7", "triangle-up"),
    "dummy": ("#9A6B1F", "star"),
}
"""Attack -> colour and marker; the hues leave blue, vermillion and grey to right, wrong and coin."""
ENGLISH: dict[str, str] = {
    "epsilon_axis": "ε, the privacy setting (log scale)",
    "claimed_axis": "ε as promised",
    "empirical_axis": "ε as measured",
    "share_axis": "right guesses of 100",
    "promise": "the promise",
    "promise_is_law": "the promise, and<br>the prediction",
    "coin": "a coin: 50",
    "law": "predicted",
    "diagonal": "measured = promised",
    "measured": "measured {point:.{digits}f}",
    "lower": "at least {lower:.2f}",
    "point": "estimate: about {point:.2f}",
    "provable": "the most this test can show",
    "chosen": "ε = {epsilon:g}: at most {share:.{digits}f}",
    "alt_theory": "At epsilon {epsilon:g} the best attacker is right at most {share:.{digits}f} times of 100; "
    "a coin gets 50.",
    "alt_identification": "Right guesses of 100 against epsilon. Measured {point:.2f}, range {lower:.2f} to "
    "{upper:.2f}, at epsilon {epsilon:g}; the promise allows at most {promise:.2f}; a coin gets 50.",
    "alt_epsilon": "Measured epsilon against promised epsilon. This run shows at least {lower:.2f}; "
    "the promise is {epsilon:g}; the most this test can show is {provable:.2f}.",
}
_OUTLINE, _SHADE = "#5f6670", "rgba(128,128,128,0.13)"
_TICKS = (0.01, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30)


def attack_style(attack: str) -> tuple[str, str]:
    """Return an attack's colour and plotly marker symbol; an unknown one is drawn in violet."""
    return ATTACK_STYLES.get(attack, ("#7B52AB", "x"))


def theory_figure(epsilon: float, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw the most right guesses of 100 that any attacker can reach, with the chosen epsilon marked.

    Args:
        epsilon: the chosen value, in nats, > 0.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure = _share_figure(epsilon, words)
    _promise(figure, epsilon)
    share = 100.0 * theory.worst_case_identification(epsilon)
    _marker(figure, [epsilon], [share], RIGHT, "circle", 13)
    text = words["chosen"].format(epsilon=epsilon, share=share, digits=_digits(share))
    _beside(figure, epsilon, share, f"<b>{text}</b>", above=_fraction(figure, epsilon) > 0.4)
    return figure


def theory_alt(epsilon: float, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``theory_figure`` shows, in one sentence."""
    share = 100.0 * theory.worst_case_identification(epsilon)
    return words["alt_theory"].format(epsilon=epsilon, share=share, digits=_digits(share))


def identification_figure(result: AuditResult, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw a run's right guesses of 100 against epsilon: the promise, this attack's exact law, what was measured.

    The law is the mean over the run's measured angles and norms; small markers are the single measurements, the
    big one is all of them with its nested 50 % and stated intervals. Arguments as in ``theory_figure``.
    """
    config, summary = result.config, summarize(result)
    colour, symbol = attack_style(config.attack)
    reaches, grid = _law_is_promise(result), _grid(config.epsilon)
    figure = _share_figure(
        config.epsilon, words, "promise_is_law" if reaches and config.mechanism == "ldp-sgd" else "promise"
    )
    law = [100.0 * _mean_law(result, epsilon) for epsilon in grid] if result.measurements else []
    if law:
        _line(figure, grid, law, colour, 8 if reaches else 3)
        if not reaches:
            _law_label(figure, config.epsilon, grid, law, words["law"])
    _promise(figure, config.epsilon)
    begun = [item.counts for item in result.measurements if item.counts.num_trials]
    singles = [100.0 * counts.num_right / counts.num_trials for counts in begun]
    _marker(figure, [0.91 * config.epsilon] * len(begun), singles, colour, f"{symbol}-open", 7)
    share = summary.identification
    if share is None:
        return figure
    inner = estimates.identification_interval(summary.counts, 0.5, anytime=not result.completed)
    for low, high, width in ((share.lower, share.upper, 5), (*(inner or (0.5, 0.5, 0.5))[1:], 11)):
        _line(figure, [config.epsilon] * 2, [100.0 * low, 100.0 * high], colour, width, opacity=0.55)
    point = 100.0 * share.point
    _marker(figure, [config.epsilon], [point], colour, symbol, 13)
    above = share.point > summary.theory_identification
    text = words["measured"].format(point=point, digits=_digits(point))
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
    """Draw a run's empirical epsilon against the promised one: exact law, lower bound, point estimate, the diagonal.

    Arguments as in ``theory_figure``.
    """
    config, epsilon = result.config, summarize(result).epsilon
    colour, symbol = attack_style(config.attack)
    top = 1.08 * max(1.9 * config.epsilon, epsilon.point or 0.0, epsilon.lower)
    figure = _figure()
    figure.add_scatter(x=[0, top, top], y=[0, 0, top], fill="toself", fillcolor=_SHADE, mode="none", hoverinfo="skip")
    _note(figure, 0.80 * top, 0.80 * top, words["diagonal"], "right", "bottom")
    if result.measurements:
        grid = [top * step / 40 for step in range(1, 41) if top * step / 40 <= EPSILON_RANGE[1]]
        law = [expected_epsilon(result, value) for value in grid]
        _line(figure, [0.0, *grid], [0.0, *law], colour, 3)
        if law[-1] < 0.8 * grid[-1]:
            _note(figure, grid[-1], law[-1], words["law"], "right", "bottom", (0, 4))
    _dashes(figure, [0, top], [0, top])
    if epsilon.max_provable < 0.97 * top:
        _line(figure, [0, top], [epsilon.max_provable] * 2, COIN, 2, dash="dot")
        _note(figure, 0.01 * top, epsilon.max_provable, words["provable"], "left", "bottom")
    high = top if epsilon.upper is None else min(epsilon.upper, top)
    _line(figure, [config.epsilon] * 2, [epsilon.lower, high], colour, 6, opacity=0.55)
    _marker(figure, [config.epsilon], [epsilon.lower], colour, symbol, 12)
    lower = f"<b>{words['lower'].format(lower=epsilon.lower)}</b>"
    _epsilon_note(figure, config.epsilon, epsilon.lower, lower, "top", crosses=epsilon.lower > config.epsilon)
    if epsilon.point is not None:
        _marker(figure, [config.epsilon], [epsilon.point], _OUTLINE, f"{symbol}-open", 10)
        text = words["point"].format(point=epsilon.point)
        _epsilon_note(figure, config.epsilon, epsilon.point, text, "bottom", crosses=True)
    figure.update_xaxes(title_text=words["claimed_axis"], range=[0, top])
    figure.update_yaxes(title_text=words["empirical_axis"], range=[min(-0.08 * top, epsilon.point or 0.0), top])
    return figure


def epsilon_alt(result: AuditResult, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``epsilon_figure`` shows, in one sentence."""
    epsilon = summarize(result).epsilon
    return words["alt_epsilon"].format(
        lower=epsilon.lower, epsilon=result.config.epsilon, provable=epsilon.max_provable
    )


def _figure() -> go.Figure:
    """Return an empty chart in our frame: small, transparent, without a legend."""
    figure = go.Figure()
    figure.update_layout(
        template="none",
        showlegend=False,
        height=380,
        margin={"l": 52, "r": 14, "t": 14, "b": 48},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"size": 13},
        dragmode=False,
        hovermode="closest",
    )
    axis = {"gridcolor": _SHADE, "zeroline": False, "linecolor": COIN, "showline": True, "ticks": "outside"}
    figure.update_xaxes(**axis, ticklen=4, title_standoff=8)
    figure.update_yaxes(**axis, ticklen=4, title_standoff=6)
    return figure


def _share_figure(epsilon: float, words: Mapping[str, str], promise: str = "promise") -> go.Figure:
    """Draw what every chart of right guesses has: the promise, what it allows, and the coin."""
    figure, grid = _figure(), _grid(epsilon)
    shares = [100.0 * theory.worst_case_identification(value) for value in grid]
    _line(figure, [grid[0], grid[-1]], [50, 50], COIN, 2, dash="dot")
    figure.add_scatter(x=grid, y=shares, mode="lines", fill="tonexty", fillcolor=_SHADE, line={"width": 0})
    figure.data[0].hoverinfo = figure.data[1].hoverinfo = "skip"
    at = 0.6 if epsilon > 1.2 else 3.0
    _note(figure, math.log10(at), 100.0 * theory.worst_case_identification(at), words[promise], "right", "bottom")
    _note(figure, math.log10(grid[0]), 50, words["coin"], "left", "top", shift=(6, -2))
    ticks = [tick for tick in _TICKS if grid[0] <= tick <= grid[-1]]
    span = [math.log10(grid[0]), math.log10(grid[-1])]
    figure.update_xaxes(type="log", range=span, tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks])
    figure.update_xaxes(title_text=words["epsilon_axis"])
    figure.update_yaxes(title_text=words["share_axis"], range=[44, 105], tickvals=[50, 60, 70, 80, 90, 100])
    return figure


def _grid(epsilon: float) -> list[float]:
    low, high = min(0.1, epsilon / 1.5), max(9.0, 1.3 * epsilon)
    return [low * (high / low) ** (step / 60) for step in range(61)]


def _mean_law(result: AuditResult, epsilon: float) -> float:
    """Return the exact law at another epsilon, averaged over the run's measured angles and norms."""
    pairs = [item.pair for item in result.measurements]
    clip = result.config.clip_norm
    laws = [
        theory.cosine_identification(epsilon, pair.angle_degrees, pair.norm_first, pair.norm_second, clip)
        for pair in pairs
    ]
    return sum(laws) / len(laws)


def _law_is_promise(result: AuditResult) -> bool:
    epsilon = result.config.epsilon
    return bool(result.measurements) and (
        theory.worst_case_identification(epsilon) - _mean_law(result, epsilon) < 0.002
    )


def _digits(share: float) -> int:
    """Return how many decimals keep a share of 100 from reading as 100."""
    return 0 if share < 98.5 or share == 100.0 else 1 if share < 99.85 else 2


def _fraction(figure: go.Figure, x: float) -> float:
    """Return how far along a log axis a value lies, from 0 to 1."""
    left, right = figure.layout.xaxis.range
    return float((math.log10(x) - left) / (right - left))


def _beside(figure: go.Figure, x: float, y: float, text: str, *, above: bool, under: list[float] | None = None) -> None:
    """Write beside a point where no rising curve runs, also on a narrow screen."""
    fraction, at = _fraction(figure, x), math.log10(x)
    if above and fraction > 0.3:
        _note(figure, at, y, text, "right", "bottom", (-8, 5))
    elif above:
        _note(figure, at, y, text, "left", "bottom", (8, 8))
    elif fraction <= 0.68:
        _note(figure, at, y, text, "left", "top", (12, -4))
    else:
        low = min([y, *([under[40]] if under else [])])
        _note(figure, figure.layout.xaxis.range[1], low, text, "right", "top", (0, -8))


def _epsilon_note(figure: go.Figure, x: float, y: float, text: str, yanchor: str, *, crosses: bool) -> None:
    """Write to the right of a point, or to its left where the diagonal would cross the text."""
    _note(figure, x, y, text, "right" if crosses else "left", yanchor, (-11 if crosses else 11, 0))


def _law_label(figure: go.Figure, epsilon: float, grid: list[float], law: list[float], text: str) -> None:
    """Name the law's curve away from the measured point's label."""
    if epsilon > 2.3:
        near = min(range(len(grid)), key=lambda index: abs(grid[index] - 0.6))
        _note(figure, math.log10(grid[near]), law[near], text, "left", "top", (6, -2))
    elif 100.0 * theory.worst_case_identification(grid[-1]) - law[-1] > 8.0:
        _note(figure, math.log10(grid[-1]), law[-1], text, "right", "bottom", (0, 4))
    else:
        _note(figure, math.log10(grid[-1]), law[42], text, "right", "top", (0, -6))


def _promise(figure: go.Figure, epsilon: float) -> None:
    grid = _grid(epsilon)
    _dashes(figure, grid, [100.0 * theory.worst_case_identification(value) for value in grid])


def _dashes(figure: go.Figure, x: list[float], y: list[float]) -> None:
    """Draw the promise so that it shows on white and on black: black dashes on a thin white line."""
    _line(figure, x, y, "#ffffff", 3)
    _line(figure, x, y, "#000000", 2.4, dash="dash")


def _line(
    figure: go.Figure, x: list[float], y: list[float], colour: str, width: float, dash: str = "", opacity: float = 1
) -> None:
    line = {"color": colour, "width": width, "dash": dash or "solid"}
    figure.add_scatter(x=x, y=y, mode="lines", line=line, opacity=opacity, hovertemplate="%{y:.2f}<extra></extra>")


def _marker(figure: go.Figure, x: list[float], y: list[float], colour: str, symbol: str, size: int) -> None:
    outline = {"width": 2} if symbol.endswith("-open") else {"color": _OUTLINE, "width": 1}
    marker = {"size": size, "symbol": symbol, "color": colour, "line": outline}
    figure.add_scatter(x=x, y=y, mode="markers", marker=marker, hovertemplate="%{y:.2f}<extra></extra>")


def _note(
    figure: go.Figure, x: float, y: float, text: str, xanchor: str, yanchor: str, shift: tuple[int, int] = (0, 0)
) -> None:
    place = {"x": x, "y": y, "xanchor": xanchor, "yanchor": yanchor, "xshift": shift[0], "yshift": shift[1]}
    figure.add_annotation(**place, text=text, showarrow=False, font={"size": 13})
