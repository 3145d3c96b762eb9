"""The chart of detectors: its marks are the run's own numbers, and its words say who is refused and who is not."""

import dataclasses
import math
from pathlib import Path

import pytest

from ldp_core.cli import main
from ldp_core.presentation.figures import ENGLISH
from ldp_core.presentation.figures.described import Chart
from ldp_core.results import html
from ldp_core.studies.detect import document
from ldp_core.studies.detect.chart import tried_alt, tried_chart
from ldp_core.studies.detect.result import AttackRow, DetectConfig, DetectResult, to_json
from ldp_core.types import TrialCounts

_TELLS = TrialCounts(4_850, 150, 150, 4_850)
"""97 right of 100."""
SURE = 0.025 ** (1 / 6)
"""Lower limit of a share that was 6 of 6: whoever is refused less often is seen so in 2.5 of 100 runs."""


def made(**changes: AttackRow) -> DetectResult:
    """Return a run in which the clumsy are refused and whoever knows the detectors passes."""
    rows = {
        "benign": AttackRow("benign", 6, (), 5, TrialCounts(3_600, 1_400, 1_400, 3_600), TrialCounts()),
        "dummy": AttackRow("dummy", 6, (), 0, TrialCounts(), _TELLS),
        "border-image": AttackRow("border-image", 6, (), 6, _TELLS, _TELLS),
        "planted-border": AttackRow("planted-border", 6, (), 3, _TELLS, _TELLS),
    } | {row.attack: row for row in changes.values()}
    config = DetectConfig(7, tuple(rows), epsilon=math.log(49))
    return DetectResult(config, 3, (), tuple(rows.values()), True, 20.0, {"torch": "2"})


def described(result: DetectResult) -> Chart:
    return tried_chart(document.tried(result, document.WORDS), 100 * result.promise)


def marks(chart: Chart, name: str) -> list[tuple[float, tuple[float, float]]]:
    """Return what is marked under a name, with its interval, from the top."""
    found = [one for one in chart.series if one.name == ENGLISH[name] and one.symbol]
    return [(one.x[0], one.x_ends[0]) for one in sorted(found, key=lambda one: -one.y[0])]


def test_marks_are_the_run_s_shares_and_intervals_in_the_order_of_the_kinds() -> None:
    chart = described(made())
    refused, right = marks(chart, "tried_refused"), marks(chart, "tried_right")
    assert [point for point, _ in refused] == pytest.approx([100, 0, 50, 100 / 6])
    assert refused[0][1] == pytest.approx((100 * SURE, 100))
    assert refused[1][1] == pytest.approx((0, 100 - 100 * SURE))
    assert [point for point, _ in right] == pytest.approx([97, 97, 72])
    assert all(low < point < high for point, (low, high) in right)
    bars = [one.x for one in chart.series if one.name == ENGLISH["tried_refused"] and not one.symbol]
    assert bars == [[0.0, point] for point, _ in refused]
    assert [one.x[0] for one in chart.series if one.stroke == "promise"] == pytest.approx([98.0] * 4)
    assert [tick for _, tick in chart.beside.ticks] == [
        "Unaware of detectors\n6 of 6 refused", "made-up update", "Know the detectors\n3 of 12 refused",
        "image on the border of\ntwo labels", "model with a border\nplanted in it", "No attack\n1 of 6 refused",
        "ordinary updates",
    ]  # fmt: skip


def test_where_nothing_gets_past_it_is_said_and_no_right_guess_is_marked() -> None:
    for result, times in ((made(), 1), (made(b=AttackRow("border-image", 6, (), 0, TrialCounts(), _TELLS)), 2)):
        chart = described(result)
        assert [note.text for note in chart.notes].count(ENGLISH["tried_nothing"]) == times
        assert len(marks(chart, "tried_right")) == 4 - times


def test_the_alt_text_says_who_is_refused_and_what_the_rest_gives_away() -> None:
    result = made()
    assert tried_alt(document.tried(result, document.WORDS), 100 * result.promise) == (
        "Pairs refused of 100, and right guesses of 100 about what gets past. "
        "Unaware of detectors: 6 of 6 refused (made-up update 100, nothing gets past). "
        "Know the detectors: 3 of 12 refused (image on the border of two labels 0, then 97.0 right; "
        "model with a border planted in it 50, then 97.0 right). "
        "No attack: 1 of 6 refused (ordinary updates 17, then 72.0 right). ε allows at most 98.0."
    )


def test_an_attack_without_a_pair_is_left_out_and_a_run_without_attacks_has_no_chart(tmp_path: Path) -> None:
    less = made(d=AttackRow("dummy", 0, (), 0, TrialCounts(), TrialCounts()))
    assert [row.name for row in document.tried(less, document.WORDS)] == [
        document.WORDS[f"detect_{name}"] for name in ("benign", "border-image", "planted-border")
    ]
    begun = dataclasses.replace(made(), rows=(), completed=False)
    assert document.save(begun, tmp_path, {}) == []
    assert "<svg" not in html(begun)


def test_a_kept_run_has_its_figure_in_the_document_and_in_files(tmp_path: Path) -> None:
    result, saved = made(), tmp_path / "run.json"
    saved.write_text(to_json(result), encoding="utf-8")
    assert main(["show", str(saved), "--html", str(tmp_path / "page.html"), "--figures", str(tmp_path / "f")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert tried_alt(document.tried(result, document.WORDS), 100 * result.promise) in page
    assert document.WORDS["note_chart_detect"] in page
    names = sorted(path.name for path in (tmp_path / "f").iterdir())
    assert names == [f"detectors.{suffix}" for suffix in ("pdf", "png", "svg")]


@pytest.mark.nightly
def test_the_command_writes_the_figures(tmp_path: Path) -> None:
    words = ["detect", "--attacks", "dummy", "--pairs", "1", "--trials", "100", "--seed", "7"]
    assert main([*words, "--figures", str(tmp_path / "f")]) == 0
    assert {path.suffix for path in (tmp_path / "f").iterdir()} == {".svg", ".pdf", ".png"}
