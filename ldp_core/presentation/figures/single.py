"""Charts of one run for print: what epsilon promises, and what was measured beside it, on the axes of the screen."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ldp_core.game.summary import expected_epsilon, knows_law, mean_law, summarize
from ldp_core.presentation.figures._parts import OUTLINE, compared_digits, most_of_100
from ldp_core.presentation.figures._styles import SHADED, attack_style
from ldp_core.presentation.figures._words import ENGLISH, floored
from ldp_core.presentation.figures.described import Axis, Chart, Series
from ldp_core.statistics import intervals, theory
from ldp_core.types import EPSILON_RANGE, AuditResult
from ldp_core.words import numbers

Words = Mapping[str, str]
_LOWEST = 44
_SHADE = 0.13
_USUAL = 9.0
_APART = 0.06
"""Least distance of two numbers on an axis, as a share of it."""
_TICKS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)


def share_grid(*epsilons: float) -> list[float]:
    """Return the values of epsilon at which curves are drawn, evenly spaced on the axis of ``at_root``.

    The last is the axis' end: the usual one, or beyond every epsilon that is shown.
    """
    high = max([_USUAL, *(1.2 * value for value in epsilons if value > _USUAL)])
    return [high * (step / 80) ** 2 for step in range(81)]


def at_root(epsilon: float) -> float:
    """Return where an epsilon lies on every axis of epsilon: at its square root, so that 0, 0.5 and 8 stand on it."""
    return math.sqrt(max(epsilon, 0.0))


def ticks_to(high: float) -> list[float]:
    """Return the values of epsilon that are written on an axis with this end, without those too close to the next."""
    shown = [tick for tick in _TICKS if tick <= high]
    apart = [at_root(above) - at_root(tick) for tick, above in pairwise(shown)]
    return [tick for tick, gap in zip(shown, [*apart, math.inf], strict=True) if gap > _APART * at_root(high)]


def identification_chart(result: AuditResult, words: Words = ENGLISH) -> Chart:
    """Describe a run's right guesses of 100 against epsilon: the promise, this attack's law, what was measured.

    The law, where one is known, is the mean over the measured angles and norms; small markers are measurements, the
    big one is all of them with its nested 50 % and stated intervals.
    """
    config, summary, grid = result.config, summarize(result), share_grid(result.config.epsilon)
    (colour, symbol), here, places = attack_style(config.attack), at_root(config.epsilon), list(map(at_root, grid))
    shares = [100.0 * theory.worst_case_identification(value) for value in grid]
    series = [
        Series(words["coin"], [places[0], places[-1]], [50, 50], stroke="coin"),
        Series(words["promise"], [*places, places[-1]], [*shares, 50], SHADED, fill=_SHADE),
    ]
    if knows_law(result):
        law = [50.0, *(100.0 * mean_law(result, value) for value in grid[1:])]
        short = theory.worst_case_identification(config.epsilon) - mean_law(result, config.epsilon)
        series.append(Series(words["law"], places, law, colour, "line", 8 if short < 0.002 else 3))
    series.append(Series(words["promise"], places, shares, stroke="promise"))
    begun = [item.counts for item in result.measurements if item.counts.num_trials]
    singles = [100.0 * counts.num_right / counts.num_trials for counts in begun]
    share, low = summary.identification, float(_LOWEST)
    if share is not None:
        inner = intervals.identification_interval(summary.counts, 0.5, anytime=not result.completed)
        series.append(_range(words["interval"], here, (100.0 * share.lower, 100.0 * share.upper), colour, 5))
        series.append(_range(words["inner"], here, [100.0 * end for end in (inner or (0.5,) * 3)[1:]], colour, 11))
        point = 100.0 * share.point
        text = words["measured"].format(point=point, digits=compared_digits(point))
        series.append(_mark(text, [here], [point], colour, symbol, 13))
        series.append(_mark(words["single"], [here] * len(begun), singles, OUTLINE, f"{symbol}-open", 7))
        if result.completed and min(*singles, 100.0 * share.lower) < _LOWEST + 2:  # while a run goes on, axes stay
            low = min(*singles, 100.0 * share.lower) - 4
    tens = [(share, str(share)) for share in range(0 if low < _LOWEST else 50, 101, 10)]
    beside = Axis(words["share_axis"], (low, 105), ticks=tens)
    return Chart(series, epsilon_axis(words["epsilon_axis"], grid), beside, clip=True)


def identification_alt(result: AuditResult, words: Words = ENGLISH) -> str:
    """Return what ``identification_chart`` shows, in one sentence; empty without trials."""
    summary = summarize(result)
    share = summary.identification
    if share is None:
        return ""
    promise = most_of_100(100 * summary.theory_identification, words)
    return words["alt_identification"].format(epsilon=result.config.epsilon, promise=promise, **share.of_100)


def epsilon_chart(result: AuditResult, words: Words = ENGLISH) -> Chart:
    """Describe a run's empirical epsilon against the promised one: law if known, interval, estimate, diagonal.

    What is beyond the axes stands at their end. Arguments as in ``identification_chart``.
    """
    config, estimate, grid = result.config, summarize(result).epsilon, share_grid(result.config.epsilon)
    (colour, symbol), here, top = attack_style(config.attack), at_root(config.epsilon), at_root(grid[-1])

    def up(epsilon: float) -> float:
        return min(at_root(epsilon), top)

    series = [Series(words["diagonal"], [0, top, top], [0, 0, top], SHADED, fill=_SHADE)]
    if knows_law(result):
        known = [value for value in grid if EPSILON_RANGE[0] <= value <= EPSILON_RANGE[1]]
        law = [0.0, *(up(expected_epsilon(result, value)) for value in known)]
        series.append(Series(words["law"], [0.0, *map(at_root, known)], law, colour, "line", 3))
    series.append(Series(words["diagonal"], [0, top], [0, top], stroke="promise"))
    if at_root(estimate.max_provable) < 0.97 * top:
        series.append(Series(words["provable"], [0, top], [at_root(estimate.max_provable)] * 2, stroke="coin"))
    ends = up(estimate.lower), top if estimate.upper is None else up(estimate.upper)
    series.append(_range(words["interval"], here, ends, colour, 6))
    series.append(
        _mark(words["lower"].format(lower=floored(estimate.lower)), [here], [up(estimate.lower)], colour, symbol, 12)
    )
    if estimate.point is not None:
        name = words["point"].format(point=estimate.point)
        series.append(_mark(name, [here], [up(estimate.point)], OUTLINE, f"{symbol}-open", 10))
    beside = epsilon_axis(words["empirical_axis"], grid)
    return Chart(series, epsilon_axis(words["epsilon_axis"], grid), beside)


def epsilon_alt(result: AuditResult, words: Words = ENGLISH) -> str:
    """Return what ``epsilon_chart`` shows, in one sentence."""
    epsilon = summarize(result).epsilon
    return words["alt_epsilon"].format(
        lower=floored(epsilon.lower),
        epsilon=result.config.epsilon,
        provable=float(numbers.ceiled(epsilon.max_provable, 2)),
    )


def epsilon_axis(title: str, grid: Sequence[float]) -> Axis:
    """Return an axis of epsilon, at square roots, that ends where a grid does."""
    return Axis(title, (0.0, at_root(grid[-1])), ticks=[(at_root(tick), f"{tick:g}") for tick in ticks_to(grid[-1])])


def _range(name: str, x: float, ends: Sequence[float], colour: str, width: float) -> Series:
    return Series(name, [x, x], ends, colour, "line", width, opacity=0.55)


def _mark(name: str, x: Sequence[float], y: Sequence[float], colour: str, symbol: str, size: float) -> Series:
    return Series(name, x, y, colour, symbol=symbol, size=size)
