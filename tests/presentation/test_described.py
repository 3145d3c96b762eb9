"""Charts that are described once: both renderers show all that a description says, and nothing else."""

import functools
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import plotly.graph_objects as go
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from ldp_core import record
from ldp_core.game.summary import Interval
from ldp_core.presentation import tables
from ldp_core.presentation.figures import ENGLISH, paper
from ldp_core.presentation.figures.check import check_chart
from ldp_core.presentation.figures.comparison import attacks_chart, datasets_chart, shares_chart
from ldp_core.presentation.figures.described import Axis, Chart, Series, printed, screen
from ldp_core.presentation.figures.details import clients_chart, norms_chart, published_chart
from ldp_core.presentation.figures.mapping import map_chart
from ldp_core.presentation.figures.single import epsilon_chart, identification_chart
from ldp_core.presentation.figures.tradeoffs import tradeoff_chart
from ldp_core.presentation.figures.utility import UtilityCurves, utility_chart
from ldp_core.studies.capacity.chart import capacity_chart
from ldp_core.studies.capacity.result import CapacityResult
from ldp_core.studies.central.chart import ClaimPlane, Reached, claim_chart
from ldp_core.studies.detect.chart import Tried, tried_chart
from ldp_core.studies.plane.chart import PLANES, Place, plane_chart
from ldp_core.studies.reconstruction.chart import reconstruction_chart
from ldp_core.studies.trust.chart import ViewRow, views_chart
from tests.helpers.comparisons import comparison
from tests.presentation.test_figures import CASES, run


@dataclass(frozen=True)
class Rebuilt:
    """The lines of a study of reconstruction."""

    reports: tuple[int, ...] = (1, 10, 100, 1_000)
    measured: tuple[float, ...] = (0.05, 0.2, 0.6, 0.9)
    lower: tuple[float, ...] = (0.02, 0.15, 0.5, 0.85)
    upper: tuple[float, ...] = (0.1, 0.3, 0.7, 0.95)
    limit: tuple[float | None, ...] = (0.1, 0.5, 1.0, None)
    blind: float = 0.05
    by_mean: tuple[float, ...] = (0.05, 0.1, 0.3, 0.8)
    named: bool = True
    choices: int = 20


def around(point: float) -> Interval:
    return Interval(point, point - 0.01, point + 0.02)


def places() -> list[Place]:
    return [
        Place(method, f"{method} {number}", around(0.6 + 0.1 * number), around(0.5 + 0.05 * number),
              around(0.05 + 0.02 * number), around(0.3 + 0.1 * number), around(0.09))
        for method, number in itertools.product(("sgd", "dp-sgd", "natural"), (1, 2))
    ]  # fmt: skip


def claimed() -> ClaimPlane:
    reached = [
        Reached("first attacker", 0.2, 0.3, (0.25, 0.4), 5),
        Reached("second attacker", 0.5, 0.4, (0.55, 0.5), 0),
    ]
    return ClaimPlane(4.0, [(0.0, 1.0), (0.2, 0.1), (1.0, 0.0)], [(0.0, 1.0), (0.4, 0.4), (1.0, 0.0)], reached)


def views() -> list[ViewRow]:
    return [ViewRow("local", 98.2, 98.2, (97.5, 97.1, 97.9)), ViewRow("shuffled", 53.8, 64.5)]


def attacks() -> list[Tried]:
    long = "image on the border of two labels"
    return [
        Tried("made-up update", "plain", 6, 6, (100.0, 54.1, 100.0), None),
        Tried(long, "adaptive", 6, 3, (50.0, 11.8, 88.2), (97.1, 96.7, 97.5)),
        Tried("ordinary updates", "honest", 6, 0, (0.0, 0.0, 45.9), (72.6, 71.7, 73.5)),
    ]


COMPARED = comparison(
    attacks=("benign", "label-flip", "dummy"), tests=("white", "black"), datasets=("mnist", "digits"),
    epsilons=(1.0, 30.0), clients=(1, 4), num_trials=1_000, num_measurements=2,
)  # fmt: skip
CURVES: UtilityCurves = [
    (None, (0.1, 0.5, 0.9), (), ()),
    (4.0, (0.1, 0.3, 0.62), (0.1, 0.2, 0.5), (0.1, 0.4, 0.7)),
    (1.0, (0.1, 0.2, 0.61), (), ()),
]
TRADED = [
    found
    for cell in comparison(
        mechanism="overclaiming", attacks=("benign", "dummy"), epsilons=(1.0,), curves=True, num_trials=4_000
    ).cells
    if (found := tables.tradeoff(cell)) is not None
]
CHARTS: dict[str, Callable[[dict[str, str]], Chart]] = {
    "attacks": partial(attacks_chart, tables.attacks_at(COMPARED, "mnist", 30.0)),
    **{f"check-{name}": partial(check_chart, CASES[name]) for name in ("kept", "rejected", "own and refined")},
    "identification": partial(identification_chart, run()),
    "identification going on": partial(identification_chart, replace(run(right=3_000), completed=False)),
    "epsilon": partial(epsilon_chart, run()),
    "tradeoff": partial(tradeoff_chart, TRADED),
    "map": partial(map_chart, 1.0, 2.0, tables.pair_points(COMPARED, "mnist", 1.0)),
    "clients": partial(clients_chart, tables.clients_table(COMPARED, "mnist"), 1.0),
    "norms": partial(norms_chart, tables.norm_effect(COMPARED, "mnist", 1.0)),
    "published": partial(published_chart, tables.published_table(COMPARED, "mnist")),
    "datasets": partial(datasets_chart, tables.datasets_at(COMPARED, 1.0, "white")),
    "shares": partial(shares_chart, tables.attacks_at(COMPARED, "mnist", 1.0)),
    "utility": partial(utility_chart, CURVES),
    "views": partial(views_chart, views(), 98.2),
    "detectors": partial(tried_chart, attacks(), 98.2),
    **{f"capacity-{panel.name}": partial(capacity_chart, panel) for panel in record.measured(CapacityResult).panels},
    "claim": lambda words: claim_chart(claimed(), words),
    "reconstruction": lambda words: reconstruction_chart(Rebuilt(), words),
    **{f"plane-{plane}": lambda words, plane=plane: plane_chart(places(), plane, words) for plane in PLANES},
}


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


@functools.cache
def drawn(name: str) -> tuple[Chart, go.Figure, Figure]:
    """Return the same of one of the charts, in English, drawn once for all tests."""
    return both(CHARTS[name](ENGLISH))


def shows_every_series(chart: Chart, figure: go.Figure, paper_figure: Figure) -> None:
    seen, read = on_screen(figure), in_print(paper_figure)
    assert missing(chart, seen) == missing(chart, read) == []
    shown = {point for line in (*seen, *read) for point in line}
    described = {point for one in chart.series for point in points(one.x, one.y)}
    ends = {(end, y) for one in chart.series for y, pair in zip(one.y, one.x_ends, strict=False) for end in pair}
    ends |= {(x, end) for one in chart.series for x, pair in zip(one.x, one.y_ends, strict=False) for end in pair}
    assert shown <= described | ends


@pytest.mark.few(16)
@pytest.mark.parametrize("name", CHARTS)
def test_both_renderers_show_every_series(name: str) -> None:
    shows_every_series(*drawn(name))


@pytest.mark.parametrize("name", ["views", "claim", "reconstruction", "shares", "attacks", "utility", "tradeoff"])
def test_lines_are_named_on_the_chart_and_the_pointer_finds_words(name: str) -> None:
    chart, figure, _ = drawn(name)
    keys = [trace.name for trace in figure.data if trace.showlegend]
    assert all(one.name not in keys for one in chart.series if one.stroke in ("promise", "coin"))
    assert not [item.text for item in chart.notes if re.search(r"color:[^>]*>\w", item.text)], (
        "words in a mark's colour"
    )
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
    chart = CHARTS["claim"](ENGLISH)
    _, figure, paper_figure = both(Chart(chart.series[1:], chart.below, chart.beside))
    assert missing(chart, on_screen(figure)) == missing(chart, in_print(paper_figure)) == [chart.series[0].name]
