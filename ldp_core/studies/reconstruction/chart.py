"""Could somebody see a picture: how often an attacker is right against the number of reports, beside the limits."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ldp_core.presentation.figures._parts import SHARES
from ldp_core.presentation.figures._styles import RIGHT
from ldp_core.presentation.figures._words import ENGLISH, capital
from ldp_core.presentation.figures.described import Axis, Chart, Note, Series
from ldp_core.presentation.figures.utility import spread
from ldp_core.studies.reading import Estimate
from ldp_core.studies.reconstruction.result import SIMILAR, ReconstructionResult, ReportsResult

MEAN_RULE = "#D55E00"
_MARKS = {"circle": "●", "square": "■"}


@dataclass(frozen=True, slots=True)
class Curves:
    """What is drawn for each number of reports, which rise.

    Args:
        entries: what was reached, the share of pictures named right, or found among 20 of the same label, and the least
            of the limits that hold; None where none is known.
        named: whether pictures were named among ``choices``, instead of rebuilt.
    """

    entries: tuple[tuple[ReportsResult, Estimate, float | None], ...]
    named: bool
    choices: int


def curves(result: ReconstructionResult) -> Curves | None:
    """Return what is drawn; None where there is nothing."""
    reached = [entry for entry in result.results if entry.pictures and entry.reports]
    named = bool(reached) and reached[0].right is not None
    entries = tuple(
        (entry, share, result.limits_of(entry.reports).least if named else None)
        for entry in reached
        if (share := entry.identified if named else entry.top1) is not None
    )
    return Curves(entries, named, result.config.candidates if named else SIMILAR) if entries else None


def _ends(share: Estimate) -> tuple[float, float]:
    """Return the range of a share of 100, its point where it has none."""
    low, high = (share.point if end is None else end for end in (share.lower, share.upper))
    return 100 * low, 100 * high


def reconstruction_chart(lines: Curves, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe how often of 100 the attacker is right, with bounds, the limit (dashed) and a blind guess (grey)."""
    counts = [entry.reports for entry, *_ in lines.entries]
    blind = Series(words["blind_line"], [counts[0], counts[-1]], [100 / lines.choices] * 2, stroke="coin", noted=True)
    series = [blind]
    if limited := [(entry.reports, 100 * limit) for entry, _, limit in lines.entries if limit is not None]:
        across, up = zip(*limited, strict=True)
        says = _says("limit_line", words)
        series.insert(0, Series(words["limit_line"], across, up, stroke="promise", hover=says, noted=True))
    if lines.named:
        by_mean = [100 * ((entry.right_by_mean or 0) / entry.pictures) for entry, *_ in lines.entries]
        series.append(
            Series(
                words["mean_line"], counts, by_mean, MEAN_RULE, "line", 1.5, "square", 7,
                hover=_says("mean_line", words), noted=True,
            )
        )  # fmt: skip
    series.append(
        Series(
            words["measured_line"], counts, [100 * share.point for _, share, _ in lines.entries], RIGHT, "line", 2.5,
            "circle", 9, y_ends=[_ends(share) for _, share, _ in lines.entries], hover=_says("measured_line", words),
            noted=True,
        )
    )  # fmt: skip
    heights = spread([line.y[-1] for line in series], 6.0)
    notes = [
        Note(counts[-1], height, _named(line), "left", "middle", (10, 0))
        for line, height in zip(series, heights, strict=True)
    ]
    ticks = [count for count in counts if len(counts) < 6 or math.log10(count).is_integer()]
    below = Axis(words["recon_axis"], log=True, ticks=[(count, f"{count:,}") for count in ticks])
    beside = Axis(words["named_axis" if lines.named else "found_axis"], (-4, 106))
    return Chart(series, below, beside, inches=2.3, notes=notes, margin=SHARES | {"r": 96})


def _says(name: str, words: Mapping[str, str]) -> str:
    return words["hover_reconstruction"].format(name=capital(words[name]))


def _named(series: Series) -> str:
    """Return the name of a line beside its mark; the words keep the page's colour, which shows in both themes."""
    mark = f'<span style="color:{series.colour}">{_MARKS[series.symbol]}</span> ' if series.colour else ""
    return f"{mark}{series.name}"


def reconstruction_alt(lines: Curves, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``reconstruction_chart`` shows, in one sentence."""
    items = []
    for entry, share, _ in lines.entries:
        low, high = _ends(share)
        values = {"reports": entry.reports, "point": 100 * share.point, "lower": low, "upper": high}
        items.append(words["alt_reconstruction_item"].format(**values))
    name = "alt_named" if lines.named else "alt_found"
    return words[name].format(choices=lines.choices, items=words["and"].join(items), blind=100 / lines.choices)
