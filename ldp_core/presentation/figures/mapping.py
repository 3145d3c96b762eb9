"""The map: right guesses by angle and norm, the only two ways in which an attack gains, with every measured pair."""

import math
from collections.abc import Mapping, Sequence

from ldp_core.presentation.figures._styles import attack_style
from ldp_core.presentation.figures._words import ENGLISH, attack_name, sentence
from ldp_core.presentation.figures.described import Axis, Chart, Field, Series
from ldp_core.presentation.tables import PairPoint
from ldp_core.statistics import theory

MOST_PAIRS = 50
"""Pairs of one attack on a map; more would only hide each other."""


def few(points: Sequence[PairPoint]) -> list[PairPoint]:
    """Return the first pairs of each attack."""
    groups: dict[str, list[PairPoint]] = {}
    for point in points:
        groups.setdefault(point.attack, []).append(point)
    return [point for group in groups.values() for point in group[:MOST_PAIRS]]


def map_step(epsilon: float) -> float:
    """Return the distance of the contour lines, in right guesses of 100: at most nine lines."""
    span = 100 * theory.worst_case_identification(epsilon) - 50
    return next(step for step in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0) if span / step < 9 or step == 10.0)


def map_chart(
    epsilon: float,
    clip_norm: float,
    points: Sequence[PairPoint],
    words: Mapping[str, str] = ENGLISH,
    trail: Sequence[Sequence[PairPoint]] = (),
) -> Chart:
    """Describe the exact law over angle and mean clipped norm as contour lines, with every measured pair on it.

    ``epsilon``: in nats, > 0; ``points``: from ``tables.pair_points``, of which those at another epsilon are left out;
    ``trail``: where the same pairs, in the same order, lay earlier in the training, oldest first: faded, with a line to
    each.
    """
    series = _ways([*trail, points], epsilon, clip_norm, words["earlier"]) if trail else []
    for age, earlier in enumerate(trail):
        for attack, group in _by_attack(earlier, epsilon).items():
            (colour, symbol), opacity = attack_style(attack), 0.15 + 0.35 * (age + 1) / len(trail)
            places = _places(group, clip_norm)
            series.append(
                Series(words["earlier"], *places, colour, symbol=symbol, size=7, opacity=opacity, noted=True)
            )  # fmt: skip
    groups = _by_attack(points, epsilon)
    for attack, group in groups.items():
        (colour, symbol), (x, y), name = attack_style(attack), _places(group, clip_norm), attack_name(words, attack)
        texts = [words["hover_map"].format(name=name, point=100 * point.share.point) for point in group]
        sizes = marker_sizes(attack, groups)
        series.append(Series(name, x, y, colour, symbol=symbol, size=sizes, hover="%{text}", texts=texts))
    angles, norms = [5.0 * step for step in range(37)], [step / 20 for step in range(21)]
    shares = [
        [round(100 * theory.cosine_identification(epsilon, angle, norm, norm, 1.0), 3) for angle in angles]
        for norm in norms
    ]
    step, heights = map_step(epsilon), [norm * clip_norm for norm in norms]
    law = Field(words["map_title"].format(epsilon=epsilon), angles, heights, shares, 50 + step, step)
    below = Axis(words["angle_axis"], (0, 198), ticks=[(angle, str(angle)) for angle in (0, 45, 90, 135, 180)])
    beside = Axis(words["mean_norm_axis"], (0, 1.09 * clip_norm))
    names = [attack_name(words, attack) for attack in groups]
    return Chart(series, below, beside, 540, 2.75, order=names, shared=[words["earlier"]], field=law)


def map_alt(epsilon: float, points: Sequence[PairPoint], words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``map_chart`` shows, in one sentence: each attack's mean angle, norm and share."""
    items = []
    for attack, group in _by_attack(points, epsilon).items():
        angle, norm, share = (
            math.fsum(values) / len(group)
            for values in zip(*((point.angle, point.norm, point.share.point) for point in group), strict=True)
        )
        name = attack_name(words, attack)
        items.append({"attack": name, "angle": angle, "norm": norm, "point": 100 * share})
    return sentence(words, "map", items, epsilon=epsilon, top=100 * theory.worst_case_identification(epsilon))


def marker_sizes(attack: str, groups: Mapping[str, Sequence[PairPoint]]) -> list[float]:
    """Return marker sizes: larger below a later attack's marker at the same place, so that both are seen."""
    later = list(groups)[list(groups).index(attack) + 1 :]
    covered = [{(round(point.angle), round(point.norm, 2)) for point in groups[name]} for name in later]
    return [
        11.0 + 5.0 * sum((round(point.angle), round(point.norm, 2)) in places for places in covered)
        for point in groups[attack]
    ]


def _ways(levels: Sequence[Sequence[PairPoint]], epsilon: float, clip_norm: float, name: str) -> list[Series]:
    """Describe the way of each pair through the levels; all ways of an attack are one broken line."""
    series = []
    for attack in _by_attack(levels[-1], epsilon):
        x: list[float] = []
        y: list[float] = []
        pairs = [_by_attack(level, epsilon).get(attack, []) for level in levels]
        if len({len(group) for group in pairs}) > 1:  # a pair could not be made at some level
            continue
        for way in zip(*pairs, strict=True):
            across, up = _places(way, clip_norm)
            x += [*across, math.nan]  # a gap before the next one
            y += [*up, math.nan]
        series.append(Series(name, x, y, attack_style(attack)[0], "line", 1.5, opacity=0.6, noted=True))
    return series


def _places(points: Sequence[PairPoint], clip_norm: float) -> tuple[list[float], list[float]]:
    return [point.angle for point in points], [point.norm * clip_norm for point in points]


def _by_attack(points: Sequence[PairPoint], epsilon: float) -> dict[str, list[PairPoint]]:
    groups: dict[str, list[PairPoint]] = {}
    for point in points:
        if point.epsilon == epsilon:
            groups.setdefault(point.attack, []).append(point)
    return groups
