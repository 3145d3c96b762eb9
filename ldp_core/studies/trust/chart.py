"""How much anybody sees of one report: alone, in a shuffled list, or in a sum, each from one end to the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ldp_core.presentation.figures._parts import most_of_100
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.statistics import theory, views
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.result import TrustSummary
from ldp_core.types import PairGeometry

BAR, MEASURED = "#4F7FB6", "#C2571A"
_SYMBOLS = {"bar": "●", "measured": "◆"}
_LEAST, _MOST, _COIN = 45.0, 101.0, 50.0


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One view: right guesses of 100 where the other clients' updates differ, and where all agree.

    ``measured``: (point, lower, upper) of 100 where games were played about this view; ``most``: whether the ends are
    what the promise allows, which is rounded up wherever it stands.
    """

    name: str
    low: float
    high: float
    measured: tuple[float, ...] | None = None
    most: bool = False


def rows_of(config: TrustConfig, summary: TrustSummary) -> list[ViewRow]:
    """Return each view from one end to the other, with what was measured in the one that was played; [] without a law.

    The ends are those of the best rule; what another rule measured may lie below both. A report that was seen alone
    has no others to hide among, so it is the only row then.
    """
    rows = []
    for view in (("local",) if config.view == "local" else VIEWS) if summary.sights else ():
        low, high = sorted(100.0 * sight.identification for sight in summary.sights if sight.view == view)
        share = summary.identification if view == config.view else None
        rows.append(ViewRow(view, low, high, None if share is None else tuple(share.of_100.values())))
    return rows


def prospect(config: TrustConfig) -> list[ViewRow]:
    """Return the views of a pair that shows all of epsilon, opposite and of full length, before anything is played."""
    pair = PairGeometry(180.0, config.clip_norm, config.clip_norm, "opposite")
    setting = (config.epsilon, config.clip_norm, pair)
    rows = [ViewRow("local", promise(config), promise(config), most=True)]
    for view, law_of in (("shuffled", views.shuffled_view), ("aggregated", views.summed_view)):
        laws = [law_of(*setting, config.honest, others) for others in OTHERS[:2]]
        low, high = sorted(100.0 * law.identification() for law in laws)
        rows.append(ViewRow(view, low, high))
    return rows


def promise(config: TrustConfig) -> float:
    """Return the right guesses of 100 that the local epsilon allows."""
    return 100.0 * theory.worst_case_identification(config.epsilon)


def views_chart(rows: Sequence[ViewRow], promise: float, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe a bar for each view from one end to the other, the coin, the local promise, and what was measured.

    ``rows``: from the top; ``promise``: right guesses of 100 that the local epsilon allows.
    """
    height, coin = len(rows), words["coin"].partition(":")[0]
    name = words["promise_share"].format(share=most_of_100(promise, words))
    upright, least = [0.45, height + 0.5], min([_LEAST, *(5 * (row.measured[1] // 5) for row in rows if row.measured)])
    series = [
        Series(words["coin"], [_COIN, _COIN], upright, stroke="coin", noted=True),
        Series(words["view_promise"], [promise, promise], upright, stroke="promise", hover=name, noted=True),
    ]
    side = "right" if promise > 85 else "left" if promise < 60 else "center"
    notes, names = [Note(promise, height + 0.52, name, side)], []
    for number, row in enumerate(rows):
        y, view = height - number, words[f"view_{row.name}"]
        says = words["view_hover" if row.low < row.high else "view_hover_one"].format(name=view, range=ends(row, words))
        bar = Series(words["view_ends"], [row.low, row.high], [y, y], BAR, "line", 13, hover=says, noted=True)
        series += [bar, replace(bar, stroke="", symbol="circle", size=13)]
        lines = [f"<b>{view}</b>", f"{_coloured('bar', BAR)}{words['view_law'].format(range=ends(row, words))}"]
        if row.measured:
            point, *interval = row.measured
            says = words["view_hover_measured"].format(name=view, point=point, lower=interval[0], upper=interval[1])
            shown = Series(
                words["view_measured"], interval, [y - 0.3] * 2, MEASURED, "line", 4, hover=says, noted=True
            )  # fmt: skip
            series += [shown, replace(shown, x=[point], y=[y - 0.3], stroke="", symbol="diamond", size=12)]
            lines.append(f"{_coloured('measured', MEASURED)}{words['measured'].format(point=point, digits=1)}")
        names.append((y, view))
        notes.append(Note(least, y, "<br>".join(lines), "right", "middle", (-8, 0)))
    ticks = [(share, f"{share}\n{coin}" if share == _COIN else str(share)) for share in (50, 60, 70, 80, 90, 100)]
    return Chart(
        series, Axis(words["share_axis"], (least, _MOST), ticks=ticks),
        Axis("", (0.45, height + 0.85), ticks=names, noted=True), 110 + 66 * height, 0.5 + 0.42 * height, notes=notes,
        order=[words[name] for name in ("coin", "view_promise", "view_ends", "view_measured")],
        margin={"l": 136, "r": 14, "t": 8, "b": 76},
    )  # fmt: skip


def _coloured(name: str, colour: str) -> str:
    """Return the mark that a text is about, as it is drawn."""
    return f'<span style="color:{colour}">{_SYMBOLS[name]}</span> '


def ends(row: ViewRow, words: Mapping[str, str] = ENGLISH) -> str:
    """Write the range of a view, "53.8 to 64.5", or one number where both ends are the same."""
    if row.most:
        return most_of_100(row.high, words)
    low, high = written(row.low), written(row.high)
    return low if low == high else words["view_range"].format(low=low, high=high)


def views_alt(rows: Sequence[ViewRow], promise: float, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``views_chart`` shows, in one sentence."""
    items = [
        words["alt_view_item"].format(name=words[f"view_{row.name}"], range=ends(row, words))
        + (words["alt_view_measured"].format(point=row.measured[0]) if row.measured else "")
        for row in rows
    ]
    return words["alt_views"].format(items=words["and"].join(items), promise=most_of_100(promise, words))


def written(share: float) -> str:
    """Write a share of 100 with one decimal, and with more where it would read as all.

    >>> written(98.34), written(99.966)
    ('98.3', '99.97')
    """
    texts = (f"{share:.{digits}f}" for digits in (1, 2, 3, 4))
    return next((text for text in texts if share == 100.0 or float(text) < 100.0), "99.9999")
