"""Charts of a run, of a comparison and of a check against the numbers that they show; saved files; and the stage."""

import math
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from pathlib import Path

import matplotlib
import numpy as np
import plotly.graph_objects as go
import pytest

from ldp_core.adversaries import ATTACKS
from ldp_core.checking.claims import look_lower
from ldp_core.game.summary import judged_law, judged_share, silent_share, summarize
from ldp_core.game.sweep import CompareResult
from ldp_core.presentation import figures, tables
from ldp_core.presentation.figures import paper
from ldp_core.presentation.figures.check import RULE_SYMBOLS, check_chart, evidence_alt, evidence_chart, evidence_of
from ldp_core.presentation.figures.comparison import attacks_chart
from ldp_core.presentation.figures.described import Chart, screen
from ldp_core.presentation.figures.mapping import map_step
from ldp_core.presentation.figures.single import at_root, epsilon_chart, identification_chart
from ldp_core.presentation.figures.utility import utility_chart
from ldp_core.statistics import theory
from ldp_core.studies.compare.report import save_charts
from ldp_core.studies.reading import english
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, PairGeometry, TrialCounts
from ldp_core.words import of
from ldp_core.words.numbers import floored
from tests.helpers.claimed import checked, measured
from tests.helpers.comparisons import comparison
from tests.helpers.words import LANGUAGES


def plotted(describe: Callable[[AuditResult], Chart], result: AuditResult) -> go.Figure:
    """As plotly draws what is printed, whose numbers can be read off."""
    return screen.drawn(describe(result))


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
    figure, share = plotted(identification_chart, result), summarize(result).identification
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
    figure, epsilon = plotted(epsilon_chart, result), summarize(result).epsilon
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
        plotted(identification_chart, result).to_json()
        plotted(epsilon_chart, result).to_json()
    empty = AuditResult(config, (), False, 1.0, "cpu", {})
    plotted(identification_chart, empty).to_json()
    plotted(epsilon_chart, empty).to_json()
    assert figures.identification_alt(empty) == ""


def test_where_no_law_is_known_none_is_drawn_or_spoken_of() -> None:
    colour = figures.attack_style("dummy")[0]
    for rule, drawn in (("loss-fall", 0), ("sign-sum", 0), ("cosine", 1)):
        result = run("dummy", angle=180.0, distinguisher=rule)
        share, epsilon = plotted(identification_chart, result), plotted(epsilon_chart, result)
        assert sum(trace.line.color == colour and len(trace.x) > 2 for trace in share.data) == drawn
        assert sum(trace.line.color == colour and len(trace.x) > 2 for trace in epsilon.data) == drawn


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
        assert f"{100 * cell.own[0]:.2f} and {100 * cell.own[1]:.2f}" in figures.tradeoff_alt(traded)
    assert [cell.leaves for cell in traded] == [False, True]
    assert "dummy: outside" in figures.tradeoff_alt(traded)


WORDS = figures.ENGLISH
OWN = {"own_pairs": 3, "inputs_digest": "0" * 64}
CASES = {
    "kept": checked(0.9, measured(16), dimension=16),
    "rejected": checked(1.5, pair="coordinates"),
    "stopped": replace(checked(0.9), completed=False),
    "learned only": checked(0.9, measured(500), rules=("learned",)),
    "nothing": replace(checked(), looks=(), completed=False),
    "too few": checked(11.0, epsilon=12.0, reports=10_000),
    "own and refined": checked(1.5, pair="refined-1", **OWN),
    "by files": checked(0.9, adaptive=False, **OWN),
}


def marks(figure: go.Figure) -> list[tuple[float, float, str, str]]:
    """Return what is drawn of the looks: place, height, symbol and colour."""
    return [
        (trace.x[0], trace.y[0], trace.marker.symbol, trace.marker.color)
        for trace in figure.data
        if trace.mode == "markers" and trace.x[0] is not None
    ]


def legend(figure: go.Figure) -> list[str]:
    return [trace.name for trace in figure.data if trace.showlegend]


@pytest.mark.parametrize("name", CASES)
def test_every_look_is_drawn_at_its_bound_in_its_pair_s_line(name: str) -> None:
    result = CASES[name]
    figure = screen.drawn(check_chart(result))
    found, names = marks(figure), [text.replace("<br>", " ") for text in figure.layout.yaxis.ticktext]
    assert len(found) == len(result.looks)
    assert len(names) == len({look.pair for look in result.looks})
    for look, (x, y, symbol, colour) in zip(result.looks, found, strict=True):
        lower = look_lower(result.config, look)
        above = lower > result.config.epsilon
        assert x == lower
        assert names[round(y)] == figures.pair_name(WORDS, look.pair)
        assert symbol == RULE_SYMBOLS[look.rule] + ("" if above else "-open")
        assert colour == (figures.WRONG if above else figures.RIGHT)


@pytest.mark.parametrize("name", ["stopped", "learned only", "nothing", "too few", "rejected"])
def test_a_check_that_may_have_missed_anything_draws_no_line_for_what_it_would_catch(name: str) -> None:
    figure, alt = screen.drawn(check_chart(CASES[name])), figures.check_alt(CASES[name])
    assert not any("caught" in item for item in legend(figure))
    assert "95 times" not in alt


@pytest.mark.parametrize("name", ["kept", "rejected"])
def test_the_way_to_what_is_shown_never_falls_and_ends_at_the_bound(name: str) -> None:
    (look, *_) = CASES[name].looks
    few = replace(look, round=1, counts=TrialCounts(30, 20, 20, 30))
    result = replace(CASES[name], looks=(few, replace(look, round=2), replace(few, round=3)))
    evidence = evidence_of(result)
    reports, shown = zip(*evidence, strict=True)
    assert list(reports) == sorted(set(reports))
    assert list(shown) == sorted(shown)
    assert shown[-1] == result.epsilon_lower
    found = marks(screen.drawn(evidence_chart(result.config, evidence)))
    claimed = result.config.epsilon
    assert [(x, y) for x, y, _, _ in found] == list(evidence)
    assert [symbol == "circle" for _, _, symbol, _ in found] == [lower > claimed for lower in shown]
    assert f"{reports[0]:,} reports" in evidence_alt(result, evidence)
    assert evidence_of(replace(result, looks=())) == []


@pytest.fixture(scope="module")
def small() -> CompareResult:
    return comparison(
        attacks=("benign", "gradient-flip", "dummy"), tests=("white", "black"), epsilons=(1.0, 4.0), curves=True,
        datasets=("mnist", "digits"), num_trials=1_000, num_measurements=2, clients=(1, 2),
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(small: CompareResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("paper")
    written = save_charts(small, place, english(), ("svg",))
    assert written == [path for path in written if path.parent == place and path.suffix == ".svg"]
    assert {path.name for path in place.iterdir()} == {path.name for path in written}
    return place


def test_there_is_a_file_for_every_figure_that_has_cells(folder: Path) -> None:
    names = {path.stem for path in folder.iterdir()}
    each = {"fig1b-m", "fig1b-j", "fig3", "table3-m", "map", "tradeoff-white"}
    datasets, epsilons = ("mnist", "digits"), ("1", "4")
    assert names == (
        {f"{name}-{dataset}-eps{epsilon}" for name in each for dataset in datasets for epsilon in epsilons}
        | {"fig2-mnist", "fig2-digits", "table1-j-mnist"}
        | {f"fig4-{test}-eps{epsilon}" for test in ("white", "black") for epsilon in epsilons}
    )


def test_a_wrong_format_is_refused_and_nothing_half_written_stays(
    small: CompareResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="format must be one of svg, pdf, png"):
        save_charts(small, tmp_path, english(), ("svg", "jpg"))
    assert list(tmp_path.iterdir()) == []

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="no space"):
        paper.save_chart(partial(utility_chart, [(None, (0.1, 0.9), (), ())]), tmp_path, "utility", ("svg",))
    assert list(tmp_path.iterdir()) == []


def test_no_setting_of_matplotlib_stays_changed_and_threads_may_save(tmp_path: Path) -> None:
    before = dict(matplotlib.rcParams)
    describe = partial(utility_chart, [(None, (0.1, 0.9), (), ()), (2.0, (0.1, 0.4), (), ())])
    threads = [
        threading.Thread(target=paper.save_chart, args=(describe, tmp_path, f"u{number}", ("svg",)))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    contents = {(tmp_path / f"u{number}.svg").read_bytes() for number in range(4)}
    assert len(contents) == 1
    assert dict(matplotlib.rcParams) == before


def selective(*counts: int) -> AuditResult:
    result = run(distinguisher="selective", epsilon=1.0, angle=90.0)
    config = replace(result.config, bound="clopper_pearson")
    pair = replace(result.measurements[0].pair, norm_second=1.0)
    return replace(result, config=config, measurements=(MeasurementResult(pair, TrialCounts(*counts), None),))


def test_who_speaks_seldom_is_judged_by_its_words() -> None:
    result = selective(900, 100, 700, 300)
    share = judged_share(result)
    assert (share.point, silent_share(result)) == (300 / 400, 1600 / 2000)
    assert share.lower < 0.75 < share.upper
    assert judged_law(result, 1.0) == pytest.approx(theory.worst_case_identification(1.0)), "its words use all of ε"
    assert judged_share(selective(1000, 0, 1000, 0)) is None
    whole = run()
    assert (judged_share(whole), silent_share(whole)) == (summarize(whole).identification, 0.0)


_WORDS = re.compile(r'<text x="([-\d.e]+)" y="([-\d.e]+)" text-anchor="(\w+)"[^>]*>([^<]*)</text>')
_MARK = re.compile(r'class="(?:point|earlier)" c?x="([-\d.]+)" c?y="([-\d.]+)"')


def reach(x: str, anchor: str, text: str) -> tuple[float, float]:
    """Return where a line of words begins and ends."""
    size = sum(17.0 if ord(letter) > 0x2E80 else 9.0 for letter in text)
    start = float(x) - {"start": 0.0, "middle": size / 2.0, "end": size}[anchor]
    return start, start + size


def clashes(drawing: str) -> list[str]:
    """Return what of a drawing touches: words with words or with the middle of a mark, and words off its edge."""
    shown = re.sub(r'<g class="ldp-tip">.*?</g>', "", drawing)
    left, top, width, height = map(float, re.findall(r'viewBox="([^"]*)"', drawing)[0].split())
    boxes = {}
    for x, y, anchor, text in _WORDS.findall(shown):
        start, end = reach(x, anchor, text)
        boxes[x, y, text] = start, float(y) - 12.0, end, float(y)
    marks = [(float(x), float(y)) for x, y in _MARK.findall(shown)]
    found = [
        f"{one[2]} / {two[2]}"
        for (one, a), (two, b) in combinations(boxes.items(), 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    found += [key[2] for key, a in boxes.items() for x, y in marks if a[0] < x < a[2] and a[1] < y < a[3]]
    edges = left, top, left + width, top + height
    return found + [key[2] for key, a in boxes.items() if not (edges[0] <= a[0] and a[2] <= edges[2])]


@pytest.mark.few(1)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("epsilon", [0.1, 0.25, 1.0, 2.0, 3.0, 4.0, 8.0, 20.0])
def test_no_words_lie_on_others_on_a_mark_or_off_the_drawing(epsilon: float, language: str) -> None:
    words, most = of(language).FIGURES, theory.worst_case_identification(epsilon)
    results = [None] + [
        run(epsilon=epsilon, angle=angle, right=round(5_000 * share))
        for angle, share in product((180.0, 120.0, 20.0), (0.46, 0.7, 0.9, most, 1.0))
    ]
    for result, draw in product(results, (figures.stage_share_svg, figures.stage_epsilon_svg)):
        for earlier in ([], [run("dummy", epsilon)], [run("dummy", 1.0), run("benign", 8.0)]):
            drawing = draw(epsilon, result, earlier, words)
            assert clashes(drawing) == [], (result, earlier)
            assert drawing.count('class="earlier"') == len(earlier)


_CURVE = re.compile(r'd="M([^"]*)" class="promise"')


@pytest.mark.few(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0, 8.0])
def test_what_was_measured_is_written_on_its_own_side_of_the_promise(epsilon: float, language: str) -> None:
    words, most = of(language).FIGURES, theory.worst_case_identification(epsilon)
    for angle, share in product((180.0, 100.0, 30.0), (0.52, 0.6, 0.75, most)):
        if share > most:
            continue
        drawing = figures.stage_share_svg(
            epsilon, run(epsilon=epsilon, angle=angle, right=round(5_000 * share)), [], words
        )
        curve = [tuple(map(float, point.split())) for point in _CURVE.findall(drawing)[0].split("L")]
        ((x, y, *told),) = (one for one in _WORDS.findall(drawing) if one[3].startswith(words["stage_measured"]))
        start, _ = reach(x, *told)
        assert float(y) - 12.0 > np.interp(start, *np.array(curve).T), "below it where it begins, and y points down"


@pytest.mark.parametrize("guess", [0, 50, 74, 90, 100])
def test_a_guess_is_a_hollow_mark_with_its_gap(guess: int) -> None:
    drawing = figures.stage_share_svg(1.0, run(epsilon=1.0), guess=guess)
    assert drawing.count('class="guess"') == 1
    assert f"you guessed {guess}" in drawing
    assert clashes(drawing) == []
    assert 'class="guess"' not in figures.stage_share_svg(1.0, run(epsilon=1.0))


def test_words_that_touch_are_seen() -> None:
    drawing = figures.stage_share_svg(2.0, run(), [], of("en").FIGURES)
    assert clashes(drawing) == []
    x, y = _MARK.findall(drawing)[0]
    on_mark = f'<text x="{x}" y="{float(y) + 5}" text-anchor="middle" fill="currentColor">here</text>'
    assert clashes(drawing.replace("</svg>", f"{on_mark}</svg>"))[-1] == "here"
    twice = f'<text x="0" y="{y}" text-anchor="start" fill="currentColor">one</text>'
    other = f'<text x="9" y="{float(y) + 4}" text-anchor="start" fill="currentColor">two</text>'
    assert clashes(drawing.replace("</svg>", f"{twice}{other}</svg>")) == ["one / two"]
    off = '<text x="470" y="0" text-anchor="start" fill="currentColor">off the edge</text>'
    assert "off the edge" in clashes(drawing.replace("</svg>", f"{off}</svg>"))
