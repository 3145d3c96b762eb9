"""The two charts of what the promise means, as plain SVG: at every epsilon, and over many reports.

What a point of a curve says is shown above the chart while the pointer is over it; a style sheet of the page hides and
shows it (``ldp-hit`` and ``ldp-tip``), so that nothing has to run for it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ldp_core.presentation.figures._drawing import (
    DOTS,
    Point,
    label,
    line,
    marks,
    path_of,
    promise,
    slices,
    stroke,
    svg,
    titles,
)
from ldp_core.presentation.figures._styles import COIN, NEUTRAL, RIGHT
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.single import at_root, share_grid, ticks_to
from ldp_core.presentation.figures.story.shares import chosen, limit_of_100
from ldp_core.statistics import theory
from ldp_core.words import numbers

ROUNDS = (1, 3, 10, 100)
"""Numbers of rounds that are marked."""
_TOLD_ROUNDS = (1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 70, 100)
_OTHERS = (0.1, 0.5, 1.0, 2.0)
_BOX = (-40.0, -134.0, 252.0, 168.0)
_BOLD = 'font-weight="700"'
_Words = Mapping[str, str]


def promise_svg(epsilon: float, words: _Words = ENGLISH) -> str:
    """Draw the most right guesses at every epsilon, and what the chosen one allows.

    ``epsilon``: privacy parameter in nats, from 0.01 to 30.
    """
    grid = share_grid(epsilon)

    def at(value: float) -> Point:
        share = 100.0 * theory.worst_case_identification(value)
        return 200.0 * at_root(value) / at_root(grid[-1]), 2.0 * (share - 50.0)

    curve = [at(value) for value in grid]
    parts = [f'<path d="{path_of([*curve, (200.0, 0.0)])}Z" fill="rgba(128,128,128,0.13)"/>']
    ticks = ticks_to(grid[-1])
    below = ((at(tick)[0], numbers.written(f"{tick:g}", words["separators"])) for tick in ticks)
    here = at(epsilon)
    parts += _frame(below, words, words["epsilon_axis"], here[0] - 4.0 if here[0] > 110.0 else 198.0)
    parts += promise(curve)
    parts.append(label(0, 122, chosen(epsilon, words), more=_BOLD, anchor="start"))
    parts += [line((here[0], 0.0), here, RIGHT, 1.2, DOTS), line((0.0, here[1]), here, RIGHT, 1.2, DOTS)]
    parts.append(marks(np.array([here]), RIGHT, "circle", 4.5, "newest"))
    parts.append(_tips([(at(tick), chosen(tick, words)) for tick in ticks]))
    return svg(_BOX, parts, words["alt_promise"].format(chosen=chosen(epsilon, words)))


def rounds_svg(epsilon: float, words: _Words = ENGLISH) -> str:
    """Draw the best attacker's right guesses after 1 to 100 reports, others' epsilons faintly beside it.

    ``epsilon``: privacy parameter of one round, in nats, from 0.01 to 30.
    """
    parts = _frame(((_across(number), f"{number}") for number in ROUNDS), words, words["rounds_axis"])
    parts.append(line((0, 90), (200, 90), NEUTRAL, 1.1, 'stroke-dasharray="6 2 1 2"'))
    first = _share(epsilon, 1)
    for other in _OTHERS:
        start = _share(other, 1)
        if abs(start - first) > (5.5 if first < 92 else 11):  # room for a label each
            parts.append(f'<path d="{_steps(other)}" fill="none" {stroke(COIN, 0.9)}/>')
            parts.append(label(2, 2.0 * (start - 50.0) + 2, words["epsilon_is"].format(epsilon=other), anchor="start"))
    parts.append(f'<path class="rounds" d="{_steps(epsilon)}" fill="none" {stroke(RIGHT, 2.2)}/>')
    points = [(_across(number), 2.0 * (_share(epsilon, number) - 50.0)) for number in ROUNDS]
    parts.append(marks(np.array(points), RIGHT, "circle", 3.6, "newest"))
    height = points[0][1]
    height += -10.0 if 14.0 < height < 91.0 else 4.0  # the axis or the line of the goal would cross the label
    parts.append(label(2, height, words["epsilon_is"].format(epsilon=epsilon), more=_BOLD, anchor="start"))
    goal = words["goal"].format(rounds=theory.rounds_until(epsilon, theory.NEARLY_SURE))
    parts.append(label(0, 122, goal, more=_BOLD, anchor="start"))
    shares = ((number, _share(epsilon, number)) for number in _TOLD_ROUNDS)
    told = [((_across(number), 2.0 * (share - 50.0)), _item(number, share, words)) for number, share in shares]
    parts.append(_tips(told))
    return svg(_BOX, parts, rounds_alt(epsilon, words))


def rounds_alt(epsilon: float, words: _Words = ENGLISH) -> str:
    """Return what ``rounds_svg`` shows, in two sentences."""
    items = [_item(number, _share(epsilon, number), words) for number in ROUNDS]
    needed = theory.rounds_until(epsilon, theory.NEARLY_SURE)
    return words["alt_rounds"].format(epsilon=epsilon, items=words["and"].join(items), rounds=needed)


def _frame(below: Iterable[tuple[float, str]], words: _Words, title: str, coin: float = 198.0) -> list[str]:
    """Return the axes of a chart of shares from 50 to 100, with the coin at their foot, named up to ``coin``."""
    parts = [f'<path d="M0 -100V0H200" fill="none" {stroke(COIN, 1)}/>']
    parts += [label(x, -13, text) for x, text in below]
    parts += [label(-4, 2 * share - 103.5, str(share), anchor="end") for share in range(50, 101, 10)]
    parts.append(line((0, 0), (200, 0), COIN, 1.4, DOTS))
    parts.append(label(coin, 4, words["coin"], anchor="end"))
    return [*parts, *titles(title, words["share_axis"])]


def _tips(tips: Sequence[tuple[Point, str]]) -> str:
    """Return what is said of points, each with a mark there."""
    shown = [
        (point[0], marks(np.array([point]), NEUTRAL, "circle", 3.2, "tip") + label(200, 108, text, anchor="end"))
        for point, text in tips
    ]
    return slices(shown, 200.0, 100.0)


def _item(number: int, share: float, words: _Words) -> str:
    return words["alt_rounds_item"].format(share=limit_of_100(share, words), rounds=number)


def _across(number: float) -> float:
    return 100.0 * math.log10(number)


def _share(epsilon: float, number: int) -> float:
    """Return right guesses of 100 after a number of rounds."""
    return 100.0 * theory.rounds_identification(epsilon, number)


def _steps(epsilon: float) -> str:
    """Return the path of right guesses, which stay the same from one round to the next and jump there."""
    points: list[Point] = []
    for number in range(1, ROUNDS[-1] + 1):
        height = 2.0 * (_share(epsilon, number) - 50.0)
        points += [(_across(number), points[-1][1] if points else height), (_across(number), height)]
    return path_of(points)
