"""Charts against the numbers they show."""

import math

import plotly.graph_objects as go
import pytest

from ldp_core.game.summary import summarize
from ldp_core.presentation import figures
from ldp_core.presentation.figures.described import screen
from ldp_core.presentation.figures.single import at_root, epsilon_chart, identification_chart
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts


def identification_figure(result: AuditResult) -> go.Figure:
    return screen.drawn(identification_chart(result))


def epsilon_figure(result: AuditResult) -> go.Figure:
    return screen.drawn(epsilon_chart(result))


"""As plotly draws what is printed, whose numbers can be read off."""


def run(
    attack: str = "label-flip", epsilon: float = 2.0, angle: float = 120.0, right: int = 3_750, **options: object
) -> AuditResult:
    config = AuditConfig(
        attack=attack, epsilon=epsilon, bound="pooled", seed=1, num_trials=10_000, num_measurements=2, watch=True,
        **options,  # type: ignore[arg-type]
    )  # fmt: skip
    pair = PairGeometry(angle, 1.0, 2.0, "test")
    counts = TrialCounts(right, 5_000 - right, 5_000 - right, right)
    expected = theory.cosine_identification(epsilon, angle, 1.0, 2.0, 1.0)
    return AuditResult(config, (MeasurementResult(pair, counts, expected),) * 2, True, 1.0, "cpu", {})


def texts(figure: go.Figure) -> str:
    return " | ".join(trace.name for trace in figure.data if trace.name)


def dashes(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.line.dash == "dash"]


def test_identification_figure_shows_promise_law_measurements_and_ranges() -> None:
    result = run()
    figure, share = identification_figure(result), summarize(result).identification
    assert share is not None
    colour = figures.attack_style("label-flip")[0]
    law = next(trace for trace in figure.data if trace.line.width == 3 and trace.line.color == colour)
    for x, y in zip(law.x, law.y, strict=True):
        assert y == pytest.approx(100 * theory.cosine_identification(x**2, 120.0, 1.0, 2.0, 1.0) if x else 50.0)
    spans = [tuple(trace.y) for trace in figure.data if trace.line.width in (5, 11)]
    assert spans[0] == pytest.approx((100 * share.lower, 100 * share.upper))
    assert spans[0][0] < spans[1][0] < 100 * share.point < spans[1][1] < spans[0][1]
    singles = next(trace for trace in figure.data if trace.marker.symbol == "square-open")
    assert list(singles.y) == [75.0, 75.0]
    assert list(singles.x) == [at_root(2.0)] * 2, (
        "moved aside on a rising curve, a mark would seem to break the promise"
    )
    assert "measured 75.0" in texts(figure)
    assert "75.00" in figures.identification_alt(result)


def test_epsilon_figure_shows_lower_bound_and_point() -> None:
    result = run()
    figure, epsilon = epsilon_figure(result), summarize(result).epsilon
    heights = [list(trace.y) for trace in figure.data if trace.mode == "markers" and trace.y[0] is not None]
    assert heights == [[at_root(epsilon.lower)], [at_root(epsilon.point or 0.0)]]
    diagonal = dashes(figure)[0]  # then that of the legend
    assert list(diagonal.x) == list(diagonal.y)
    lower = math.floor(100 * epsilon.lower) / 100
    assert f"at least {lower:.2f}" in texts(figure)
    assert f"{lower:.2f}" in figures.epsilon_alt(result)


def test_extremes_are_drawn() -> None:
    config = AuditConfig(attack="dummy", epsilon=8.0, bound="pooled", seed=1, num_trials=20, num_measurements=1)
    pair = PairGeometry(180.0, 1.0, 1.0, "test")
    for counts in ((10, 0, 0, 10), (0, 10, 10, 0), (20, 0, 0, 0), (0, 0, 0, 0)):
        result = AuditResult(config, (MeasurementResult(pair, TrialCounts(*counts), None),), True, 1.0, "cpu", {})
        identification_figure(result).to_json()
        epsilon_figure(result).to_json()
    empty = AuditResult(config, (), False, 1.0, "cpu", {})
    identification_figure(empty).to_json()
    epsilon_figure(empty).to_json()
    assert figures.identification_alt(empty) == ""


def test_where_no_law_is_known_none_is_drawn_or_spoken_of() -> None:
    colour = figures.attack_style("dummy")[0]
    for rule, drawn in (("loss-fall", 0), ("sign-sum", 0), ("cosine", 1)):
        result = run("dummy", angle=180.0, distinguisher=rule)
        share, epsilon = identification_figure(result), epsilon_figure(result)
        assert sum(trace.line.color == colour and len(trace.x) > 2 for trace in share.data) == drawn
        assert sum(trace.line.color == colour and len(trace.x) > 2 for trace in epsilon.data) == drawn
