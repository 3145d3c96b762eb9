"""Charts of one run for print: what epsilon promises, and what was measured beside it."""

import math
from collections.abc import Mapping, Sequence

from ldp_core.game.summary import expected_epsilon, has_law, summarize
from ldp_core.mechanisms import HONEST
from ldp_core.presentation.figures._parts import OUTLINE, SHARES, compared_digits
from ldp_core.presentation.figures._styles import SHADED, attack_style
from ldp_core.presentation.figures._words import ENGLISH, floored
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.statistics import intervals, theory
from ldp_core.types import EPSILON_RANGE, AuditResult
from ldp_core.words import numbers

Words = Mapping[str, str]
_LOWEST = 44
_SHADE = 0.13
TICKS = (0.01, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30)


def identification_chart(result: AuditResult, words: Words = ENGLISH) -> Chart:
    """Describe a run's right guesses of 100 against epsilon: the promise, this attack's law, what was measured.

    The law, where one is known, is the mean over the measured angles and norms; small markers are measurements, the
    big one is all of them with its nested 50 % and stated intervals.
    """
    config, summary, series, notes = result.config, summarize(result), [], []
    epsilon, (colour, symbol) = config.epsilon, attack_style(config.attack)
    reaches, grid = _law_is_promise(result), share_grid(epsilon)
    law = [100.0 * mean_law(result, value) for value in grid] if knows_law(result) else []
    if law:
        width = 8 if reaches else 3
        series.append(Series(words["law"], grid, law, colour, "line", width, hover="%{y:.2f}", noted=True))
        if not reaches:
            notes.append(_law_label(epsilon, grid, law, words["law"]))
    series += _promise(epsilon, words)
    promise = "promise_is_law" if reaches and config.mechanism in HONEST else "promise"
    begun = [item.counts for item in result.measurements if item.counts.num_trials]
    singles = [100.0 * counts.num_right / counts.num_trials for counts in begun]
    share, low = summary.identification, float(_LOWEST)
    if share is not None:
        inner = intervals.identification_interval(summary.counts, 0.5, anytime=not result.completed)
        series.append(_range(words["interval"], epsilon, (100.0 * share.lower, 100.0 * share.upper), colour, 5))
        series.append(_range(words["inner"], epsilon, [100.0 * end for end in (inner or (0.5,) * 3)[1:]], colour, 11))
        point = 100.0 * share.point
        text = words["measured"].format(point=point, digits=compared_digits(point))
        series.append(_mark(text, [epsilon], [point], colour, symbol, 13))
        series.append(_mark(words["single"], [epsilon] * len(begun), singles, OUTLINE, f"{symbol}-open", 7))
        if result.completed and min(*singles, 100.0 * share.lower) < _LOWEST + 2:  # while a run goes on, axes stay
            low = min(*singles, 100.0 * share.lower) - 4
        above = share.point > summary.theory_identification
        notes.append(_beside(epsilon, point, f"<b>{text}</b>", above=above, under=[*singles, *law[40:41]]))
    return _share_chart(epsilon, words, series, notes, promise, low)


def identification_alt(result: AuditResult, words: Words = ENGLISH) -> str:
    """Return what ``identification_chart`` shows, in one sentence; empty without trials."""
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


def epsilon_chart(result: AuditResult, words: Words = ENGLISH) -> Chart:
    """Describe a run's empirical epsilon against the promised one: law if known, interval, estimate, diagonal.

    While a run goes on, the axes depend on the promise alone, and what is beyond them stands at their end.
    Arguments as in ``identification_chart``.
    """
    config, found = result.config, summarize(result).epsilon
    (colour, symbol), claimed = attack_style(config.attack), config.epsilon
    top = 2.05 * claimed
    if result.completed:
        top = max(top, 1.08 * (found.point or 0.0), 1.08 * found.lower)
    lowest, shown_lower = -0.08 * top, min(found.lower, top)
    crosses = found.lower > claimed  # what was measured stands above the diagonal, its name below
    series = [
        Series(words["diagonal"], [0, top, top], [0, 0, top], SHADED, fill=_SHADE, noted=True),
        Series(words["diagonal"], [0, top], [0, top], stroke="promise", hover="%{y:.2f}", noted=True),
    ]
    place = (0.99 * top, 0.42 * top) if crosses else (0.80 * top, 0.80 * top)
    notes = [Note(*place, words["diagonal"], "right", "top" if crosses else "bottom")]
    if knows_law(result):
        grid = [top * step / 40 for step in range(1, 41) if top * step / 40 <= EPSILON_RANGE[1]]
        law = [expected_epsilon(result, value) for value in grid]
        drawn = Series(words["law"], [0.0, *grid], [0.0, *law], colour, "line", 3, hover="%{y:.2f}", noted=True)
        series.insert(1, drawn)
        if law[-1] < 0.8 * grid[-1]:
            notes.append(Note(grid[-1], law[-1], words["law"], "right", shift=(0, 4)))
    if found.max_provable < 0.97 * top:
        line = [found.max_provable] * 2
        series.append(Series(words["provable"], [0, top], line, stroke="coin", hover="%{y:.2f}", noted=True))
        notes.append(Note(0.01 * top, found.max_provable, words["provable"]))
    high = top if found.upper is None else min(found.upper, top)
    series.append(_range(words["interval"], claimed, (shown_lower, high), colour, 6))
    lower = words["lower"].format(lower=floored(found.lower))
    series.append(_mark(lower, [claimed], [shown_lower], colour, symbol, 12))
    text = f"<b>{lower}</b>"
    if found.point is not None:
        name, at = words["point"].format(point=found.point), min(max(found.point, lowest), top)
        series.append(_mark(name, [claimed], [at], OUTLINE, f"{symbol}-open", 10))
        text += f"<br>{name}"
    notes.append(Note(claimed, shown_lower, text, "right" if crosses else "left", "top", (-11 if crosses else 11, 0)))
    below, beside = Axis(words["claimed_axis"], (0, top)), Axis(words["empirical_axis"], (lowest, top))
    return Chart(series, below, beside, notes=notes)


def epsilon_alt(result: AuditResult, words: Words = ENGLISH) -> str:
    """Return what ``epsilon_chart`` shows, in one sentence."""
    epsilon = summarize(result).epsilon
    return words["alt_epsilon"].format(
        lower=floored(epsilon.lower),
        epsilon=result.config.epsilon,
        provable=float(numbers.ceiled(epsilon.max_provable, 2)),
    )


def _share_chart(
    epsilon: float, words: Words, series: Sequence[Series], notes: Sequence[Note], promise: str = "promise",
    low: float = _LOWEST,
) -> Chart:  # fmt: skip
    """Describe what every chart of right guesses has below its own marks: what is promised, and the coin."""
    grid = share_grid(epsilon)
    shares = [100.0 * theory.worst_case_identification(value) for value in grid]
    at = 0.6 if epsilon > 1.2 else 3.0
    end, side, inwards = (grid[-1], "right", -6) if epsilon < 0.5 else (grid[0], "left", 6)  # away from what is chosen
    common = [
        Series(words["coin"], [grid[0], grid[-1]], [50, 50], stroke="coin", noted=True),
        Series(words["promise"], [*grid, grid[-1], grid[0]], [*shares, 50, 50], SHADED, fill=_SHADE, noted=True),
    ]
    told = [
        Note(at, 100.0 * theory.worst_case_identification(at), words[promise], "right"),
        Note(end, 50, words["coin"], side, "top", (inwards, -2)),
    ]
    ticks = [(tick, f"{tick:g}") for tick in TICKS if grid[0] <= tick <= grid[-1]]
    tens = [(share, str(share)) for share in range(0 if low < _LOWEST else 50, 101, 10)]
    return Chart(
        [*common, *series], Axis(words["epsilon_axis"], (grid[0], grid[-1]), log=True, ticks=ticks),
        Axis(words["share_axis"], (low, 105), ticks=tens), notes=[*told, *notes], margin=SHARES, clip=True,
    )  # fmt: skip


def share_grid(epsilon: float) -> list[float]:
    """Return the values of epsilon, evenly spaced on a log axis, at which the curves beside a run are drawn."""
    low, high = min(0.1, epsilon / 1.5), max(9.0, 1.3 * epsilon)
    return [low * (high / low) ** (step / 60) for step in range(61)]


def mean_law(result: AuditResult, epsilon: float) -> float:
    """Return the exact law at another epsilon, averaged over the run's measured angles and norms."""
    pairs = [item.pair for item in result.measurements]
    clip = result.config.clip_norm
    laws = [
        theory.cosine_identification(epsilon, pair.angle_degrees, pair.norm_first, pair.norm_second, clip)
        for pair in pairs
    ]
    return sum(laws) / len(laws)


def knows_law(result: AuditResult) -> bool:
    """Return whether a run has pairs whose exact law is known."""
    return bool(result.measurements) and has_law(result.config)


def _law_is_promise(result: AuditResult) -> bool:
    epsilon = result.config.epsilon
    return knows_law(result) and (theory.worst_case_identification(epsilon) - mean_law(result, epsilon) < 0.002)


def _fraction(x: float, epsilon: float) -> float:
    """Return how far along the axis of a chart about ``epsilon`` a value lies, from 0 to 1."""
    grid = share_grid(epsilon)
    return math.log(x / grid[0]) / math.log(grid[-1] / grid[0])


def _beside(epsilon: float, y: float, text: str, *, above: bool, under: Sequence[float] = ()) -> Note:
    """Write beside a point where no rising curve runs, also on a narrow screen."""
    fraction = _fraction(epsilon, epsilon)
    if above and fraction > 0.3:
        return Note(epsilon, y, text, "right", "bottom", (-8, 5))
    if above:
        return Note(epsilon, y, text, "left", "bottom", (8, 8))
    if fraction <= 0.55:
        return Note(epsilon, y, text, "left", "top", (12, -4))
    return Note(share_grid(epsilon)[-1], min([y, *under]), text, "right", "top", (0, -8))


def _law_label(epsilon: float, grid: Sequence[float], law: Sequence[float], text: str) -> Note:
    """Name the law's curve away from the measured point's label."""
    if epsilon > 2.3:
        near = min(range(len(grid)), key=lambda index: abs(grid[index] - 0.6))
        return Note(grid[near], law[near], text, "left", "top", (6, -2))
    if 100.0 * theory.worst_case_identification(grid[-1]) - law[-1] > 8.0:
        return Note(grid[-1], law[-1], text, "right", shift=(0, 4))
    return Note(grid[-1], law[42], text, "right", "top", (0, -6))


def _promise(epsilon: float, words: Words) -> list[Series]:
    grid = share_grid(epsilon)
    shares = [100.0 * theory.worst_case_identification(value) for value in grid]
    return [Series(words["promise"], grid, shares, stroke="promise", hover="%{y:.2f}", noted=True)]


def _range(name: str, x: float, ends: Sequence[float], colour: str, width: float) -> Series:
    return Series(name, [x, x], ends, colour, "line", width, hover="%{y:.2f}", opacity=0.55, noted=True)


def _mark(name: str, x: Sequence[float], y: Sequence[float], colour: str, symbol: str, size: float) -> Series:
    return Series(name, x, y, colour, symbol=symbol, size=size, hover="%{y:.2f}", noted=True)
