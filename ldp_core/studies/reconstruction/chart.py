"""Could somebody see a picture: how often an attacker is right against the number of reports, beside the limits."""

import math
from collections.abc import Mapping
from typing import Protocol

import plotly.graph_objects as go

from ldp_core.presentation.figures._styles import RIGHT
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.presentation.figures.described import Axis, Chart, Series, screen

MEAN_RULE = "#D55E00"


class Lines(Protocol):
    """The lines of the chart, one value for each number of reports; shares are in [0, 1]."""

    @property
    def reports(self) -> tuple[int, ...]:
        """Numbers of reports, rising."""
        ...

    @property
    def measured(self) -> tuple[float, ...]:
        """Share of pictures named right, or found among 20 of the same label."""
        ...

    @property
    def lower(self) -> tuple[float, ...]:
        """Lower end of its interval."""
        ...

    @property
    def upper(self) -> tuple[float, ...]:
        """Upper end of its interval."""
        ...

    @property
    def limit(self) -> tuple[float | None, ...]:
        """What nobody exceeds; None where no limit is known."""
        ...

    @property
    def blind(self) -> float:
        """Share of a blind guess."""
        ...

    @property
    def by_mean(self) -> tuple[float, ...]:
        """Share named right by the mean of the reports; empty where nobody named pictures."""
        ...

    @property
    def named(self) -> bool:
        """Whether pictures were named among candidates, instead of rebuilt."""
        ...

    @property
    def choices(self) -> int:
        """Pictures among which it was."""
        ...


def reconstruction_chart(lines: Lines, words: Mapping[str, str] = ENGLISH) -> Chart:
    """Describe how often of 100 the attacker is right, with bounds, the limit (dashed) and a blind guess (grey).

    Args:
        lines: what was measured.
        words: texts on the chart, see ``ENGLISH``.
    """
    counts = list(lines.reports)
    blind = [100 * lines.blind] * 2
    series = [Series(words["blind_line"], [counts[0], counts[-1]], blind, stroke="coin")]
    limited = [(count, 100 * one) for count, one in zip(counts, lines.limit, strict=True) if one is not None]
    if limited:
        across, up = zip(*limited, strict=True)
        series.insert(0, Series(words["limit_line"], across, up, stroke="promise", hover="%{y:.2f}"))
    shares, low, high = ([100 * one for one in row] for row in (lines.measured, lines.lower, lines.upper))
    if lines.by_mean:
        by_mean = [100 * one for one in lines.by_mean]
        series.append(
            Series(words["mean_line"], counts, by_mean, MEAN_RULE, "line", 1.5, "square", 7, hover="%{y:.1f}")
        )
    series.append(
        Series(
            words["measured_line"], counts, shares, RIGHT, "line", 2.5, "circle", 9,
            y_ends=list(zip(low, high, strict=True)), hover="%{y:.1f}",
        )
    )  # fmt: skip
    ticks = [count for count in counts if len(counts) < 6 or math.log10(count).is_integer()]
    below = Axis(words["recon_axis"], log=True, ticks=[(count, f"{count:,}") for count in ticks])
    return Chart(series, below, Axis(words[axis(lines)], (-2, 104)), inches=2.3)


def reconstruction_figure(lines: Lines, words: Mapping[str, str] = ENGLISH) -> go.Figure:
    """Draw ``reconstruction_chart`` on screen."""
    return screen.drawn(reconstruction_chart(lines, words))


def axis(lines: Lines) -> str:
    """Return the name of the text beside the axis of shares."""
    return "named_axis" if lines.named else "found_axis"


def reconstruction_alt(lines: Lines, words: Mapping[str, str] = ENGLISH) -> str:
    """Return what ``reconstruction_figure`` shows, in one sentence."""
    items = [
        words["alt_reconstruction_item"].format(reports=count, point=100 * one, lower=100 * low, upper=100 * high)
        for count, one, low, high in zip(lines.reports, lines.measured, lines.lower, lines.upper, strict=True)
    ]
    name = "alt_named" if lines.named else "alt_found"
    return words[name].format(choices=lines.choices, items=words["and"].join(items), blind=100 * lines.blind)
