"""Charts that are described once: both renderers show all that a description says, and nothing else."""

import functools
import re
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from ldp_core.presentation.figures import ENGLISH, paper
from ldp_core.presentation.figures.described import Axis, Chart, Series, printed, screen
from ldp_core.studies import study_of
from tests.helpers.words import report_of
from tests.presentation.test_figures import CASES, run
from tests.presentation.test_takeaway import small_comparison
from tests.studies.test_results_fuzz import examples

OTHERS = ("detect", "capacity", "central", "reconstruction", "plane", "path")
CHECKS = [CASES[name] for name in ("kept", "rejected", "own and refined")]
AUDITS = (run(), replace(run(right=3_000), completed=False))


@functools.cache
def charts(study: str, name: str = "") -> list[Chart]:
    """Return the charts in the reports of a study's results, in English, or the one with a name of its file."""
    own = {"compare": [small_comparison()], "check": CHECKS, "audit": AUDITS}
    results = own.get(study) or [one for one in examples() if study_of(one.config).name == study]
    found = [chart for result in results for chart in report_of(result).charts]
    wanted = [chart for chart in found if chart.name == name or not (name or chart.name.startswith("curves"))]  # panels
    return [chart.describe(ENGLISH) for chart in wanted]


def points(x: object, y: object) -> list[tuple[float, float]]:
    return [(float(one), float(other)) for one, other in zip(x, y, strict=True) if one is not None]  # type: ignore[call-overload]


def missing(chart: Chart, shown: list[list[tuple[float, float]]]) -> list[str]:
    """Return the names of the series whose points are not among what was drawn."""
    found = [(one.name, points(one.x, one.y)) for one in chart.series]
    return [name for name, line in found if line not in shown and not all([point] in shown for point in line)]


def on_screen(figure: go.Figure) -> list[list[tuple[float, float]]]:
    return [points(trace.x, trace.y) for trace in figure.data if trace.type == "scatter"]


def in_print(figure: Figure) -> list[list[tuple[float, float]]]:
    (axes,) = figure.axes
    lines = [points(line.get_xdata(), line.get_ydata()) for line in axes.lines]
    areas = [points(*area.get_xy().T) for area in axes.patches if isinstance(area, Polygon)]
    return [*lines, *areas, *(area[:-1] for area in areas)]  # matplotlib closes an area that is not closed


def both(chart: Chart) -> tuple[Chart, go.Figure, Figure]:
    """Return a chart and what the two renderers draw of it."""
    with paper.settings(ENGLISH):
        return chart, screen.drawn(chart), printed.drawn(chart)


def shows_every_series(chart: Chart, figure: go.Figure, paper_figure: Figure) -> None:
    seen, read = on_screen(figure), in_print(paper_figure)
    assert missing(chart, seen) == missing(chart, read) == []
    shown = {point for line in (*seen, *read) for point in line}
    described = {point for one in chart.series for point in points(one.x, one.y)}
    ends = {(end, y) for one in chart.series for y, pair in zip(one.y, one.x_ends, strict=False) for end in pair}
    ends |= {(x, end) for one in chart.series for x, pair in zip(one.x, one.y_ends, strict=False) for end in pair}
    assert shown <= described | ends


@pytest.mark.few(5)
@pytest.mark.parametrize("study", ["compare", "check", "audit", "utility", "trust", *OTHERS])
def test_both_renderers_show_every_series(study: str) -> None:
    for chart in charts(study):
        shows_every_series(*both(chart))


@pytest.mark.parametrize(
    ("study", "name"),
    [
        ("trust", "trust"), ("central", "central"), ("reconstruction", "reconstruction"), ("utility", "utility"),
        *(("compare", name) for name in ("shares-mnist", "attacks-mnist", "tradeoff-white-mnist")),
    ],
)  # fmt: skip
def test_lines_are_named_on_the_chart_and_the_pointer_finds_words(study: str, name: str) -> None:
    (described,) = charts(study, name)
    chart, figure, _ = both(described)
    keys = [trace.name for trace in figure.data if trace.showlegend]
    assert all(one.name not in keys for one in chart.series if one.stroke in ("promise", "coin"))
    words = [item.text for item in chart.notes if re.search(r"color:[^>]*>\w", item.text)]
    assert words == [], "words in a mark's colour"
    hovers = [trace.hovertemplate for trace in figure.data if trace.hovertemplate]
    assert hovers
    assert [text for text in hovers if text.startswith("%{")] == [], "a bare number"


def test_intervals_and_axes_are_the_same_in_both() -> None:
    series = Series("a", [1.0, 10.0], [2.0, 3.0], "#0072B2", "line", symbol="circle", y_ends=[(1.5, 2.25), (3.0, 5.0)])
    chart = Chart([series], Axis("x", log=True, ticks=[(1, "one"), (10, "ten")]), Axis("y", (0, 6), reverse=True))
    _, figure, paper_figure = both(chart)
    (bars,) = (trace.error_y for trace in figure.data if trace.error_y.array is not None)
    assert (list(bars.arrayminus), list(bars.array)) == ([0.5, 0.0], [0.25, 2.0])
    assert (figure.layout.xaxis.type, list(figure.layout.xaxis.ticktext)) == ("log", ["one", "ten"])
    assert list(figure.layout.yaxis.range) == [6, 0]
    (axes,) = paper_figure.axes
    assert {(1.0, 1.5), (1.0, 2.25), (10.0, 5.0)} <= {point for line in in_print(paper_figure) for point in line}
    assert axes.get_xscale() == "log"
    assert [text.get_text() for text in axes.get_xticklabels()] == ["one", "ten"]
    assert axes.get_ylim() == (6, 0)


def test_a_series_that_a_renderer_forgets_is_seen() -> None:
    (chart,) = charts("central")
    _, figure, paper_figure = both(Chart(chart.series[1:], chart.below, chart.beside))
    assert missing(chart, on_screen(figure)) == missing(chart, in_print(paper_figure)) == [chart.series[0].name]
