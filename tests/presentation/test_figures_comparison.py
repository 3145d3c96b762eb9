"""Charts of comparisons against the arrays that they draw."""

import math

import plotly.graph_objects as go
import pytest

from ldp_core.adversaries import ATTACKS
from ldp_core.game.sweep import CompareResult
from ldp_core.presentation import figures, tables
from ldp_core.presentation.figures.mapping import map_step
from ldp_core.presentation.figures.utility import UtilityCurves
from ldp_core.statistics import theory
from tests.helpers.comparisons import comparison

CURVES: UtilityCurves = [(None, (0.1, 0.5, 0.9)), (4.0, (0.1, 0.3, 0.62)), (1.0, (0.1, 0.2, 0.61))]


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


def coloured(figure: go.Figure, attack: str) -> list[go.Scatter]:
    colour, symbol = figures.attack_style(attack)
    return [
        trace
        for trace in figure.data
        if trace.type == "scatter"
        and trace.marker.color == colour
        and trace.marker.symbol in (symbol, f"{symbol}-open")
        and trace.x[0] is not None
    ]


def texts(figure: go.Figure) -> str:
    return " | ".join(note.text for note in figure.layout.annotations)


def charts(result: CompareResult, traded: list[tables.Tradeoff]) -> dict[str, tuple[go.Figure, str]]:
    rows = tables.attacks_at(result, "mnist", 4.0)
    white = tables.datasets_at(result, 4.0, "white")
    curves = [tables.epsilon_curves(result, "mnist", attack, test) for attack in ATTACKS for test in ("white", "black")]
    effect, clients = tables.norm_effect(result, "mnist", 2.0), tables.clients_table(result, "mnist")
    compared, points = tables.published_table(result, "mnist"), tables.pair_points(result, "mnist")
    return {
        "attacks": (figures.attacks_figure(rows), figures.attacks_alt(rows)),
        "shares": (figures.shares_figure(rows), figures.shares_alt(rows)),
        "curves": (figures.curves_figure(curves), figures.curves_alt(curves)),
        "datasets": (figures.datasets_figure(white), figures.datasets_alt(white)),
        "norms": (figures.norms_figure(effect), figures.norms_alt(effect)),
        "clients": (figures.clients_figure(clients), figures.clients_alt(clients)),
        "published": (figures.published_figure(compared), figures.published_alt(compared)),
        "map": (figures.map_figure(4.0, 1.0, points), figures.map_alt(4.0, points)),
        "tradeoff": (figures.tradeoff_figure(traded), figures.tradeoff_alt(traded)),
        "utility": (figures.utility_figure(CURVES), figures.utility_alt(CURVES)),
    }


def test_attacks_figure_shows_bounds_estimates_laws_and_the_promise(result: CompareResult) -> None:
    rows = tables.attacks_at(result, "mnist", 4.0)
    figure = figures.attacks_figure(rows)
    for attack in ATTACKS:
        white, black = (row for row in rows if row.attack == attack)
        drawn = {trace.marker.symbol: trace.x[0] for trace in coloured(figure, attack) if trace.marker.size > 5}
        colour, symbol = figures.attack_style(attack)
        assert drawn == {symbol: white.lower, f"{symbol}-open": black.lower}
        dots = [trace.x[0] for trace in figure.data if trace.marker.color == colour and trace.marker.size == 5]
        assert dots == [white.point, black.point]
    laws = [trace.x[0] for trace in figure.data if trace.marker.symbol == "line-ns-open" and trace.x[0] is not None]
    assert laws == [row.expected_epsilon for row in rows if row.test == "white"]
    assert [list(trace.x) for trace in figure.data if trace.line.dash == "dash"] == [[4.0, 4.0]]
    assert f"{rows[0].lower:.2f}" in figures.attacks_alt(rows)


def test_shares_figure_shows_intervals(result: CompareResult) -> None:
    rows = tables.attacks_at(result, "mnist", 1.0)
    figure = figures.shares_figure(rows)
    spans = [list(trace.x) for trace in figure.data if trace.line.width == 5]
    assert spans == [[100 * row.identification.lower, 100 * row.identification.upper] for row in rows]
    for row in rows:
        assert 100 * row.identification.point in [trace.x[0] for trace in coloured(figure, row.attack)]
    assert "the promise: 73" in texts(figure)
    assert "73.11" in figures.shares_alt(rows)
    assert f"{100 * rows[0].identification.point:.2f}" in figures.shares_alt(rows)


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 4.0, 8.0])
def test_the_promise_is_named_above_its_line_and_only_what_is_drawn_is_in_a_legend(epsilon: float) -> None:
    compared = comparison(attacks=("benign", "dummy"), epsilons=(epsilon,))
    rows = tables.attacks_at(compared, compared.config.datasets[0], epsilon)
    words = figures.ENGLISH
    for figure in (figures.shares_figure(rows), figures.attacks_figure(rows)):
        (promise,) = [trace for trace in figure.data if trace.line.dash == "dash"]
        (note,) = figure.layout.annotations
        assert (note.x, note.yanchor) == (promise.x[0], "bottom")
        assert note.y < min(promise.y), "the axis grows downwards: no line reaches the label"
        coins = [trace for trace in figure.data if list(trace.x) == [50, 50]]
        assert all(min(trace.y) >= min(promise.y) for trace in coins)
        assert {trace.name for trace in figure.data if trace.showlegend}.isdisjoint({words["white"], words["black"]})
    hovers = [trace.hovertemplate for trace in figures.shares_figure(rows).data if trace.hovertemplate]
    share = rows[-1].identification
    assert any(f"measured {100 * share.point:.1f} of 100 ({100 * share.lower:.1f} to" in text for text in hovers)
    assert any("the promise" in text and "predicted" in text for text in hovers)


def test_norms_figure_draws_every_point_on_the_law(result: CompareResult) -> None:
    effect = tables.norm_effect(result, "mnist", 2.0)
    figure = figures.norms_figure(effect)
    law = next(trace for trace in figure.data if list(trace.x)[:-1] == list(effect.norms))
    assert list(law.y) == [100 * share for share in (*effect.law, effect.law[-1])]
    for attack in ("gradient-flip", "collusion", "dummy"):
        points = [point for point in effect.points if point.attack == attack]
        (found,) = coloured(figure, attack)
        assert list(found.y) == [100 * point.share.point for point in points]
    assert "length 0.25 to 1.00" in figures.norms_alt(effect)


def test_published_figure_marks_what_sampling_does_not_explain(result: CompareResult) -> None:
    rows = tables.published_table(result, "mnist")
    figure = figures.published_figure(rows)
    bands = [list(trace.x) for trace in figure.data if trace.line.width == 9]
    assert bands == [[-item.error, item.error] for item in rows]
    found = {trace.y[0]: trace for item in rows for trace in coloured(figure, item.row.attack)}
    for place, item in enumerate(rows):
        assert found[place].x[0] == item.difference
        assert found[place].marker.symbol.endswith("-open") != item.explained
    worst = max(rows, key=lambda item: abs(item.difference))
    assert f"{worst.difference:+.2f}" in figures.published_alt(rows)
    assert f"{sum(item.explained for item in rows)} of {len(rows)}" in figures.published_alt(rows)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 4.0, 30.0])
def test_the_map_is_the_law_and_its_lines_are_few(epsilon: float) -> None:
    figure = figures.map_figure(epsilon, 2.0, ())
    (contour,) = [trace for trace in figure.data if trace.type == "contour"]
    for row, norm in ((0, 0.0), (10, 1.0), (20, 2.0)):
        assert contour.y[row] == pytest.approx(norm)
        for column in (0, 12, 36):
            law = theory.cosine_identification(epsilon, contour.x[column], norm, norm, 2.0)
            assert contour.z[row][column] == pytest.approx(100 * law, abs=1e-3)
    span = 100 * theory.worst_case_identification(epsilon) - 50
    assert 2 <= span / map_step(epsilon) < 10


def test_every_measured_pair_is_on_the_map(result: CompareResult) -> None:
    points = tables.pair_points(result, "mnist")
    figure = figures.map_figure(4.0, 3.0, points)
    for attack in ATTACKS:
        here = [point for point in points if point.attack == attack and point.epsilon == 4.0]
        (found,) = coloured(figure, attack)
        assert list(found.x) == [point.angle for point in here]
        assert list(found.y) == pytest.approx([3.0 * point.norm for point in here])
        assert f"{100 * here[0].share.point:.2f}" in found.text[0]
    share = math.fsum(point.share.point for point in points if point.attack == "dummy" and point.epsilon == 4.0) / 10
    assert f"{100 * share:.2f}" in figures.map_alt(4.0, points)


def test_tradeoff_figure_shades_what_epsilon_allows(traded: list[tables.Tradeoff]) -> None:
    figure = figures.tradeoff_figure(traded)
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


def test_every_chart_has_a_sentence(result: CompareResult, traded: list[tables.Tradeoff]) -> None:
    for name, (figure, alt) in charts(result, traded).items():
        assert len(figure.to_json()) < 80_000, name
        assert alt.endswith("."), name
        assert "{" not in alt, name


def test_curves_have_one_line_for_each_attack_with_its_bounds(result: CompareResult) -> None:
    curves = [tables.epsilon_curves(result, "mnist", attack, test) for attack in ATTACKS for test in ("white", "black")]
    figure = figures.curves_figure([*curves, ()])
    for curve in curves:
        markers = [trace for trace in coloured(figure, curve[0].attack) if trace.marker.size == 9]
        assert [row.lower for row in curve] in [list(trace.y) for trace in markers]
        assert f"{curve[-1].lower:.2f} at epsilon 4" in figures.curves_alt(curves)


def test_utility_figure_draws_and_tells_each_curve() -> None:
    figure = figures.utility_figure(CURVES)
    (dashed,) = [trace for trace in figure.data if trace.line.dash == "dash"]
    assert list(dashed.y) == [10.0, 50.0, 90.0]
    assert [note.text for note in figure.layout.annotations] == ["no privacy", "ε = 4", "ε = 1"]
    alt = figures.utility_alt(CURVES)
    assert "no privacy: 90.0" in alt
    assert "ε = 1: 61.0" in alt
