"""How much anybody sees of one report: alone, in a shuffled list, or in a sum, each from one end to the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series, screen

BAR, MEASURED = "#4F7FB6", "#C2571A"
_LEAST = 0.4
"""Length of a bar whose ends are the same, so that it is seen."""


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One view.

    Args:
        name: "local", "shuffled" or "aggregated".
        low: right guesses of 100 at the end where the other clients' updates differ.
        high: likewise where all agree.
        measured: (point, lower, upper) of 100 where games were played about this view.
    """

    name: str
    low: float
    high: float
    measured: tuple[float, float, float] | None = None


def views_chart(rows: Sequence[ViewRow], promise: float, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe a bar for each view from one end to the other, the coin, the local promise, and what was measured.

    Args:
        rows: from the top.
        promise: right guesses of 100 that the local epsilon allows.
        words: texts on the chart, see ``ENGLISH``.
    """
    height = len(rows)
    series, notes, names = [Series(words["coin"], [50, 50], [0.35, height + 0.5], stroke="coin", noted=True)], [], []
    for number, row in enumerate(rows):
        y, name = height - number, words[f"view_{row.name}"]
        beside = [y - 0.42, y + 0.15]  # the bar only, so that it crosses no text
        series.append(Series(words["view_promise"], [promise, promise], beside, stroke="promise", noted=True))
        bar = [min(row.low, row.high - _LEAST), row.high]
        series.append(Series(words["view_ends"], bar, [y, y], BAR, "line", 12, hover="%{x:.1f}", noted=True))
        if row.measured:
            point, *interval = row.measured
            shown = Series(words["view_measured"], interval, [y, y], MEASURED, "line", 3, hover="%{x:.2f}", noted=True)
            series += [shown, replace(shown, x=[point], y=[y], stroke="", symbol="diamond", size=9)]
        names.append((y, name))
        notes.append(Note(50, y, f"<b>{name}</b> {ends(row, words)}", shift=(4, 12)))
    ticks = [(share, str(share)) for share in (50, 60, 70, 80, 90, 100)]
    beside_axis = Axis("", (0.3, height + 0.75), ticks=names, noted=True)
    return Chart(
        series, Axis(words["share_axis"], (49, 101), ticks=ticks), beside_axis, 103 + 66 * height,
        0.5 + 0.42 * height, notes=notes,
        order=[words[name] for name in ("coin", "view_promise", "view_ends", "view_measured")],
        margin={"l": 14, "r": 14, "t": 8, "b": 61},
    )  # fmt: skip


views_figure = screen.drawing(views_chart)


def ends(row: ViewRow, words: Mapping[str, str] = ENGLISH) -> str:
    """Write the range of a view, "53.8 to 64.5", or one number where both ends are the same."""
    low, high = written(row.low), written(row.high)
    return low if low == high else words["view_range"].format(low=low, high=high)


def views_alt(rows: Sequence[ViewRow], promise: float, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``views_figure`` shows, in one sentence."""
    items = [
        words["alt_view_item"].format(name=words[f"view_{row.name}"], range=ends(row, words))
        + (words["alt_view_measured"].format(point=row.measured[0]) if row.measured else "")
        for row in rows
    ]
    return words["alt_views"].format(items=words["and"].join(items), promise=promise)


def written(share: float) -> str:
    """Write a share of 100 with one decimal, and with more where it would read as all.

    >>> written(98.34), written(99.966)
    ('98.3', '99.97')
    """
    texts = (f"{share:.{digits}f}" for digits in (1, 2, 3, 4))
    return next((text for text in texts if share == 100.0 or float(text) < 100.0), "99.9999")
