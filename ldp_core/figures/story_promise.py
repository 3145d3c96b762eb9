"""The pictures of what the promise means: a belief before and after one report, and many rounds."""

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ldp_core import theory
from ldp_core.figures._parts import SHADE, SHARES, dashes, frame, line, marker, note
from ldp_core.figures._styles import COIN, NEUTRAL, RIGHT
from ldp_core.figures._words import ENGLISH
from ldp_core.figures.story import of_100, opens

ROUNDS = (1, 3, 10, 100)
"""Numbers of rounds that are marked."""
GOAL = 0.95
_ABOVE = {"xaxis": "x2", "yaxis": "y2"}
_LEFT_ABOVE = ("right", "bottom", (-2, 4))
_OTHERS = (0.1, 0.5, 1.0, 2.0)


def posterior_figure(prior: float, epsilon: float, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw a belief before one report, the most it can be after it, and the same for every belief.

    Args:
        prior: belief beforehand that update A was sent, in [0, 1].
        epsilon: privacy parameter in nats, >= 0.
        words: texts on the chart, see ``ENGLISH``.
    """
    before, after = 100.0 * prior, 100.0 * theory.posterior(prior, epsilon)
    figure = frame(SHARES | {"l": 53, "t": 4, "b": 53})
    for height, share, colour, name in ((1.0, before, COIN, "before"), (0.0, after, RIGHT, "after")):
        for length, paint in ((100.0, SHADE), (share, colour)):
            bar = {"color": paint, "line": {"width": 0}}
            figure.add_bar(x=[length], y=[height], width=0.42, orientation="h", marker=bar, hoverinfo="skip", **_ABOVE)
        text = words["after_open" if name == "after" and opens(share) else name].format(share=of_100(share, words))
        note(figure, 0.0, height + 0.23, text, "left", "bottom", xref="x2", yref="y2")
    line(figure, [0, 100], [0, 100], COIN, 2, dash="dot", hoverinfo="skip")
    grid = [float(step) for step in range(101)]
    dashes(figure, grid, [100.0 * theory.posterior(value / 100.0, epsilon) for value in grid])
    line(figure, [before, before], [before, after], RIGHT, 3, hoverinfo="skip")
    marker(figure, [before], [before], COIN, "circle", 9)
    marker(figure, [before], [after], RIGHT, "circle", 13)
    note(figure, 62, 58, words["unmoved"], "left", "top")
    figure.update_xaxes(title_text=words["before_axis"], range=[0, 103])
    figure.update_yaxes(title_text=words["after_axis"], range=[0, 105], domain=[0.0, 0.66])
    hidden = {"visible": False, "fixedrange": True}
    figure.update_layout(
        barmode="overlay",
        height=480,
        xaxis2=hidden | {"range": [0, 103], "anchor": "y2"},
        yaxis2=hidden | {"range": [-0.3, 1.62], "domain": [0.72, 1.0], "anchor": "x2"},
    )
    return figure


def posterior_alt(prior: float, epsilon: float, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``posterior_figure`` shows, in one sentence."""
    before, after = 100.0 * prior, 100.0 * theory.posterior(prior, epsilon)
    text = words["alt_posterior_open" if opens(after) else "alt_posterior"]
    return text.format(before=of_100(before, words), after=of_100(after, words), epsilon=epsilon)


def rounds_figure(epsilon: float, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw the best attacker's right guesses of 100 after 1 to 100 rounds, others' epsilons faintly beside it.

    Args:
        epsilon: privacy parameter of one round, in nats, from 0.01 to 30.
        words: texts on the chart, see ``ENGLISH``.
    """
    figure = frame(SHARES | {"r": 16, "t": 34})
    line(figure, [1, ROUNDS[-1]], [50, 50], COIN, 2, dash="dot", hoverinfo="skip")
    line(figure, [1, ROUNDS[-1]], [100 * GOAL] * 2, NEUTRAL, 1.5, dash="dashdot", hoverinfo="skip")
    rounds = list(range(1, ROUNDS[-1] + 1))
    first = _shares(epsilon, [1])[0]
    for other in _OTHERS:
        shares = _shares(other, rounds)
        if abs(shares[0] - first) > (5.5 if first < 92 else 11):  # room for a label each
            line(figure, rounds, shares, COIN, 1.2, line_shape="hv", opacity=0.7, hoverinfo="skip")
            note(figure, 0, shares[0], words["epsilon_is"].format(epsilon=other), "left", "bottom", font={"size": 11})
    line(figure, rounds, _shares(epsilon, rounds), RIGHT, 3, line_shape="hv")
    marks = _shares(epsilon, ROUNDS)
    marker(figure, ROUNDS, marks, RIGHT, "circle", 11)
    texts = [">99.99" if opens(share) else of_100(share, words) for share in marks]
    start = words["round_point"].format(epsilon=epsilon, share=texts[0])
    places = {1: ("left", "top", (0, -5)), 3: _LEFT_ABOVE, 10: _LEFT_ABOVE, 100: ("right", "bottom", (0, 6))}
    if first < 57:  # between the curve and the coin is no room
        places |= {1: ("left", "bottom", (0, 5)), 3: ("left", "top", (4, -3))}
    for number, share, text in zip(ROUNDS, marks, (start, *texts[1:]), strict=True):
        height = share if number > 1 or share < 92 else 94.5
        note(figure, math.log10(number), height, f"<b>{text}</b>", *places[number])
    goal = words["goal"].format(rounds=theory.rounds_until(epsilon, GOAL))
    note(figure, 0, 1, goal, "left", "bottom", (-40, 4), xref="paper", yref="paper")
    note(figure, 2, 50, words["coin"], "right", "top", (0, -2))
    figure.update_xaxes(type="log", range=[-0.04, 2.04], tickvals=ROUNDS, title_text=words["rounds_axis"])
    figure.update_yaxes(title_text=words["share_axis"], range=[44, 107], tickvals=[50, 60, 70, 80, 90, 100])
    return figure


def rounds_alt(epsilon: float, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``rounds_figure`` shows, in two sentences."""
    marks = zip(_shares(epsilon, ROUNDS), ROUNDS, strict=True)
    items = [words["alt_rounds_item"].format(share=of_100(share, words), rounds=number) for share, number in marks]
    needed = theory.rounds_until(epsilon, GOAL)
    return words["alt_rounds"].format(epsilon=epsilon, items=words["and"].join(items), rounds=needed)


def _shares(epsilon: float, rounds: Sequence[int]) -> list[float]:
    """Return right guesses of 100 after each number of rounds."""
    return [100.0 * theory.rounds_identification(epsilon, number) for number in rounds]
