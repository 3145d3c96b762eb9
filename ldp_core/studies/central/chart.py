"""What DP-SGD promises, as a curve, and what attackers reached below it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.presentation.figures._styles import COIN, LINE_COLOURS, LINE_MARKERS, WRONG
from ldp_core.presentation.figures._words import ENGLISH, capital, sentence
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.statistics import accountant, curve_test
from ldp_core.statistics.central_law import LastIterate
from ldp_core.studies.central.result import SIGNIFICANCE, CentralConfig, claimed
from ldp_core.types import TrialCounts

_POINTS = np.concatenate([np.linspace(0.0, 0.1, 21), np.linspace(0.11, 1.0, 90)])


@dataclass(frozen=True, slots=True)
class Reached:
    """What one attacker reached: shares of "out" taken for "in" and of "in" taken for "out", with upper limits of both.

    ``place`` among all attackers decides colour and marker.
    """

    name: str
    false_alarms: float
    missed: float
    upper: tuple[float, float]
    place: int


@dataclass(frozen=True, slots=True)
class ClaimPlane:
    """A claimed curve, points of false alarms and least missed from (0, 1) to (1, 0), with what was reached.

    At most eight attackers are shown. ``last`` is the curve for who sees the last model only; ``known`` were measured
    in advance, and are drawn hollow where something else is reached.
    """

    epsilon: float
    curve: Sequence[tuple[float, float]]
    last: Sequence[tuple[float, float]]
    reached: Sequence[Reached]
    known: Sequence[Reached] = ()


def claim_plane(
    config: CentralConfig,
    reached: Mapping[str, TrialCounts],
    words: Mapping[str, str],
    known: Mapping[str, TrialCounts] | None = None,
) -> ClaimPlane:
    """Return what the chart is drawn from: the claim's curves, and what each result reached.

    ``reached``: judged games against the claim, by adversary; ``known``: those that were measured in advance.
    """
    claim = claimed(config)
    curve, last = accountant.rough(claim).tradeoff(_POINTS), LastIterate(claim).tradeoff(_POINTS)
    points = [float(point) for point in _POINTS]
    return ClaimPlane(
        config.epsilon,
        list(zip(points, map(float, curve), strict=True)),
        list(zip(points, map(float, last), strict=True)),
        [_place(name, counts, words) for name, counts in reached.items() if counts.num_trials],
        [_place(name, counts, words) for name, counts in (known or {}).items()],
    )


def _place(name: str, counts: TrialCounts, words: Mapping[str, str]) -> Reached:
    alarms, missed = counts.second_as_first / counts.num_second, counts.first_as_second / counts.num_first
    limits = curve_test.upper_limits(counts, SIGNIFICANCE)
    return Reached(words[f"adversary_{name}"], alarms, missed, limits, list(ADVERSARIES).index(name))


def claim_chart(plane: ClaimPlane, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe the claimed curve, a coin's line, and each attacker with both upper limits."""
    claim, coin = words["central_claim"].format(epsilon=plane.epsilon), words["central_coin"]
    lines = (
        Series(claim, *_percent(plane.curve), stroke="promise", hover=claim, noted=True),
        Series(words["central_last"], *_percent(plane.last), COIN, "line", 1.5),
        Series(coin, [0, 100], [100, 0], stroke="coin", noted=True),
    )
    below, beside = Axis(words["central_positive_axis"], (-2, 102)), Axis(words["central_negative_axis"], (-2, 108))
    notes = [Note(0, 101, claim), Note(72, 28, coin, shift=(6, 2))]
    known = (_known(attacker, words) for attacker in plane.known)
    reached = (_reached(attacker, words) for attacker in plane.reached)
    return Chart((*lines, *known, *reached), below, beside, 460, 3.0, square=True, notes=notes)


def claim_alt(plane: ClaimPlane, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``claim_chart`` shows, in one sentence."""
    items = [
        {"name": attacker.name, "first": 100 * attacker.false_alarms, "second": 100 * attacker.missed}
        for attacker in plane.reached
    ]
    return sentence(words, "central", items, epsilon=plane.epsilon)


def style(number: int) -> tuple[str, str]:
    """Return colour and marker of the attacker at a place."""
    colours = [*LINE_COLOURS, WRONG]
    return colours[number % len(colours)], LINE_MARKERS[number % len(LINE_MARKERS)]


def _reached(attacker: Reached, words: Mapping[str, str]) -> Series:
    (colour, symbol), x, y = style(attacker.place), 100 * attacker.false_alarms, 100 * attacker.missed
    ends = [(x, 100 * attacker.upper[0])], [(y, 100 * attacker.upper[1])]
    says = words["hover_central"].format(
        name=capital(attacker.name), first=x, second=y, first_upper=100 * attacker.upper[0],
        second_upper=100 * attacker.upper[1],
    )  # fmt: skip
    return Series(attacker.name, [x], [y], colour, "", 0, symbol, 11, *ends, hover=says)


def _known(attacker: Reached, words: Mapping[str, str]) -> Series:
    full = _reached(attacker, words)
    name = words["central_known"].format(name=attacker.name)
    return replace(full, name=name, symbol=f"{full.symbol}-open", size=9, x_ends=(), y_ends=(), opacity=0.7)


def _percent(corners: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [100 * x for x, _ in corners], [100 * y for _, y in corners]
