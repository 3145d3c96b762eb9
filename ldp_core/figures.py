"""Step 6: draw. Results and plain numbers become chart specifications; every chart has a text that states its finding.

Colours: blue is right, vermillion wrong, grey a coin; the promise is a dashed line in the text colour. An attack
has one colour and one marker everywhere. Words come in as a mapping, so that another language can bring its own.
"""

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from ldp_core import estimates, theory
from ldp_core.summary import summarize
from ldp_core.types import AuditResult

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
    "promise": "the promise: at most",
    "promise_is_law": "the promise = what this attack can reach",
    "coin": "a coin: 50",
    "law": "this attack, exact law",
    "allowed": "allowed",
    "diagonal": "measured = promised",
    "measured": "measured {point:.{digits}f}",
    "measurement": "measurement {number}",
    "lower": "at least {lower:.2f}",
    "point": "papers' estimate: about {point:.2f}",
    "provable": "the most this test can show",
    "chosen": "ε = {epsilon:g}: at most {share:.{digits}f}",
    "alt_theory": "At epsilon {epsilon:g} the best attacker is right at most {share:.{digits}f} times of 100; "
    "a coin gets 50.",
    "alt_identification": "Right guesses of 100 against epsilon. Measured {point:.2f}, range {lower:.2f} to "
    "{upper:.2f}, at epsilon {epsilon:g}; the promise allows at most {promise:.2f}; a coin gets 50.",
    "alt_epsilon": "Measured epsilon against promised epsilon. This run shows at least {lower:.2f}; "
    "the promise is {epsilon:g}; the most this test can show is {provable:.2f}.",
}
_INK = {False: ("#1b1f24", "rgba(27,31,36,0.06)"), True: ("#e8eaed", "rgba(232,234,237,0.09)")}
_TICKS = (0.01, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30)


def attack_style(attack: str) -> tuple[str, str]:
    """Return an attack's colour and plotly marker symbol; an unknown one is drawn in violet."""
    return ATTACK_STYLES.get(attack, ("#7B52AB", "x"))


def theory_figure(epsilon: float, *, dark: bool = False, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw the most right guesses of 100 that any attacker can reach, with the chosen epsilon marked.

    Args:
        epsilon: the chosen value, in nats, > 0.
        dark: whether the page is dark.
        words: texts on the chart, see ``ENGLISH``.
    """
    ink, _ = _INK[dark]
    figure = _share_figure(epsilon, dark, words)
    share = 100.0 * theory.worst_case_identification(epsilon)
    figure.add_scatter(
        x=[epsilon],
        y=[share],
        mode="markers",
        marker={"size": 13, "color": RIGHT, "line": {"color": ink, "width": 1.5}},
        hovertemplate="%{y:.2f}<extra></extra>",
    )
    text = words["chosen"].format(epsilon=epsilon, share=share, digits=_digits(share))
    _label(figure, epsilon, share, f"<b>{text}</b>", ink, below=True)
    return figure


def theory_alt(epsilon: float, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``theory_figure`` shows, in one sentence."""
    share = 100.0 * theory.worst_case_identification(epsilon)
    return words["alt_theory"].format(epsilon=epsilon, share=share, digits=_digits(share))


def identification_figure(result: AuditResult, *, dark: bool = False, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw a run's right guesses of 100 against epsilon: the promise, this attack's exact law, what was measured.

    The law is the mean over the run's measured angles and norms; small markers are the single measurements, the
    big one is all of them with its nested 50 % and stated intervals. Arguments as in ``theory_figure``.
    """
    config, summary = result.config, summarize(result)
    colour, symbol = attack_style(config.attack)
    ink, _ = _INK[dark]
    reaches = _law_is_promise(result)
    figure = _share_figure(config.epsilon, dark, words, "promise_is_law" if reaches else "promise")
    if result.measurements:
        grid = _grid(config.epsilon)
        law = [100.0 * _mean_law(result, epsilon) for epsilon in grid]
        figure.add_scatter(
            x=grid, y=law, mode="lines", line={"color": colour, "width": 3}, hovertemplate="%{y:.1f}<extra></extra>"
        )
        if not reaches:
            _label(figure, grid[-1], law[-1], words["law"], ink, below=True)
    figure.add_scatter(
        x=[config.epsilon for item in result.measurements if item.counts.num_trials],
        y=[100.0 * item.counts.num_right / item.counts.num_trials for item in _begun(result)],
        mode="markers",
        marker={"size": 7, "symbol": f"{symbol}-open", "color": ink, "opacity": 0.75},
        hovertemplate="%{text}: %{y:.2f}<extra></extra>",
        text=[words["measurement"].format(number=number) for number in range(1, len(_begun(result)) + 1)],
    )
    share = summary.identification
    if share is None:
        return figure
    anytime = not result.completed
    inner = estimates.identification_interval(summary.counts, 0.5, anytime=anytime) or (share.point,) * 3
    for low, high, width in ((share.lower, share.upper, 5), (inner[1], inner[2], 11)):
        figure.add_scatter(
            x=[config.epsilon] * 2,
            y=[100.0 * low, 100.0 * high],
            mode="lines",
            line={"color": colour, "width": width},
            opacity=0.55,
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=[config.epsilon],
        y=[100.0 * share.point],
        mode="markers",
        marker={"size": 14, "symbol": symbol, "color": colour, "line": {"color": ink, "width": 1.5}},
        hovertemplate="%{y:.2f}<extra></extra>",
    )
    point = 100.0 * share.point
    text = words["measured"].format(point=point, digits=_digits(point))
    _label(figure, config.epsilon, point, f"<b>{text}</b>", ink, below=True)
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


def epsilon_figure(result: AuditResult, *, dark: bool = False, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw a run's empirical epsilon against the promised one: lower bound, point estimate, the line between.

    Arguments as in ``theory_figure``.
    """
    config, epsilon = result.config, summarize(result).epsilon
    colour, symbol = attack_style(config.attack)
    ink, shade = _INK[dark]
    top = 1.08 * max(1.9 * config.epsilon, epsilon.point or 0.0, epsilon.lower)
    figure = _figure(dark)
    figure.add_scatter(x=[0, top, top], y=[0, 0, top], fill="toself", fillcolor=shade, mode="none", hoverinfo="skip")
    figure.add_scatter(
        x=[0, top], y=[0, top], mode="lines", line={"color": ink, "dash": "dash", "width": 2}, hoverinfo="skip"
    )
    _note(figure, 0.80 * top, 0.80 * top, words["diagonal"], ink, "right", "bottom")
    if epsilon.max_provable < 0.97 * top:
        figure.add_hline(y=epsilon.max_provable, line={"color": COIN, "dash": "dot", "width": 2})
        _note(figure, 0.02 * top, epsilon.max_provable, words["provable"], ink, "left", "bottom")
    figure.add_scatter(
        x=[config.epsilon] * 2,
        y=[epsilon.lower, top if epsilon.upper is None else min(epsilon.upper, top)],
        mode="lines",
        line={"color": colour, "width": 6},
        opacity=0.55,
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=[config.epsilon],
        y=[epsilon.lower],
        mode="markers",
        marker={"size": 14, "symbol": symbol, "color": colour, "line": {"color": ink, "width": 1.5}},
        hovertemplate="%{y:.3f}<extra></extra>",
    )
    lower = f"<b>{words['lower'].format(lower=epsilon.lower)}</b>"
    _note(figure, config.epsilon, epsilon.lower, lower, ink, "left", "top", shift=(11, -2))
    if epsilon.point is not None:
        figure.add_scatter(
            x=[config.epsilon],
            y=[epsilon.point],
            mode="markers",
            marker={"size": 11, "symbol": f"{symbol}-open", "color": ink, "line": {"width": 2}},
            hovertemplate="%{y:.3f}<extra></extra>",
        )
        text = words["point"].format(point=epsilon.point)
        _note(figure, config.epsilon, epsilon.point, text, ink, "right", "bottom", shift=(-11, 4))
    figure.update_xaxes(title_text=words["claimed_axis"], range=[0, top])
    figure.update_yaxes(title_text=words["empirical_axis"], range=[min(0.0, epsilon.point or 0.0), top])
    return figure


def epsilon_alt(result: AuditResult, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``epsilon_figure`` shows, in one sentence."""
    epsilon = summarize(result).epsilon
    return words["alt_epsilon"].format(
        lower=epsilon.lower, epsilon=result.config.epsilon, provable=epsilon.max_provable
    )


def icon_array_svg(right: int, of: int) -> str:
    """Draw ``right`` dots and ``of - right`` crosses, grouped, filled row by row from the bottom left.

    Args:
        right: number of right guesses, 0 <= right <= of.
        of: 100 (10 by 10), 1,000 (25 rows of 40) or 10,000 (100 by 100).

    Returns:
        An SVG image that works on light and dark pages; say its content in the image's alternative text.

    Raises:
        ValueError: if the numbers do not fit.
    """
    columns = {100: 10, 1_000: 40, 10_000: 100}.get(of)
    if columns is None or not 0 <= right <= of:
        raise ValueError(f"an icon array shows 0 to 100, 1,000 or 10,000 right guesses, got {right} of {of}")
    rows, (full, rest) = of // columns, divmod(right, columns)
    wrong_rest = columns - rest if rest else 0
    parts = [("r", 0, rows - full, columns, full), ("w", 0, 0, columns, rows - full - (1 if rest else 0))]
    if rest:
        parts += [("r", 0, rows - full - 1, rest, 1), ("w", rest, rows - full - 1, wrong_rest, 1)]
    cells = "".join(
        f'<rect fill="url(#{kind})" x="{10 * x}" y="{10 * y}" width="{10 * width}" height="{10 * height}"/>'
        for kind, x, y, width, height in parts
        if width and height
    )
    pattern = '<pattern id="{}" width="10" height="10" patternUnits="userSpaceOnUse">{}</pattern>'
    dot = pattern.format("r", f'<circle cx="5" cy="5" r="3.9" fill="{RIGHT}"/>')
    cross = pattern.format("w", f'<path d="M2 2l6 6M8 2l-6 6" stroke="{WRONG}" stroke-width="1.7"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {10 * columns} {10 * rows}">'
        f"<defs>{dot}{cross}</defs>{cells}</svg>"
    )


def _figure(dark: bool) -> go.Figure:
    """Return an empty chart in our frame: small, transparent, without a legend."""
    ink, shade = _INK[dark]
    figure = go.Figure()
    figure.update_layout(
        template="none",
        showlegend=False,
        height=380,
        margin={"l": 52, "r": 14, "t": 14, "b": 48},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"size": 13, "color": ink},
        dragmode=False,
        hovermode="closest",
    )
    axis = {"gridcolor": shade, "zeroline": False, "linecolor": COIN, "showline": True, "ticks": "outside"}
    figure.update_xaxes(**axis, ticklen=4, title_standoff=8)
    figure.update_yaxes(**axis, ticklen=4, title_standoff=6)
    return figure


def _share_figure(epsilon: float, dark: bool, words: Mapping[str, str], promise: str = "promise") -> go.Figure:
    """Draw what every chart of right guesses has: the promise, what it allows, and the coin."""
    ink, shade = _INK[dark]
    figure, grid = _figure(dark), _grid(epsilon)
    shares = [100.0 * theory.worst_case_identification(value) for value in grid]
    figure.add_scatter(x=[grid[0], grid[-1]], y=[50, 50], mode="lines", line={"color": COIN, "width": 2, "dash": "dot"})
    figure.add_scatter(x=grid, y=shares, mode="lines", fill="tonexty", fillcolor=shade, line={"width": 0})
    figure.add_scatter(
        x=grid,
        y=shares,
        mode="lines",
        line={"color": ink, "width": 2, "dash": "dash"},
        hovertemplate="ε %{x:.2f}: %{y:.1f}<extra></extra>",
    )
    figure.data[0].hoverinfo = figure.data[1].hoverinfo = "skip"
    _note(
        figure, math.log10(1.1), 100.0 * theory.worst_case_identification(1.1), words[promise], ink, "right", "bottom"
    )
    _note(figure, math.log10(grid[0]), 50, words["coin"], ink, "left", "top", shift=(6, -2))
    ticks = [tick for tick in _TICKS if grid[0] <= tick <= grid[-1]]
    span = [math.log10(grid[0]), math.log10(grid[-1])]
    figure.update_xaxes(type="log", range=span, tickvals=ticks, ticktext=[f"{tick:g}" for tick in ticks])
    figure.update_xaxes(title_text=words["epsilon_axis"])
    figure.update_yaxes(title_text=words["share_axis"], range=[44, 102.5], tickvals=[50, 60, 70, 80, 90, 100])
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


def _begun(result: AuditResult) -> list:  # type: ignore[type-arg]
    return [item for item in result.measurements if item.counts.num_trials]


def _digits(share: float) -> int:
    """Return how many decimals keep a share of 100 from reading as 100."""
    return 0 if share < 98.5 else 1 if share < 99.85 else 2


def _label(figure: go.Figure, x: float, y: float, text: str, ink: str, *, below: bool) -> None:
    """Write beside a point of a log-x chart, on the side where there is room."""
    left, right = figure.layout.xaxis.range
    at = math.log10(x)
    anchor = "right" if at > (left + 2 * right) / 3 else "left"
    shift = (-12 if anchor == "right" else 12, -4 if below else 4)
    _note(figure, at, y, text, ink, anchor, "top" if below else "bottom", shift)


def _note(
    figure: go.Figure,
    x: float,
    y: float,
    text: str,
    ink: str,
    xanchor: str,
    yanchor: str,
    shift: tuple[int, int] = (0, 0),
) -> None:
    figure.add_annotation(
        x=x,
        y=y,
        text=text,
        showarrow=False,
        xanchor=xanchor,
        yanchor=yanchor,
        xshift=shift[0],
        yshift=shift[1],
        font={"color": ink, "size": 13},
    )
