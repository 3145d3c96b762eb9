"""Charts against the numbers they show."""

import itertools
import math
from dataclasses import replace
from pathlib import Path

import plotly.graph_objects as go
import pytest

import ldp_core
from ldp_core.adversaries import ATTACKS
from ldp_core.checking.claims import LEAKS, PAIRS, RULES
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import summarize
from ldp_core.game.sweep import TESTS
from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts


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
    return " | ".join(note.text for note in figure.layout.annotations)


def dashes(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.line.dash == "dash"]


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 1.0, 4.0, 8.0, 30.0])
def test_theory_figure_marks_the_chosen_epsilon_on_the_promise(epsilon: float) -> None:
    figure = figures.theory_figure(epsilon)
    share = 100 * theory.worst_case_identification(epsilon)
    assert any(list(trace.x) == [epsilon] and list(trace.y) == [share] for trace in figure.data)
    (curve,) = dashes(figure)
    for x, y in zip(curve.x, curve.y, strict=True):
        assert y == pytest.approx(100 * theory.worst_case_identification(x))
    assert curve.x[0] <= epsilon <= curve.x[-1]


def test_share_that_is_not_all_never_reads_as_all() -> None:
    told = {epsilon: figures.theory_alt(epsilon) for epsilon in (1.0, 4.0, 8.0, 30.0)}
    assert "ε = 1: at most 73 of 100." in told[1.0]
    assert "ε = 4: at most 98.2\u00a0%." in told[4.0]
    assert "ε = 8: at most 99.97\u00a0%." in told[8.0]
    assert "ε = 30: nearly all." in told[30.0]
    for epsilon, sentence in told.items():
        (label,) = (note.text for note in figures.theory_figure(epsilon).layout.annotations if "<b>" in note.text)
        assert label[3:-4].replace("<br>", " ") in sentence


def test_identification_figure_shows_promise_law_measurements_and_ranges() -> None:
    result = run()
    figure, share = figures.identification_figure(result), summarize(result).identification
    assert share is not None
    colour = figures.attack_style("label-flip")[0]
    law = next(trace for trace in figure.data if trace.line.width == 3 and trace.line.color == colour)
    for x, y in zip(law.x, law.y, strict=True):
        assert y == pytest.approx(100 * theory.cosine_identification(x, 120.0, 1.0, 2.0, 1.0))
    spans = [tuple(trace.y) for trace in figure.data if trace.line.width in (5, 11)]
    assert spans[0] == pytest.approx((100 * share.lower, 100 * share.upper))
    assert spans[0][0] < spans[1][0] < 100 * share.point < spans[1][1] < spans[0][1]
    singles = next(trace for trace in figure.data if trace.marker.symbol == "square-open")
    assert list(singles.y) == [75.0, 75.0]
    assert list(singles.x) == [2.0, 2.0], "moved aside on a rising curve, a mark would seem to break the promise"
    assert "measured 75.0" in texts(figure)
    assert "75.00" in figures.identification_alt(result)


def test_law_that_is_the_promise_is_said_to_be() -> None:
    words = figures.ENGLISH
    assert words["promise_is_law"] in texts(figures.identification_figure(run("dummy", angle=180.0, right=4_400)))
    assert words["law"] in texts(figures.identification_figure(run()))


def test_axes_stay_while_a_run_goes_on() -> None:
    shares, epsilons = set(), set()
    for right in (4_999, 4_000, 3_000, 1_000, 10):
        going = replace(run(right=right), completed=False)
        shares.add(tuple(figures.identification_figure(going).layout.yaxis.range))
        drawn = figures.epsilon_figure(going)
        epsilons.add((tuple(drawn.layout.xaxis.range), tuple(drawn.layout.yaxis.range)))
        low, high = drawn.layout.yaxis.range
        assert all(low <= trace.y[0] <= high for trace in drawn.data if trace.mode == "markers")
    assert (len(shares), len(epsilons)) == (1, 1)
    low, high = figures.identification_figure(run(right=1_000)).layout.yaxis.range
    assert low < 20.0 < high, "at its end, everything is shown"


def test_epsilon_figure_shows_lower_bound_and_point() -> None:
    result = run()
    figure, epsilon = figures.epsilon_figure(result), summarize(result).epsilon
    heights = [list(trace.y) for trace in figure.data if trace.mode == "markers"]
    assert heights == [[epsilon.lower], [epsilon.point]]
    (diagonal,) = dashes(figure)
    assert list(diagonal.x) == list(diagonal.y)
    lower = math.floor(100 * epsilon.lower) / 100
    assert f"at least {lower:.2f}" in texts(figure)
    assert f"{lower:.2f}" in figures.epsilon_alt(result)


def test_extremes_are_drawn() -> None:
    config = AuditConfig(attack="dummy", epsilon=8.0, bound="pooled", seed=1, num_trials=20, num_measurements=1)
    pair = PairGeometry(180.0, 1.0, 1.0, "test")
    for counts in ((10, 0, 0, 10), (0, 10, 10, 0), (20, 0, 0, 0), (0, 0, 0, 0)):
        result = AuditResult(config, (MeasurementResult(pair, TrialCounts(*counts), None),), True, 1.0, "cpu", {})
        figures.identification_figure(result).to_json()
        figures.epsilon_figure(result).to_json()
    empty = AuditResult(config, (), False, 1.0, "cpu", {})
    figures.identification_figure(empty).to_json()
    figures.epsilon_figure(empty).to_json()
    assert figures.identification_alt(empty) == ""


def test_colours_and_markers_are_distinct_and_leave_the_reserved_ones() -> None:
    styles = [figures.attack_style(attack) for attack in ATTACKS]
    for one, other in itertools.combinations(styles, 2):
        assert one[0] != other[0]
        assert one[1] != other[1]
    assert not {colour for colour, _ in styles} & {figures.RIGHT, figures.WRONG, figures.COIN}


def test_charts_are_small_and_transparent() -> None:
    for figure in (figures.theory_figure(1.0), figures.identification_figure(run()), figures.epsilon_figure(run())):
        assert len(figure.to_json()) < 16_000
        assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
        assert figure.layout.showlegend is False
        assert not figure.layout.font.color


def beginnings(word: str) -> list[str]:
    """Return what stands before each underscore."""
    return [word[:place] for place, letter in enumerate(word) if letter == "_"]


def test_every_word_is_used() -> None:
    """Names of attacks and data sets, and of the two tests, are looked up by the names that cells have."""
    core = Path(ldp_core.__file__).parent
    paths = [*(core / "presentation" / "figures").rglob("*.py"), *(core / "studies").rglob("chart*.py")]
    source = "".join(path.read_text(encoding="utf-8") for path in paths)
    for word in figures.ENGLISH:
        if word.startswith("name_"):
            assert word.removeprefix("name_") in ATTACKS
        elif word.startswith("by_"):
            assert word.removeprefix("by_") in DISTINGUISHERS
        elif word.startswith("data_"):
            assert word.removeprefix("data_") in DATASETS
        elif word.startswith("pair_"):
            assert word.removeprefix("pair_") in {*PAIRS, "own", "refined"}
        elif word.startswith("leak_"):
            assert word.removeprefix("leak_") in LEAKS
        elif word.startswith("rule_"):
            assert word.removeprefix("rule_") in RULES
        elif word not in TESTS and not any(f'f"{start}_{{' in source for start in beginnings(word)):
            assert source.count(f'"{word}"') + source.count(f"'{word}'") >= 1, word
    assert {f"pair_{pair}" for pair in PAIRS} | {f"rule_{rule}" for rule in RULES} <= set(figures.ENGLISH)
    assert {f"name_{attack}" for attack in ATTACKS} | {f"data_{name}" for name in DATASETS} <= set(figures.ENGLISH)


@pytest.mark.parametrize("rule", ["loss-fall", "sign-sum", "signed-loss"])
def test_where_no_law_is_known_none_is_drawn_or_spoken_of(rule: str) -> None:
    black, white = run("dummy", angle=180.0, distinguisher=rule), run("dummy", angle=180.0)
    colour = figures.attack_style("dummy")[0]
    words = figures.ENGLISH
    for result, drawn in ((black, 0), (white, 1)):
        share, epsilon = figures.identification_figure(result), figures.epsilon_figure(result)
        assert sum(trace.line.color == colour and len(trace.x) > 2 for trace in share.data) == drawn
        assert sum(trace.line.color == colour and len(trace.x) > 2 for trace in epsilon.data) == drawn
        assert (words["promise_is_law"] in texts(share)) == bool(drawn)
    assert words["law"] not in texts(figures.identification_figure(black))
    assert words["law"] not in texts(figures.epsilon_figure(black))
    assert "75.00" in figures.identification_alt(black)


def test_an_unknown_attack_has_a_style_of_its_own() -> None:
    assert figures.attack_style("another") not in [figures.attack_style(attack) for attack in ATTACKS]
    assert figures.attack_name(figures.ENGLISH, "another") == "another"
    assert figures.dataset_name(figures.ENGLISH, "mnist") == "MNIST"
