"""The two charts of the stage as plain SVG: right guesses of 100, and the leak as an epsilon, each on its promise.

One drawing serves before, during and after a run, so that nothing moves but the point. The axes hold every usual
epsilon; they grow only with one beyond, of this run or an earlier one. What a mark says is shown above the chart while
the pointer is over it, see ``ldp-hit`` and ``ldp-tip`` in the pages' style sheet; letters are 17 units high at most.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ldp_core.game.summary import Interval, expected_epsilon, judged_law, judged_share, summarize
from ldp_core.presentation.figures._drawing import (
    DOTS,
    Point,
    label,
    line,
    path_of,
    promise,
    stroke,
    svg,
)
from ldp_core.presentation.figures._parts import compared_digits
from ldp_core.presentation.figures._styles import COIN, NEUTRAL, SHADED, attack_style
from ldp_core.presentation.figures._words import ENGLISH, attack_name
from ldp_core.presentation.figures.single import TICKS, floored, knows_law
from ldp_core.presentation.figures.story.shares import opens
from ldp_core.statistics import theory
from ldp_core.types import EPSILON_RANGE, AuditResult
from ldp_core.words import numbers

WIDTH, HEIGHT = 424.0, 236.0
"""Of what lies within the axes, in units of the drawing."""
_BOX = (-46.0, -270.0, 482.0, 328.0)
_LETTER = 17.0
"""Height of a letter on the narrowest screen, where words need most room."""
_USUAL = (0.1, 9.0)
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
    epsilon: float, result: AuditResult | None, earlier: Sequence[AuditResult] = (), words: Words = ENGLISH
) -> str:
    """Draw the right guesses of 100 at every epsilon: the most allowed, this attack's law, and what was measured.

    Who speaks only when surest is counted where it speaks.

    Args:
        epsilon: the one that is promised, in nats.
        result: a run, also one on its way; None before any.
        earlier: runs beside it.
        words: texts on the chart, see ``ENGLISH``.
    """
    axes, most = _share_axes(epsilon, earlier), 100.0 * theory.worst_case_identification(epsilon)
    curve = [axes.at(value, 100.0 * theory.worst_case_identification(value)) for value in axes.grid]
    coin = [axes.at(axes.grid[0], 50.0), axes.at(axes.grid[-1], 50.0)]
    parts = [_area([coin[0], *curve, coin[1]])]
    parts += [_row(axes.at(axes.grid[0], share)[1], str(share)) for share in range(60, 101, 10)]
    parts += [line(coin[0], coin[1], COIN, 1.6, DOTS), label(-6, coin[0][1] - 5, "50", anchor="end")]
    parts.append(label(WIDTH, coin[0][1] - _LETTER, words["coin"], anchor="end"))
    parts += _below(axes, words, words["epsilon_axis"])
    laws = [] if result is None or not knows_law(result) else [100.0 * judged_law(result, value) for value in axes.grid]
    path = [axes.at(value, law) for value, law in zip(axes.grid, laws, strict=False)]
    reaches = bool(laws) and max(abs(own[1] - top[1]) for own, top in zip(path, curve, strict=True)) < 4.0
    here, colour = axes.at(epsilon, most), _colour(result)
    share = None if result is None else judged_share(result)
    broken = share is not None and 100.0 * share.point > most + 0.5
    lowest, highest = most - 7.0, most + 7.0
    if share is not None and broken:
        lowest, highest = 100.0 * share.point - 4.0, 100.0 * share.point + 14.0
    if path:
        parts.append(f'<path class="law" d="{path_of(path)}" fill="none" {stroke(colour, 2.6)}/>')
    parts += promise(curve)
    height = next(one for one in (92.0, 78.0, 66.0) if not lowest < one < highest)
    side = next(point for point in curve if point[1] >= axes.at(epsilon, height)[1])
    parts.append(label(side[0] - 10, side[1], words["stage_both" if reaches else "stage_most"], anchor="end"))
    parts += _slices([(axes.at(value, 0.0)[0], _promised(value, result, words)) for value in axes.ticks])
    marks = [(one, judged_share(one)) for one in earlier]
    parts += [
        _faint(axes.at(one.config.epsilon, _within(100.0 * share.point)), _said(one, share, words), one)
        for one, share in marks
        if share is not None
    ]
    parts.append(line((here[0], coin[0][1]), here, NEUTRAL, 1.2, DOTS))
    text = words["stage_at"].format(share=_share(most, words), epsilon=epsilon)
    point = here if share is None else axes.at(epsilon, _within(100.0 * share.point))
    found = "" if share is None else f"{100.0 * share.point:.{compared_digits(most)}f}"
    told = [f"{words['stage_measured']} {found}", *([text] if broken else [])]
    if path and not reaches:
        taken = None if broken or share is None else _right_of(point, told, path)
        parts += _law_named(path, curve, words["stage_law"], here[0], taken)
    if here[0] < 150.0 and not broken:
        over = [height for across, height in curve if across <= 6 + 0.62 * _LETTER * _letters(text)]
        parts.append(label(6, max(over) + 8, text, anchor="start"))
    elif not broken:
        parts.append(label(here[0] - 10, here[1] + 10, text, anchor="end"))
    if result is None or share is None:
        return svg(_BOX, [*parts, _ring(here)], words["alt_promise"].format(chosen=text))
    ends = [axes.at(epsilon, _within(100.0 * end)) for end in (share.lower, share.upper)]
    hover = words["stage_hover"].format(epsilon=epsilon, promise=_share(most, words), point=found)
    parts += _measured(ends, point, colour, hover)
    parts += _named(point, told, path or curve, above=broken)
    return svg(_BOX, parts, f"{hover}.")


def stage_epsilon_svg(
    epsilon: float, result: AuditResult | None, earlier: Sequence[AuditResult] = (), words: Words = ENGLISH
) -> str:
    """Draw the measured epsilon against the promised one; arguments as in ``stage_share_svg``.

    Both axes show square roots, so that 0.1 and 8 stand on one chart and 0 is there, too.
    """
    axes = _epsilon_axes(epsilon, earlier)
    end = axes.grid[-1]
    diagonal, corner = [axes.at(value, value) for value in axes.grid], axes.at(end, 0.0)
    parts = [_area([*diagonal, corner])]
    parts += [_row(across * HEIGHT / WIDTH, text) for across, text in _apart(axes, words)]
    parts += _below(axes, words, words["stage_axis"])
    colour, law = _colour(result), list[Point]()
    if result is not None and knows_law(result):
        laws = ((value, min(end, expected_epsilon(result, value))) for value in axes.grid if value >= EPSILON_RANGE[0])
        law = [axes.at(0.0, 0.0), *(axes.at(*one) for one in laws)]
        parts.append(f'<path class="law" d="{path_of(law)}" fill="none" {stroke(colour, 2.6)}/>')
    parts += promise(diagonal)
    top = axes.at(end, end)
    parts.append(label(0.78 * top[0], 0.86 * top[1] + 8, words["stage_broken"], anchor="end"))
    parts += _slices([(axes.at(tick, 0.0)[0], words["epsilon_is"].format(epsilon=tick)) for tick in axes.ticks])
    for one in earlier:
        lower = summarize(one).epsilon.lower
        said = words["stage_earlier_epsilon"].format(
            attack=attack_name(words, one.config.attack), epsilon=one.config.epsilon, lower=floored(lower)
        )
        parts.append(_faint(axes.at(one.config.epsilon, min(lower, end)), said, one))
    here = axes.at(epsilon, epsilon)
    parts.append(line((here[0], 0.0), here, NEUTRAL, 1.2, DOTS))
    found = None if result is None or not result.counts.num_trials else summarize(result).epsilon
    if found is None:
        text = words["stage_promised"].format(epsilon=epsilon)
        return svg(_BOX, [*parts, *_below_right(here, [text], diagonal), _ring(here)], text)
    low = axes.at(epsilon, min(found.lower, end))
    high = axes.at(epsilon, end if found.upper is None else min(found.upper, end))
    told = words["lower"].format(lower=floored(found.lower))
    point = [] if found.point is None else [words["point"].format(point=found.point)]
    hover = words["stage_epsilon_hover"].format(epsilon=epsilon, measured=words["comma"].join([told, *point]))
    parts += _measured([low, high], low, colour, hover, flat=True)
    parts += _named(low, [told], law or diagonal, above=found.lower > epsilon)
    return svg(_BOX, parts, f"{hover}.")


def _share_axes(epsilon: float, earlier: Sequence[AuditResult]) -> _Axes:
    used = [epsilon, *(one.config.epsilon for one in earlier)]
    low = min([_USUAL[0], *(value / 1.5 for value in used if value < _USUAL[0])])
    high = max([_USUAL[1], *(1.3 * value for value in used if value > _USUAL[1])])
    span = math.log(high / low)

    def at(value: float, share: float) -> Point:
        return WIDTH * math.log(value / low) / span, HEIGHT * (share - _LEAST) / (_MOST - _LEAST)

    grid = [low * (high / low) ** (step / 80) for step in range(81)]
    return _Axes(at, grid, [tick for tick in TICKS if low <= tick <= high])


def _epsilon_axes(epsilon: float, earlier: Sequence[AuditResult]) -> _Axes:
    used = [epsilon, *(one.config.epsilon for one in earlier)]
    high = max([_USUAL[1], *(1.2 * value for value in used if value > _USUAL[1])])

    def at(value: float, height: float) -> Point:
        return WIDTH * math.sqrt(value / high), HEIGHT * math.sqrt(max(height, 0.0) / high)

    ticks = [tick for tick in (0, *TICKS[2:]) if tick <= high and tick != TICKS[2]]
    return _Axes(at, [high * (step / 60) ** 2 for step in range(61)], ticks)


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


def _below(axes: _Axes, words: Words, title: str) -> list[str]:
    """Return the numbers below a chart, and what they are."""
    parts = [label(across, -_LETTER - 2, text) for across, text in _apart(axes, words)]
    return [*parts, label(WIDTH / 2, -2.4 * _LETTER - 4, title)]


def _apart(axes: _Axes, words: Words) -> list[tuple[float, str]]:
    """Return numbers that are written below, with their places: none so near to another that they touch."""
    found, last = list[tuple[float, str]](), -WIDTH
    for tick in axes.ticks:
        across = axes.at(tick, 50.0)[0]
        if across - last >= 1.8 * _LETTER:
            found.append((across, _number(tick, words)))
            last = across
    return found


def _law_named(
    path: Sequence[Point], top: Sequence[Point], text: str, here: float, taken: tuple[float, float, float] | None
) -> list[str]:
    """Name a rising line: over it, where the promise leaves room, else below it.

    Args:
        path: the line.
        top: the promise over it.
        text: its name.
        here: where a point stands across.
        taken: left, right and foot of what is written beside the point; None if nothing is.
    """
    lines, row = text.split("\n"), 1.15 * _LETTER
    width = 0.62 * _LETTER * max(map(_letters, lines))
    right = here - 16.0 if here > WIDTH - 40.0 else WIDTH
    begin = min(range(len(path)), key=lambda place: abs(path[place][0] - (right - width)))
    if top[begin][1] - path[-1][1] > row * len(lines) + 8.0:
        first = path[-1][1] + 6.0 + row * (len(lines) - 1)
    else:
        right = 0.75 * WIDTH if here > WIDTH - width else WIDTH
        first = min(path, key=lambda point: abs(point[0] - (right - width)))[1] - row
        if taken and taken[0] < right and taken[1] > right - width:
            first = min(first, taken[2] - row)
    return [label(right, first - row * number, each, anchor="end") for number, each in enumerate(lines)]


def _letters(text: str) -> float:
    """Return about how wide a text is, in Latin letters."""
    return sum(1.0 if ord(letter) < 0x2E80 else 1.7 for letter in text)


def _named(point: Point, lines: Sequence[str], path: Sequence[Point], *, above: bool) -> list[str]:
    """Write beside a point, the first line bold: below what rises through it, or above it, left if there is room."""
    if not above:
        return _below_right(point, lines, path, bold=True)
    width, foot = 0.62 * _LETTER * max(map(_letters, lines)), point[1] + 8
    across, anchor = point[0] - 12, "end"
    if width > across:
        across, anchor = point[0] + 12, "start"
        foot = max([foot, *(y + 8 for x, y in path if across <= x <= across + width)])
    return [
        label(across, foot + 1.15 * _LETTER * (len(lines) - 1 - row), text,
              more="" if row else _BOLD, anchor=anchor)
        for row, text in enumerate(lines)
    ]  # fmt: skip


def _below_right(point: Point, lines: Sequence[str], path: Sequence[Point], *, bold: bool = False) -> list[str]:
    """Write to the right of a point and below it, or where there is no room, below all of the line over the words."""
    left, _, foot = _right_of(point, lines, path)
    return [
        label(left, foot + 1.15 * _LETTER * row, text, more=_BOLD if bold and text == lines[0] else "", anchor="start")
        for row, text in enumerate(reversed(lines))
    ]


def _right_of(point: Point, lines: Sequence[str], path: Sequence[Point]) -> tuple[float, float, float]:
    """Return left, right and foot of what is written beside a point."""
    width = 0.62 * _LETTER * max(map(_letters, lines))
    left, first = point[0] + 12, point[1] - 1.3 * _LETTER
    if left + width > WIDTH + 8:
        left = WIDTH - width
        over = [y for x, y in path if x >= left - 8]
        first = min([first, *over]) - 1.2 * _LETTER
    first = max(first, 6.0) if first > -1.2 * _LETTER or (len(lines) == 1 and point[1] < 3 * _LETTER) else first
    return left, left + width, first - 1.15 * _LETTER * (len(lines) - 1)


def _share(most: float, words: Words) -> str:
    """Write the largest share that a promise allows."""
    return words["nearly"] if opens(most) else f"{most:.{compared_digits(most)}f}"


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


def _faint(point: Point, text: str, result: AuditResult) -> str:
    """Return the mark of an earlier run: its attack's colour, smaller and paler than the one on the stage."""
    place = f'cx="{point[0]:.2f}" cy="{-point[1]:.2f}" r="5"'
    return f'<circle class="earlier" {place} fill="{_colour(result)}" opacity=".5"/>' + _tip(point, text, 12)


def _tip(point: Point, text: str, reach: float) -> str:
    hit = f'<circle class="ldp-hit" cx="{point[0]:.2f}" cy="{-point[1]:.2f}" r="{reach:g}"/>'
    return f'{hit}<g class="ldp-tip">{label(WIDTH, HEIGHT + 16, text, anchor="end")}</g>'


def _slices(told: Sequence[tuple[float, str]]) -> list[str]:
    """Return what is said while the pointer is nearer to one place than to the others."""
    edges = [(one[0] + two[0]) / 2.0 for one, two in pairwise(told)]
    parts = []
    for (across, text), left, right in zip(told, [0.0, *edges], [*edges, WIDTH], strict=True):
        size = f'x="{left:.2f}" y="{-HEIGHT:g}" width="{max(right - left, 0):.2f}" height="{HEIGHT:g}"'
        parts.append(f'<rect class="ldp-hit" {size}/>')
        rule = line((across, 0), (across, HEIGHT), NEUTRAL, 0.8, 'opacity=".6"')
        parts.append(f'<g class="ldp-tip">{rule}{label(WIDTH, HEIGHT + 16, text, anchor="end")}</g>')
    return parts


def _promised(value: float, result: AuditResult | None, words: Words) -> str:
    most = _share(100.0 * theory.worst_case_identification(value), words)
    if result is None or not knows_law(result):
        return words["stage_hover_most"].format(epsilon=value, promise=most)
    return words["stage_hover_law"].format(
        epsilon=value, promise=most, law=_share(100.0 * judged_law(result, value), words)
    )


def _said(one: AuditResult, share: Interval, words: Words) -> str:
    name, point = attack_name(words, one.config.attack), 100.0 * share.point
    return words["stage_earlier"].format(attack=name, epsilon=one.config.epsilon, point=point)
