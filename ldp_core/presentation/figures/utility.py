"""What privacy costs: how well the model learns, round by round, at several epsilons and without any privacy."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ldp_core.presentation.figures._parts import SHARES
from ldp_core.presentation.figures._styles import NEUTRAL, epsilon_style
from ldp_core.presentation.figures._words import ENGLISH, capital, sentence
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series

UtilityCurves = Sequence[tuple[float | None, Sequence[float], Sequence[float], Sequence[float]]]
"""(epsilon, or None for no privacy; mean share of right labels before the first round and after each; the lowest and
the highest of several trainings likewise, also for more rounds, or ())."""


def utility_chart(curves: UtilityCurves, words: Mapping[str, str] = ENGLISH, rounds: int | None = None) -> Chart:
    """Describe right labels of 100 after each round; an epsilon has a marker of its own, several trainings a band.

    ``curves``: at least one; epsilon None is drawn as black dashes; ``rounds``: planned rounds, where more of them may
    come and the axis shall not change meanwhile.
    """
    series, notes = [], []
    last = max(len(shares) - 1 for _, shares, *_ in curves)
    end = max(last, rounds or 0) or 1
    styles = [("#000000", "") if epsilon is None else epsilon_style(epsilon) for epsilon, *_ in curves]
    heights = spread([100 * shares[-1] for _, shares, *_ in curves], 5.5)
    for (epsilon, _, lowest, highest), (colour, _) in zip(curves, styles, strict=True):
        if lowest:
            there, back = range(len(lowest)), range(len(lowest) - 1, -1, -1)
            outline = [*lowest, *reversed(highest), lowest[0]]
            tint = NEUTRAL if epsilon is None else colour
            places, name = [*there, *back, 0], curve_name(epsilon, words)
            series.append(Series(name, places, [100 * value for value in outline], tint, fill=0.18, noted=True))
    for (epsilon, shares, *_), (colour, symbol), height in zip(curves, styles, heights, strict=True):
        name, numbers, values = curve_name(epsilon, words), list(range(len(shares))), [100 * share for share in shares]
        stroke = "promise" if epsilon is None else "line"
        says = words["hover_utility"].format(name=capital(name))
        series.append(Series(name, numbers, values, colour, stroke, 2.5, hover=says, noted=True))
        if symbol:
            step = max(1, -(-last // 8))
            shown = slice(last % step, None, step)  # the last round is among them
            series.append(replace(series[-1], x=numbers[shown], y=values[shown], stroke="", symbol=symbol, size=9))
        notes.append(Note(last, height, name, "left", "middle", (6, 0)))
    step = next(size * 10**power for power in itertools.count() for size in (1, 2, 5) if 6 * size * 10**power >= end)
    below = Axis(words["round_axis"], (0, end), ticks=[(number, str(number)) for number in range(0, end + 1, step)])
    beside, names = Axis(words["accuracy_axis"], (0, 102)), [note.text for note in notes]
    return Chart(series, below, beside, inches=2.2, notes=notes, order=names, margin=SHARES | {"r": 84})


def utility_alt(curves: UtilityCurves, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``utility_chart`` shows at the last round, in one sentence."""
    items = [{"name": curve_name(epsilon, words), "accuracy": 100 * shares[-1]} for epsilon, shares, *_ in curves]
    return sentence(words, "utility", items, rounds=max(len(shares) - 1 for _, shares, *_ in curves))


def curve_name(epsilon: float | None, words: Mapping[str, str]) -> str:
    """Return what a line is called."""
    return words["no_privacy"] if epsilon is None else words["epsilon_is"].format(epsilon=epsilon)


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move labels apart as little as keeps them a gap from each other, and in their order.

    >>> spread([50.0, 51.0, 90.0], 6.0)
    [47.5, 53.5, 90.0]
    """
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    blocks: list[list[int]] = []
    for index in order:
        blocks.append([index])
        while len(blocks) > 1 and _low(blocks[-1], heights, gap) < _low(blocks[-2], heights, gap) + gap * len(
            blocks[-2]
        ):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    places = [0.0] * len(heights)
    for block in blocks:
        low = _low(block, heights, gap)
        for step, index in enumerate(block):
            places[index] = low + gap * step
    return places


def _low(block: Sequence[int], heights: Sequence[float], gap: float) -> float:
    return sum(heights[index] for index in block) / len(block) - gap * (len(block) - 1) / 2
