"""Charts that set attacks side by side; they draw rows of ``ldp_core.presentation.tables`` and nothing else.

White box is a filled marker on a solid line, black box a hollow one on a dotted line. Where each attack has a row of
its own, all that is measured has one colour.
"""

from collections.abc import Mapping, Sequence

from ldp_core.presentation.figures._parts import DOT, most_of_100
from ldp_core.presentation.figures._styles import NEUTRAL, RIGHT, attack_style, shelf
from ldp_core.presentation.figures._words import (
    ENGLISH,
    attack_name,
    dataset_name,
    facts,
    in_two_lines,
    right_of,
    sentence,
    shown_of,
)
from ldp_core.presentation.figures.described import TICK, Axis, Chart, Note, Series
from ldp_core.presentation.tables import Row

Words = Mapping[str, str]
_MEASURED = (RIGHT, "circle")


def attacks_chart(rows: Sequence[Row], words: Words = ENGLISH) -> Chart:
    """Describe what each attack shows of epsilon: lower bound, estimate, law, and the promise ([M] Figure 1(b)).

    ``rows``: from ``tables.attacks_at``, at least one; all at one epsilon.
    """
    names = list(dict.fromkeys(row.attack for row in rows))
    series, top = [_vertical(rows[0].epsilon, len(names), words)], _top(rows)
    for row in rows:
        y, says = names.index(row.attack) + shelf(row, rows), shown_of(row, words, alone=_alone(rows))
        if row.expected_epsilon is not None:
            series.append(_law_tick(row.expected_epsilon, y, words, says))
        series += _bound(row, y, top, words, words[row.test], says, _MEASURED, noted=_alone(rows))
    keys = [words[name] for name in ("white", "black", "estimate", "infinite", "predicted")]
    return Chart(
        series, _shown_axis(rows, words), _lines([attack_name(words, name) for name in names]),
        38 * len(names) + 160, 0.34 * len(names) + 0.6, notes=[_promise_note(rows, words)],
        order=keys, shared=keys,
    )  # fmt: skip


def attacks_alt(rows: Sequence[Row], words: Words = ENGLISH) -> str:
    """Return what ``attacks_chart`` shows, in one sentence."""
    return sentence(words, "attacks", [facts(row, words) for row in rows], epsilon=rows[0].epsilon)


def shares_chart(rows: Sequence[Row], words: Words = ENGLISH) -> Chart:
    """Describe each attack's right guesses of 100 with its interval, the law and the promise ([J] Figure 1(b)).

    Arguments as in ``attacks_chart``.
    """
    names, promise = list(dict.fromkeys(row.attack for row in rows)), 100 * rows[0].promise
    low = min(46.0, *(100 * row.identification.lower - 1 for row in rows))
    name, ends = words["promise_at"].format(epsilon=rows[0].epsilon), (-0.6, len(names) - 0.4)
    series = [
        Series(words["coin"], [50, 50], ends, stroke="coin", noted=True),
        Series(name, [promise, promise], ends, stroke="promise", noted=True),
    ]
    for row in rows:
        y, share = names.index(row.attack) + shelf(row, rows), row.identification
        says = right_of(row, words, alone=_alone(rows))
        if row.expected is not None:
            series.append(_law_tick(100 * row.expected, y, words, says))
        interval = [100 * share.lower, 100 * share.upper]
        series.append(
            Series(words["interval"], interval, [y, y], RIGHT, "line", 5, hover=says, opacity=0.6, noted=True)
        )
        series.append(_mark(row, 100 * share.point, y, words[row.test], says, _MEASURED, noted=_alone(rows)))
        if row.published is not None:
            printed = 100 * row.published
            says = words["hover_published_share"].format(name=attack_name(words, row.attack), share=printed)
            mark = Series(words["published"], [printed], [y], NEUTRAL, symbol="circle-open", size=17, hover=says)
            series.append(mark)
    text = words["promise_share"].format(share=most_of_100(promise, words))
    below = Axis(words["share_axis"], (low, 101.0), ticks=[(share, str(share)) for share in range(50, 101, 10)])
    keys = [words[name] for name in ("white", "black", "interval", "predicted", "published")]
    return Chart(
        series, below, _lines([attack_name(words, name) for name in names]),
        38 * len(names) + 160, 0.34 * len(names) + 0.6,
        notes=[
            _above(promise, text, "right" if promise > 88 else "center"),
            Note(50, len(names) - 0.5, words["coin"].partition(":")[0], "left"),
        ],
        order=keys, shared=keys,
    )  # fmt: skip


def shares_alt(rows: Sequence[Row], words: Words = ENGLISH) -> str:
    """Return what ``shares_chart`` shows, in one sentence."""
    items, promise = [facts(row, words) | row.identification.of_100 for row in rows], 100 * rows[0].promise
    return sentence(words, "shares", items, epsilon=rows[0].epsilon, promise=most_of_100(promise, words))


def curves_chart(curves: Sequence[Sequence[Row]], words: Words = ENGLISH) -> Chart:
    """Describe measured against promised epsilon, a small chart for each attack ([M] Figures 2, 5, 6 and 7).

    ``curves``: from ``tables.curves_of``; empty ones are left out.
    """
    rows = [row for curve in curves for row in curve]
    top = 1.1 * max(max(row.epsilon, row.lower, row.point or 0.0) for row in rows)
    low = min(0.0, *(row.point or 0.0 for row in rows)) - 0.04 * top
    series: list[Series] = []
    for curve in filter(None, curves):
        panel = attack_name(words, curve[0].attack)
        if not any(trace.panel == panel for trace in series):
            series.append(Series(words["promise"], [0, top], [0, top], stroke="promise", panel=panel))
        series += _curve(curve, panel, top, words, alone=_alone(rows))
    keys = [words[name] for name in ("white", "black", "estimate", "infinite", "predicted", "promise")]
    return Chart(
        series, Axis(words["claimed_axis"], (0, top)), Axis(words["shown"], (low, top)), 205, 1.75,
        order=keys, shared=keys,
    )  # fmt: skip


def curves_alt(curves: Sequence[Sequence[Row]], words: Words = ENGLISH) -> str:
    """Return what ``curves_chart`` shows at the largest epsilon of each curve, in one sentence."""
    return sentence(words, "curves", [facts(curve[-1], words) for curve in curves if curve])


def datasets_chart(rows: Sequence[Row], words: Words = ENGLISH) -> Chart:
    """Describe what each attack shows of epsilon on each data set ([M] Figure 4).

    ``rows``: from ``tables.datasets_at``, at least one; all at one epsilon and of one test.
    """
    attacks, names = list(dict.fromkeys(row.attack for row in rows)), list(dict.fromkeys(row.dataset for row in rows))
    series, step, top = [_vertical(rows[0].epsilon, len(names), words)], 0.8 / len(attacks), _top(rows)
    alone = _alone(rows)
    for row in rows:
        y = names.index(row.dataset) - 0.4 + step * (attacks.index(row.attack) + 0.5)
        says, style = shown_of(row, words, alone=alone), attack_style(row.attack)
        series += _bound(row, y, top, words, attack_name(words, row.attack), says, style)
    row_height = 40 + 18 * max(0, len(attacks) - 3)
    return Chart(
        series, _shown_axis(rows, words), _lines([dataset_name(words, name) for name in names]),
        row_height * len(names) + 168, max(0.34, 0.13 * len(attacks) + 0.1) * len(names) + 0.6,
        notes=[_promise_note(rows, words)], order=[attack_name(words, attack) for attack in attacks],
        shared=[words["estimate"], words["infinite"]],
    )  # fmt: skip


def datasets_alt(rows: Sequence[Row], words: Words = ENGLISH) -> str:
    """Return what ``datasets_chart`` shows, in one sentence."""
    items = [facts(row, words) for row in rows]
    return sentence(words, "datasets", items, epsilon=rows[0].epsilon, test=words[rows[0].test])


def _symbol(row: Row, symbol: str) -> tuple[str, float]:
    """Return symbol and size: filled for the white box, hollow for the black."""
    return (symbol, 11) if row.test == "white" else (f"{symbol}-open", 10)


def _alone(rows: Sequence[Row]) -> bool:
    """Return whether all rows are of one test, which then needs no name."""
    return len({row.test for row in rows}) == 1


def _mark(row: Row, x: float, y: float, name: str, says: str, style: tuple[str, str], *, noted: bool = False) -> Series:
    symbol, size = _symbol(row, style[1])
    return Series(name, [x], [y], style[0], symbol=symbol, size=size, hover=says, noted=noted)


def _law_tick(x: float, y: float, words: Words, says: str) -> Series:
    return Series(words["predicted"], [x], [y], NEUTRAL, symbol=TICK, size=24, hover=says)


def _bound(
    row: Row, y: float, top: float, words: Words, name: str, says: str, style: tuple[str, str], *, noted: bool = False
) -> list[Series]:
    """Describe a row's bound, joined to its estimate, and to an arrow at the axis' end where one is infinite."""
    colour, series = style[0], []
    if row.point is not None:
        joined = Series(words["estimate"], [row.lower, row.point], [y, y], colour, "line", 3, opacity=0.6)
        dot = Series(words["estimate"], [row.point], [y], colour, symbol="circle", size=DOT, hover=says)
        series += [joined, dot]
    if row.point_infinite:
        dotted = Series(words["infinite"], [row.lower, top], [y, y], colour, "dot", 1.5)
        series += [dotted, Series(words["infinite"], [top], [y], colour, symbol="triangle-right", size=7)]
    return [*series, _mark(row, row.lower, y, name, says, style, noted=noted)]


def _lines(names: Sequence[str]) -> Axis:
    """Return the axis of a chart with one line for each name, from top to bottom, and room for a note above them."""
    return Axis("", (-1.15, len(names) - 0.4), ticks=list(enumerate(map(in_two_lines, names))), reverse=True)


def _top(rows: Sequence[Row]) -> float:
    """Return the axis' end, which leaves the promise in its place at every epsilon unless somebody is far above it."""
    return max(1.5 * rows[0].epsilon, *(1.1 * max(row.lower, row.point or 0.0) for row in rows))


def _shown_axis(rows: Sequence[Row], words: Words) -> Axis:
    """Return the axis of what is shown of epsilon, which has 0 on it."""
    top = _top(rows)
    return Axis(words["shown"], (min(0.0, *(row.point or 0.0 for row in rows)) - 0.03 * top, top))


def _vertical(epsilon: float, lines: int, words: Words) -> Series:
    name = words["promise_epsilon"].format(epsilon=epsilon)
    return Series(name, [epsilon, epsilon], [-0.6, lines - 0.4], stroke="promise", noted=True)


def _promise_note(rows: Sequence[Row], words: Words) -> Note:
    epsilon = rows[0].epsilon
    return _above(epsilon, words["promise_epsilon"].format(epsilon=epsilon))


def _above(x: float, text: str, side: str = "center") -> Note:
    """Write above the end of the promise's line."""
    return Note(x, -0.62, text, side)


def _curve(curve: Sequence[Row], panel: str, top: float, words: Words, *, alone: bool) -> list[Series]:
    """Describe one attack's curve of one test; the law is wide, since what was measured may lie on it."""
    colour, symbol = attack_style(curve[0].attack)
    symbol, _ = _symbol(curve[0], symbol)
    law = [(row.epsilon, row.expected_epsilon) for row in curve if row.expected_epsilon is not None]
    points = [(row.epsilon, row.point) for row in curve if row.point is not None]
    series = []
    if law:
        x, y = zip((0.0, 0.0), *law, strict=True)
        series.append(Series(words["predicted"], x, y, NEUTRAL, "line", 5, opacity=0.45, panel=panel))
    if points:
        x, y = zip(*points, strict=True)
        series.append(Series(words["estimate"], x, y, colour, symbol="circle", size=DOT, panel=panel))
    for row in curve:
        if row.point_infinite:
            at, name = [row.epsilon], words["infinite"]
            series.append(Series(name, at * 2, [row.lower, top], colour, "dot", 1.5, panel=panel))
            series.append(Series(name, at, [top], colour, symbol="triangle-up", size=7, panel=panel))
    test = curve[0].test
    says = [shown_of(row, words, alone=alone) for row in curve]
    bounds = [row.epsilon for row in curve], [row.lower for row in curve]
    stroke = "line" if test == "white" else "dot"
    series.append(
        Series(
            words[test], *bounds, colour, stroke, 3, symbol, 9, hover="%{text}", texts=says, noted=alone, panel=panel
        )
    )
    return series
