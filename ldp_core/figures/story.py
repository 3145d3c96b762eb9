"""The pictures that explain the randomizer: an update's reports on the circle, their share, a round of the game."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from ldp_core.figures._parts import SHARES, dashes, digits, frame, key, line, marker, note
from ldp_core.figures._styles import COIN, FIRST, NEUTRAL, RIGHT, SECOND, WRONG
from ldp_core.figures._words import ENGLISH
from ldp_core.illustrate import GameRound, SentReports, near_probability

Words = Mapping[str, str]
LIGHT = "rgba(125,98,200,0.5)"
NEAR_SHADE = "rgba(0,114,178,0.22)"
SIDES = ((True, RIGHT, "circle", "near_count"), (False, WRONG, "x", "far_count"))
"""Near or far, colour, marker and name of the two kinds of reports."""
_PIXEL_SCALE = ("#0072B2", "#F7F7F7", "#D55E00")
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def half_circle_figure(
    sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH
) -> go.Figure:
    """Draw one update, what its length is rounded to, and where its reports lie; the update's side is shaded.

    The newest report is large, with an arrow. How far from the centre the others are drawn only keeps them apart.

    Args:
        sent: reports of shape (n, 2), from ``illustrate.send``.
        epsilon: the privacy parameter that they were sent with, in nats.
        norm: L2 norm of the update, before or after clipping, >= 0.
        clip_norm: clipping norm L, > 0.
        words: texts on the chart, see ``ENGLISH``.

    Source: Matsumoto et al. 2024, J. Inf. Process. 32, Fig. 2, in the plane.
    """
    figure = _circle()
    grid = np.linspace(0.0, math.pi, 61)
    shade = {"fill": "toself", "fillcolor": NEAR_SHADE, "mode": "none", "hoverinfo": "skip", "showlegend": False}
    figure.add_scatter(x=np.cos(grid), y=np.sin(grid), **shade)
    note(figure, -0.55, 0.02, words["near_side"], "center", "bottom")
    note(figure, -0.55, -0.02, words["far_side"], "center", "top")
    for tip, opacity in roundings(sent, norm, clip_norm):
        _arrow(figure, (0.0, tip), FIRST, 9, opacity)
    _arrow(figure, (0.0, min(norm / clip_norm, 1.0)), FIRST, 3)
    if norm > clip_norm:
        line(figure, [0.0, 0.0], [1.0, min(norm / clip_norm, 1.25)], FIRST, 2, dash="dot", hoverinfo="skip")
        line(figure, [-0.11, 0.11], [1.0, 1.0], FIRST, 3, hoverinfo="skip")
    older = sent.points[:-1] * _distances(max(len(sent.points) - 1, 0))[:, None]
    for near, colour, symbol, name in SIDES:
        chosen = older[sent.near[:-1] == near]
        marker(figure, chosen[:, 0], chosen[:, 1], colour, symbol, 7, hoverinfo="skip")
        key(figure, words[name].format(count=int((sent.near == near).sum())), colour, symbol)
        if len(sent.points) and sent.near[-1] == near:
            x, y = (float(value) for value in sent.points[-1])
            _arrow(figure, (x, y), colour, 3)
            marker(figure, [x], [y], colour, symbol, 17, hoverinfo="skip")
    key(figure, words["clipped" if norm > clip_norm else "your_update"], FIRST, "arrow-up", size=12)
    if norm < clip_norm:
        key(figure, words["rounded"], LIGHT, "arrow-up", size=16)
    _legend(figure)
    return figure


def half_circle_alt(sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH) -> str:
    """Return what ``half_circle_figure`` or ``sphere_figure`` shows: the counts, and what they settle at."""
    law = words["alt_law"].format(share=of_100(100.0 * near_probability(epsilon, norm, clip_norm), words))
    if not len(sent.points):
        return law
    total = len(sent.points)
    return words["alt_reports"].format(total=total, near=sent.num_near, far=total - sent.num_near) + " " + law


def share_figure(sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH) -> go.Figure:
    """Draw the share of reports on the near side after each report, and what it settles at.

    Arguments as in ``half_circle_figure``; the reports may have any dimension.
    """
    figure, total = frame(SHARES | {"t": 34}), len(sent.points)
    last, law = max(total, 10), 100.0 * near_probability(epsilon, norm, clip_norm)
    line(figure, [0, last], [50, 50], COIN, 2, dash="dot", hoverinfo="skip")
    counts = np.cumsum(sent.near).tolist()
    shares = [100.0 * near / number for number, near in enumerate(counts, start=1)]
    line(figure, list(range(1, total + 1)), shares, RIGHT, 3)
    dashes(figure, [0, last], [law, law], hoverinfo="skip")
    if total:
        marker(figure, [total], [shares[-1]], RIGHT, "circle", 10)
    key(figure, words["settles"].format(share=of_100(law, words)), NEUTRAL, dash="6px,4px")
    key(figure, words["coin"], COIN, dash="dot")
    figure.update_xaxes(title_text=words["reports_axis"], range=[0, 1.02 * last])
    figure.update_yaxes(title_text=words["near_axis"], range=[-3, 109], tickvals=[0, 25, 50, 75, 100])
    above = {"orientation": "h", "x": 0.0, "xanchor": "left", "y": 1.0, "yanchor": "bottom", "font": {"size": 13}}
    unclickable = {"itemclick": False, "itemdoubleclick": False}
    figure.update_layout(showlegend=True, legend=above | unclickable, height=320)
    return figure


def share_alt(sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH) -> str:
    """Return what ``share_figure`` shows: the share so far, and what it settles at."""
    law = words["alt_law"].format(share=of_100(100.0 * near_probability(epsilon, norm, clip_norm), words))
    total = len(sent.points)
    if not total:
        return law
    share = 100.0 * sent.num_near / total
    return words["alt_share"].format(total=total, near=sent.num_near, share=f"{share:.{digits(share)}f}") + " " + law


def game_figure(played: GameRound | None, words: Words = ENGLISH, reveal: bool = False) -> go.Figure:
    """Draw the two updates of the guessing game and one report; revealed, which update was sent.

    Args:
        played: a round from ``illustrate.play``, or None before the first.
        words: texts on the chart, see ``ENGLISH``.
        reveal: whether to mark the update that was sent.
    """
    figure, shown = _circle(), played is not None and reveal
    for side, height, colour, anchor in (("A", 1.0, FIRST, "bottom"), ("B", -1.0, SECOND, "top")):
        was_sent = shown and played is not None and played.sent == side
        _arrow(figure, (0.0, 0.97 * height), colour, 9 if was_sent else 6, 0.35 if shown and not was_sent else 1.0)
        text = words["sent"].format(side=side) if was_sent else side
        note(figure, 0.0, 1.14 * height, f"<b>{text}</b>", "center", anchor, font={"size": 17})
    if played is not None:
        _arrow(figure, played.report, NEUTRAL, 3)
        marker(figure, [played.report[0]], [played.report[1]], NEUTRAL, "diamond", 19, hoverinfo="skip")
    key(figure, words["report"], NEUTRAL, "diamond", size=12)
    _legend(figure)
    return figure


def game_alt(played: GameRound | None, words: Words = ENGLISH, reveal: bool = False) -> str:
    """Return what ``game_figure`` shows: on whose side the report lies; revealed, what was sent and guessed."""
    sentences = [words["alt_game"]]
    if played is not None:
        sentences.append(words["alt_game_side"].format(side="A" if played.report[1] > 0.0 else "B"))
        if reveal:
            sentences.append(words["alt_game_sent"].format(sent=played.sent, attacker=played.attacker))
    return " ".join(sentences)


def update_pixels(values: NDArray[np.float64], width: int = 150) -> NDArray[np.uint8]:
    """Return numbers as a picture of coloured squares, row by row: blue below zero, near white at zero, orange above.

    Full colour is the 99th percentile of the absolute values, so that a few large numbers do not pale the others;
    what is left of the last row is near white.

    Args:
        values: shape (d,), d >= 1, finite.
        width: squares in a row, >= 1.

    Returns:
        Shape (ceil(d / width), width, 3): red, green and blue from 0 to 255; 71 rows for 10,650 numbers.
    """
    sizes = np.abs(values)
    top = float(np.quantile(sizes, 0.99)) or float(sizes.max()) or 1.0
    shares = np.zeros(-(-len(values) // width) * width)
    shares[: len(values)] = np.clip(values / top, -1.0, 1.0)
    ends = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in _PIXEL_SCALE]
    channels = [np.interp(shares, [-1.0, 0.0, 1.0], channel) for channel in zip(*ends, strict=True)]
    pixels: NDArray[np.uint8] = np.rint(np.stack(channels, axis=1)).astype(np.uint8).reshape(-1, width, 3)
    return pixels


def of_100(share: float, words: Words) -> str:
    """Write a share of 100: two digits below ten, and as many as keep it from reading as 100."""
    if opens(share):
        return words["nearly"]
    return f"{share:.2g}" if share < 9.95 else f"{share:.{digits(share)}f}"


def opens(share: float) -> bool:
    """Return whether a share of 100 is too close to 100 to be written."""
    return 99.995 <= share < 100.0 + 1e-9


def roundings(sent: SentReports, norm: float, clip_norm: float) -> list[tuple[float, float]]:
    """Return the heights, +1 and perhaps -1, of what the length may be rounded to, and how strongly to draw each.

    The strong one is what the newest report was rounded to.
    """
    if norm >= clip_norm:
        return [(1.0, 0.5)]
    up = bool(sent.rounded_up[-1]) if len(sent.points) else None
    return [(height, 0.5 if up == (height > 0.0) else 0.22) for height in (1.0, -1.0)]


def _circle() -> go.Figure:
    """Return a chart with the circle on which reports lie, and the line between its halves."""
    figure = frame()
    figure.update_xaxes(visible=False, range=[-1.2, 1.2], constrain="domain")
    figure.update_yaxes(visible=False, range=[-1.32, 1.32], scaleanchor="x", constrain="domain")
    figure.update_layout(height=400, margin={"l": 4, "r": 4, "t": 4, "b": 4})
    turn = np.linspace(0.0, 2.0 * math.pi, 121)
    line(figure, np.cos(turn).tolist(), np.sin(turn).tolist(), COIN, 1.5, hoverinfo="skip")
    line(figure, [-1.0, 1.0], [0.0, 0.0], COIN, 1.5, dash="dash", hoverinfo="skip")
    return figure


def _arrow(figure: go.Figure, tip: Sequence[float], colour: str, width: float, opacity: float = 1.0) -> None:
    """Draw an arrow from the centre; one without length is a dot."""
    head = {"color": colour, "opacity": 1, "line": {"width": 0}, "size": 8}
    if math.hypot(*tip) > 0.02:
        head |= {"symbol": "arrow", "angleref": "previous", "size": [0, 9 + 2 * width]}
    style = {"mode": "lines+markers", "hoverinfo": "skip", "showlegend": False, "opacity": opacity}
    figure.add_scatter(x=[0.0, tip[0]], y=[0.0, tip[1]], line={"color": colour, "width": width}, marker=head, **style)


def _legend(figure: go.Figure) -> None:
    """Show the legend in rows below a chart without axes."""
    place = {"orientation": "h", "x": 0.5, "xanchor": "center", "y": 0.0, "yanchor": "top", "font": {"size": 13}}
    figure.update_layout(showlegend=True, legend=place | {"itemclick": False, "itemdoubleclick": False})


def _distances(count: int) -> NDArray[np.float64]:
    """Return how far from the centre each report is drawn, a function of its number alone."""
    return np.array([0.92 + 0.22 * (number * _GOLDEN % 1.0) for number in range(count)])
