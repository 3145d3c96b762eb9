"""Charts of comparisons against the arrays that they draw."""

import pytest

from ldp_core.adversaries import ATTACKS
from ldp_core.game.sweep import CompareResult
from ldp_core.presentation import figures, tables
from ldp_core.presentation.figures.comparison import attacks_chart
from ldp_core.presentation.figures.described import screen
from ldp_core.presentation.figures.mapping import map_step
from ldp_core.statistics import theory
from ldp_core.words.numbers import floored
from tests.helpers.comparisons import comparison


@pytest.fixture(scope="module")
def result() -> CompareResult:
    return comparison(
        attacks=ATTACKS, tests=("white", "black"), strengths=(0.25, 1.0), clients=(1, 4), datasets=("mnist", "digits")
    )


@pytest.fixture(scope="module")
def traded() -> list[tables.Tradeoff]:
    options = {"attacks": ("benign", "dummy"), "epsilons": (1.0,), "curves": True, "num_trials": 4_000}
    cells = comparison(mechanism="overclaiming", **options).cells  # type: ignore[arg-type]
    return [found for cell in cells if (found := tables.tradeoff(cell)) is not None]


def test_attacks_figure_shows_bounds_estimates_laws_and_the_promise(result: CompareResult) -> None:
    rows = tables.attacks_at(result, "mnist", 4.0)
    figure = screen.drawn(attacks_chart(rows))
    marks = [trace for trace in figure.data if trace.marker.color == figures.RIGHT and trace.x[0] is not None]
    for place, attack in enumerate(ATTACKS):
        white, black = (row for row in rows if row.attack == attack)
        here = [trace for trace in marks if abs(trace.y[0] - place) < 0.5]
        drawn = {trace.marker.symbol: trace.x[0] for trace in here if trace.marker.size > 5}
        assert drawn == {"circle": white.lower, "circle-open": black.lower}
        assert [trace.x[0] for trace in here if trace.marker.size == 5] == [white.point, black.point]
    laws = [trace.x[0] for trace in figure.data if trace.marker.symbol == "line-ns-open" and trace.x[0] is not None]
    assert laws == [row.expected_epsilon for row in rows if row.test == "white"]
    assert [list(trace.x) for trace in figure.data if trace.line.dash == "dash"] == [[4.0, 4.0]]
    assert floored(rows[0].lower, 2) in figures.attacks_alt(rows)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 4.0, 30.0])
def test_the_map_is_the_law_and_its_lines_are_few(epsilon: float) -> None:
    figure = screen.drawn(figures.map_chart(epsilon, 2.0, ()))
    (contour,) = [trace for trace in figure.data if trace.type == "contour"]
    for row, norm in ((0, 0.0), (10, 1.0), (20, 2.0)):
        assert contour.y[row] == pytest.approx(norm)
        for column in (0, 12, 36):
            law = theory.cosine_identification(epsilon, contour.x[column], norm, norm, 2.0)
            assert contour.z[row][column] == pytest.approx(100 * law, abs=1e-3)
    span = 100 * theory.worst_case_identification(epsilon) - 50
    assert 2 <= span / map_step(epsilon) < 10


def test_tradeoff_figure_shades_what_epsilon_allows(traded: list[tables.Tradeoff]) -> None:
    figure = screen.drawn(figures.tradeoff_chart(traded))
    corners = [(100 * x, 100 * y) for x, y in traded[0].region]
    assert list(zip(figure.data[0].x, figure.data[0].y, strict=True)) == [*corners[:3], corners[0]]
    bands = [trace for trace in figure.data if trace.fill == "toself"][1:]
    for cell, band in zip(traded, bands, strict=True):
        assert list(band.x)[:41] == [100 * rate.lower for rate in cell.false_positives]
        assert list(band.y)[:41] == [100 * rate.lower for rate in cell.false_negatives]
        outlines = [
            list(trace.x) for trace in figure.data if trace.line.color == figures.WRONG and trace.line.width == 2
        ]
        assert (list(band.x) in outlines) == cell.leaves
        assert cell.own is not None
        assert f"{100 * cell.own[0]:.2f} and {100 * cell.own[1]:.2f}" in figures.tradeoff_alt(traded)
    assert [cell.leaves for cell in traded] == [False, True]
    assert "dummy: outside" in figures.tradeoff_alt(traded)
