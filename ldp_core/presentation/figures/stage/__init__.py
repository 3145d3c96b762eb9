"""The two charts of the stage as plain SVG: right guesses of 100, and the leak as an epsilon, each on its promise.

One drawing serves before, during and after a run, so that nothing moves but the point. Both charts have one axis of
epsilon, see ``single.at_root``; it grows only with an epsilon beyond, of this run or an earlier one. What a mark says
is shown above the chart while the pointer is over it, see ``ldp-hit`` and ``ldp-tip`` in the pages' style sheet;
letters are 17 units high at most.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ldp_core.game.summary import expected_epsilon, judged_law, judged_share, knows_law, summarize
from ldp_core.presentation.figures._drawing import DOTS, Point, label, line, path_of, promise, slices, stroke, svg
from ldp_core.presentation.figures._parts import compared_digits, most_of_100, opens
from ldp_core.presentation.figures._styles import COIN, NEUTRAL, SHADED, attack_style
from ldp_core.presentation.figures._words import ENGLISH, attack_name, floored
from ldp_core.presentation.figures.single import at_root, share_grid, ticks_to
from ldp_core.presentation.figures.stage._room import HEIGHT, LETTER, WIDTH, Room
from ldp_core.statistics import theory
from ldp_core.statistics.intervals import Interval
from ldp_core.types import EPSILON_RANGE, AuditResult
from ldp_core.words import numbers

_BOX = (-46.0, -270.0, 482.0, 328.0)
_LEAST, _MOST = 46.0, 101.0
_BOLD = 'font-weight="700"'
Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Axes:
    """Where numbers lie: ``at`` returns the place of an epsilon and of a height."""

    at: Callable[[float, float], Point]
    grid: Sequence[float]
    ticks: Sequence[float]


def stage_share_svg(
    epsilon: float, result: AuditResult | None, earlier: Sequence[AuditResult] = (), words: Words = ENGLISH,
    chosen: float | None = None, guess: int | None = None,
) -> str:  # fmt: skip
    """Draw the right guesses of 100 at every epsilon: the most allowed, this attack's law, and what was measured.

    Who speaks only when surest is counted where it speaks.

    ``result``: a run, also one on its way; None before any. ``earlier``: runs beside it; ``chosen``: the epsilon that
    is set by now, where it is another one: a ring on the promise; ``guess``: right guesses of 100 that the client
    expected: a hollow diamond, with the gap to what was measured.
    """
    axes, most = _axes(epsilon, earlier, chosen, _of_100), 100.0 * theory.worst_case_identification(epsilon)
    curve = [axes.at(value, 100.0 * theory.worst_case_identification(value)) for value in axes.grid]
    coin = [axes.at(0.0, 50.0), axes.at(axes.grid[-1], 50.0)]
    parts = [_area([coin[0], *curve, coin[1]])]
    parts += [_row(axes.at(0.0, share)[1], str(share)) for share in range(60, 101, 10)]
    parts += [line(coin[0], coin[1], COIN, 1.6, DOTS), label(-6, coin[0][1] - 5, "50", anchor="end")]
    parts += _below(axes, words)
    path = [] if result is None or not knows_law(result) else [coin[0]]
    path += [axes.at(value, 100.0 * judged_law(result, value)) for value in axes.grid[1:] if result and path]
    reaches = bool(path) and max(abs(law_point[1] - top[1]) for law_point, top in zip(path, curve, strict=True)) < 4.0
    here, colour = axes.at(epsilon, most), _colour(result)
    if path:
        parts.append(f'<path class="law" d="{path_of(path)}" fill="none" {stroke(colour, 2.6)}/>')
    parts += promise(curve)
    told = [_slice(axes.at(value, 0.0)[0], _promised(value, result, words)) for value in axes.ticks[1:]]
    parts.append(slices(told, WIDTH, HEIGHT))
    before = [
        (axes.at(run.config.epsilon, _within(100.0 * share.point)), _said(run, share, words), run)
        for run in earlier
        if (share := judged_share(run)) is not None
    ]
    parts += [_faint(*run) for run in before]
    parts.append(line((here[0], coin[0][1]), here, NEUTRAL, 1.2, DOTS))
    ring = [] if chosen is None else [axes.at(chosen, 100.0 * theory.worst_case_identification(chosen))]
    room = Room([curve, path, coin, [(here[0], coin[0][1]), here]], [here, *ring, *(run[0] for run in before)])
    parts.append(room.write([words["coin"]], [(WIDTH, coin[0][1] - LETTER, "end")]))
    text = words["stage_at"].format(share=most_of_100(most, words), epsilon=epsilon)
    share = None if result is None else judged_share(result)
    if result is None or share is None:
        parts.append(_ring(here))
        alt = words["alt_promise"].format(chosen=text)
    else:
        point_text = stage_found(epsilon, share.point)
        hover = words["stage_hover"].format(epsilon=epsilon, promise=most_of_100(most, words), point=point_text)
        ends = [axes.at(epsilon, _within(100.0 * end)) for end in (share.lower, share.upper)]
        point = axes.at(epsilon, _within(100.0 * share.point))
        parts += _measured(ends, point, colour, hover)
        room.take(ends, point)
        if guess is not None:
            guess_place = axes.at(epsilon, _within(float(guess)))
            parts += _guessed(guess_place, point, words["stage_guessed"].format(guess=guess))
            room.take([guess_place, point], guess_place)
        measured = f"{words['stage_measured']} {point_text}"
        parts.append(room.beside(point, measured, above=100.0 * share.point > most + 0.5, more=_BOLD))
        alt = f"{hover}."
    parts += [_ring(place) for place in ring]
    top = words["nearly"] if opens(most) else words["stage_top"].format(share=most_of_100(most, words))
    parts.append(room.beside(here, top, above=True))
    parts.append(room.along(curve, words["stage_both" if reaches else "stage_most"].split("\n")))
    if path and not reaches:
        parts.append(room.at_end(path, [words["stage_law"]]))
    return svg(_BOX, parts, alt)


def stage_found(epsilon: float, share: float) -> str:
    """Write a measured share of 100 as it is written beside the promise of an epsilon, with the same decimals."""
    return f"{100.0 * share:.{compared_digits(100.0 * theory.worst_case_identification(epsilon))}f}"


def stage_epsilon_svg(
    epsilon: float, result: AuditResult | None, earlier: Sequence[AuditResult] = (), words: Words = ENGLISH,
    chosen: float | None = None,
) -> str:  # fmt: skip
    """Draw the measured epsilon against the promised one; arguments as in ``stage_share_svg``."""
    axes = _axes(epsilon, earlier, chosen, lambda value, high: at_root(value) / at_root(high))
    end = axes.grid[-1]
    diagonal, corner = [axes.at(value, value) for value in axes.grid], axes.at(end, 0.0)
    parts = [_area([*diagonal, corner])]
    parts += [_row(across * HEIGHT / WIDTH, text) for across, text in _apart(axes, words)]
    parts += _below(axes, words)
    colour, law = _colour(result), list[Point]()
    if result is not None and knows_law(result):
        laws = ((value, min(end, expected_epsilon(result, value))) for value in axes.grid if value >= EPSILON_RANGE[0])
        law = [axes.at(0.0, 0.0), *(axes.at(*values) for values in laws)]
        parts.append(f'<path class="law" d="{path_of(law)}" fill="none" {stroke(colour, 2.6)}/>')
    parts += promise(diagonal)
    told = [_slice(axes.at(tick, 0.0)[0], words["epsilon_is"].format(epsilon=tick)) for tick in axes.ticks]
    parts.append(slices(told, WIDTH, HEIGHT))
    before = [(run, summarize(run).epsilon.lower) for run in earlier]
    places = [axes.at(run.config.epsilon, min(lower, end)) for run, lower in before]
    for place, (run, lower) in zip(places, before, strict=True):
        attack = attack_name(words, run.config.attack)
        sentence = words["stage_earlier_epsilon"].format(
            attack=attack, epsilon=run.config.epsilon, lower=floored(lower)
        )
        parts.append(_faint(place, sentence, run))
    here = axes.at(epsilon, epsilon)
    parts.append(line((here[0], 0.0), here, NEUTRAL, 1.2, DOTS))
    room = Room([diagonal, law, [(here[0], 0.0), here]], [here, *places])
    estimate = None if result is None or not result.counts.num_trials else summarize(result).epsilon
    if estimate is None:
        alt = words["stage_promised"].format(epsilon=epsilon)
        parts += [room.beside(here, alt), _ring(here)]
    else:
        low = axes.at(epsilon, min(estimate.lower, end))
        high = axes.at(epsilon, end if estimate.upper is None else min(estimate.upper, end))
        bound = words["lower"].format(lower=floored(estimate.lower))
        point = [] if estimate.point is None else [words["point"].format(point=estimate.point)]
        hover = words["stage_epsilon_hover"].format(epsilon=epsilon, measured=words["comma"].join([bound, *point]))
        parts += _measured([low, high], low, colour, hover, flat=True)
        room.take([low, high], low)
        parts.append(room.beside(low, bound, above=estimate.lower > epsilon, more=_BOLD))
        alt = f"{hover}."
    if chosen is not None:
        parts.append(_ring(axes.at(chosen, chosen)))
    return svg(_BOX, [*parts, room.along(diagonal, [words["stage_broken"]])], alt)


def _axes(
    epsilon: float, earlier: Sequence[AuditResult], chosen: float | None, up: Callable[[float, float], float]
) -> _Axes:
    """Return the axes of a chart; ``up``: how high a number lies, from 0 to 1, on one that ends at an epsilon."""
    grid = share_grid(epsilon, chosen or epsilon, *(run.config.epsilon for run in earlier))
    high = grid[-1]

    def at(value: float, height: float) -> Point:
        return WIDTH * at_root(value) / at_root(high), HEIGHT * up(height, high)

    return _Axes(at, grid, ticks_to(high))


def _of_100(share: float, _: float) -> float:
    return (share - _LEAST) / (_MOST - _LEAST)


def _within(share: float) -> float:
    """Return a height on the chart of shares; what would lie below it stands at its foot."""
    return max(share, _LEAST)


def _colour(result: AuditResult | None) -> str:
    return NEUTRAL if result is None else attack_style(result.config.attack)[0]


def _number(value: float, words: Words) -> str:
    return numbers.written(f"{value:g}", words["separators"])


def _area(outline: Sequence[Point]) -> str:
    return f'<path d="{path_of(outline)}Z" fill="{SHADED}" opacity=".13"/>'


def _row(height: float, text: str) -> str:
    faint = line((0, height), (WIDTH, height), SHADED, 0.8, 'opacity=".25"')
    return faint + label(-6, height - 5, text, anchor="end")


def _below(axes: _Axes, words: Words) -> list[str]:
    """Return the numbers below a chart, and what they are."""
    parts = [label(across, -LETTER - 2, text) for across, text in _apart(axes, words)]
    return [*parts, label(WIDTH / 2, -2.4 * LETTER - 4, words["epsilon_axis"])]


def _apart(axes: _Axes, words: Words) -> list[tuple[float, str]]:
    """Return numbers that are written below, with their places: none so near to another that they touch."""
    labels, last = list[tuple[float, str]](), -WIDTH
    for tick in axes.ticks:
        across = axes.at(tick, 50.0)[0]
        if across - last >= 1.8 * LETTER:
            labels.append((across, _number(tick, words)))
            last = across
    return labels


def _measured(ends: Sequence[Point], point: Point, colour: str, hover: str, *, flat: bool = False) -> list[str]:
    """Return the measured mark on its interval; ``flat`` for one that is the interval's lower end."""
    bar = line(ends[0], ends[1], colour, 4.5, 'opacity=".55" class="range"')
    edge = 'stroke="#fff" stroke-width="1.5"'
    mark = f'<circle class="point" cx="{point[0]:.2f}" cy="{-point[1]:.2f}" r="6.5" fill="{colour}" {edge}/>'
    if flat:
        place = f'x="{point[0] - 10:.2f}" y="{-point[1] - 3:.2f}" width="20" height="6"'
        mark = f'<rect class="point" {place} fill="{colour}" {edge}/>'
    return [bar, mark, _tip(point, hover, 14)]


def _ring(point: Point) -> str:
    return f'<circle cx="{point[0]:.2f}" cy="{-point[1]:.2f}" r="6" fill="none" {stroke(NEUTRAL, 2.4)}/>'


def _guessed(point: Point, measured: Point, text: str) -> list[str]:
    """Return the hollow mark of what the client expected, and the gap to what was measured."""
    x, y = point[0], -point[1]
    mark = f'<path class="guess" d="M{x:.2f} {y - 8:.2f}l8 8l-8 8l-8-8z" fill="none" {stroke(NEUTRAL, 2.4)}/>'
    return [line(point, measured, NEUTRAL, 1.6, 'stroke-dasharray="2 4"'), mark, _tip(point, text, 12)]


def _faint(point: Point, text: str, result: AuditResult) -> str:
    """Return the mark of an earlier run: its attack's colour, smaller and paler than the one on the stage."""
    place = f'cx="{point[0]:.2f}" cy="{-point[1]:.2f}" r="5"'
    return f'<circle class="earlier" {place} fill="{_colour(result)}" opacity=".5"/>' + _tip(point, text, 12)


def _tip(point: Point, text: str, reach: float) -> str:
    hit = f'<circle class="ldp-hit" cx="{point[0]:.2f}" cy="{-point[1]:.2f}" r="{reach:g}"/>'
    return f'{hit}<g class="ldp-tip">{label(WIDTH, HEIGHT + 16, text, anchor="end")}</g>'


def _slice(across: float, text: str) -> tuple[float, str]:
    """Return a place with what is shown of it: a line there, and words above the chart."""
    rule = line((across, 0), (across, HEIGHT), NEUTRAL, 0.8, 'opacity=".6"')
    return across, rule + label(WIDTH, HEIGHT + 16, text, anchor="end")


def _promised(value: float, result: AuditResult | None, words: Words) -> str:
    most = most_of_100(100.0 * theory.worst_case_identification(value), words)
    if result is None or not knows_law(result):
        return words["stage_hover_most"].format(epsilon=value, promise=most)
    return words["stage_hover_law"].format(
        epsilon=value, promise=most, law=most_of_100(100.0 * judged_law(result, value), words)
    )


def _said(run: AuditResult, share: Interval, words: Words) -> str:
    name, point = attack_name(words, run.config.attack), 100.0 * share.point
    return words["stage_earlier"].format(attack=name, epsilon=run.config.epsilon, point=point)
