"""Could somebody see a picture: how often an attacker is right against the number of reports, beside the limits."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ldp_core.presentation.figures._parts import SHARES
from ldp_core.presentation.figures._styles import RIGHT
from ldp_core.presentation.figures._words import ENGLISH, capital
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.presentation.figures.utility import spread
from ldp_core.studies.reconstruction.result import SIMILAR, ReconstructionResult

MEAN_RULE = "#D55E00"
_MARKS = {"circle": "●", "square": "■"}


@dataclass(frozen=True, slots=True)
class Curves:
    """The lines of the chart, one value for each number of reports, which rise.

    Args:
        measured: share of pictures named right, or found among 20 of the same label, from ``lower`` to ``upper``.
        limit: the least of the limits that hold; None where none is known.
        blind: share of a blind guess.
        by_mean: share named by the mean of the reports; empty where nobody named pictures.
        named: whether pictures were named among ``choices``, instead of rebuilt.
    """

    reports: tuple[int, ...]
    measured: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    limit: tuple[float | None, ...]
    blind: float
    by_mean: tuple[float, ...]
    named: bool
    choices: int


def curves(result: ReconstructionResult) -> Curves | None:
    """Return the lines of the chart; None where there is nothing to draw."""
    entries = [entry for entry in result.results if entry.pictures and entry.reports]
    named = bool(entries) and entries[0].right is not None
    shares = [entry.identified if named else entry.top1 for entry in entries]
    pairs = [(entry, share) for entry, share in zip(entries, shares, strict=True) if share is not None]
    if not pairs:
        return None
    limits: list[float | None] = []
    for entry, _ in pairs:
        here = result.limits_of(entry.reports)
        known = [limit for limit in (here.doubling, here.fano, here.general) if limit is not None]
        limits.append(min(known) if named and known else None)
    choices = result.config.candidates if named else SIMILAR
    return Curves(
        tuple(entry.reports for entry, _ in pairs),
        tuple(share.point for _, share in pairs),
        tuple(share.point if share.lower is None else share.lower for _, share in pairs),
        tuple(share.point if share.upper is None else share.upper for _, share in pairs),
        tuple(limits),
        1.0 / choices,
        tuple((entry.right_by_mean or 0) / entry.pictures for entry, _ in pairs) if named else (),
        named,
        choices,
    )


def reconstruction_chart(lines: Curves, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe how often of 100 the attacker is right, with bounds, the limit (dashed) and a blind guess (grey)."""
    counts = list(lines.reports)
    series = [Series(words["blind_line"], [counts[0], counts[-1]], [100 * lines.blind] * 2, stroke="coin", noted=True)]
    limited = [(count, 100 * share) for count, share in zip(counts, lines.limit, strict=True) if share is not None]
    if limited:
        across, up = zip(*limited, strict=True)
        says = _says("limit_line", words)
        series.insert(0, Series(words["limit_line"], across, up, stroke="promise", hover=says, noted=True))
    shares, low, high = ([100 * share for share in row] for row in (lines.measured, lines.lower, lines.upper))
    if lines.by_mean:
        by_mean = [100 * share for share in lines.by_mean]
        series.append(
            Series(
                words["mean_line"], counts, by_mean, MEAN_RULE, "line", 1.5, "square", 7,
                hover=_says("mean_line", words), noted=True,
            )
        )  # fmt: skip
    series.append(
        Series(
            words["measured_line"], counts, shares, RIGHT, "line", 2.5, "circle", 9,
            y_ends=list(zip(low, high, strict=True)), hover=_says("measured_line", words), noted=True,
        )
    )  # fmt: skip
    heights = spread([line.y[-1] for line in series], 6.0)
    notes = [
        Note(counts[-1], height, _named(line), "left", "middle", (10, 0))
        for line, height in zip(series, heights, strict=True)
    ]
    ticks = [count for count in counts if len(counts) < 6 or math.log10(count).is_integer()]
    below = Axis(words["recon_axis"], log=True, ticks=[(count, f"{count:,}") for count in ticks])
    beside = Axis(words[axis(lines)], (-4, 106))
    return Chart(series, below, beside, inches=2.3, notes=notes, margin=SHARES | {"r": 96})


def _says(name: str, words: Mapping[str, str]) -> str:
    return words["hover_reconstruction"].format(name=capital(words[name]))


def _named(series: Series) -> str:
    """Return the name of a line beside its mark; the words keep the page's colour, which shows in both themes."""
    return (
        f'<span style="color:{series.colour}">{_MARKS[series.symbol]}</span> {series.name}'
        if series.colour
        else series.name
    )


def axis(lines: Curves) -> str:
    """Return the name of the text beside the axis of shares."""
    return "named_axis" if lines.named else "found_axis"


def reconstruction_alt(lines: Curves, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``reconstruction_chart`` shows, in one sentence."""
    items = [
        words["alt_reconstruction_item"].format(reports=count, point=100 * share, lower=100 * low, upper=100 * high)
        for count, share, low, high in zip(lines.reports, lines.measured, lines.lower, lines.upper, strict=True)
    ]
    name = "alt_named" if lines.named else "alt_found"
    return words[name].format(choices=lines.choices, items=words["and"].join(items), blind=100 * lines.blind)
