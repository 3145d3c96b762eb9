"""The page that compares: settings, runs of every kind, and that sentences, charts and downloads say the same."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ldp_core.adversaries import ATTACKS
from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.presentation import tables
from ldp_core.presentation.tables import View
from ldp_core.studies import STUDIES
from ldp_core.studies.compare.store import Finding, assemble
from ldp_core.studies.reproduce import report as reproduced
from ldp_core.studies.reproduce.items import items
from ldp_core.types import MeasurementResult, PairGeometry, TrialCounts
from pages import jobs
from pages.compare import words as compare_words
from pages.state import prepared
from pages.widgets import sources, told
from tests.app.conftest import OpenPage, done, holding, html_of, job_of, start
from tests.app.conftest import finish as look_again
from tests.app.test_pages import texts
from tests.helpers.comparisons import comparison
from tests.helpers.marks import archive
from tests.helpers.patience import PATIENCE, until
from tests.helpers.words import en as t

SMALL = {"training": "none", "trials": "200", "measurements": "2", "seed": "5"}
FEW = SMALL | {"attacks": "benign,dummy", "epsilons": "1, 2"}


def finish(at: AppTest, key: str = "comparison") -> jobs.Job:
    return job_of(look_again(at, key), key)


def specs(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def look_at(at: AppTest, section: str) -> AppTest:
    at.session_state["section"] = section
    at.run()
    assert not at.exception
    return at


def made_up(config: CompareConfig, right: dict[str, int], kept: int | None = None) -> CompareResult:
    """Return a comparison in which each attack is right so often of 1,000 guesses."""
    found = {}
    for cell in config.cells():
        for number in range(config.num_measurements if kept is None else kept):
            half, good = config.num_trials // 2, right[cell.attack] * config.num_trials // 2_000
            counts = TrialCounts(good, half - good, half - good, good)
            result = MeasurementResult(PairGeometry(180.0, 1.0, 1.0, "test"), counts, None)
            found[cell, number] = Finding(cell, number, result, "cpu", {}, 0.1)
    return assemble(config, found)


def test_sentence_s_numbers_are_the_chart_s_and_the_core_s(open_page: OpenPage) -> None:
    at = start(open_page("compare", **FEW), "run_compare")
    job = finish(at)
    rows = tables.attacks_at(job.result, "digits", 1.0)
    best = max(rows, key=lambda row: row.identification.point)
    assert best.attack == "dummy"
    point = 100 * best.identification.point
    assert f"{t.PERCENT.format(value=f'{point:.1f}')} of {best.trials:,} guesses" in texts(at)
    assert t.FIGURES["name_dummy"] in texts(at)
    drawn = [x for trace in specs(at)[0]["data"] if trace.get("mode") == "markers" for x in trace.get("x") or []]
    assert any(isinstance(x, float) and abs(x - point) < 1e-9 for x in drawn)
    table = next(body for body in html_of(at) if f">{t.CMP_COLUMNS[6]}</th>" in body)
    assert f">{point:.2f}</td>" in table


def test_cancel_keeps_what_is_finished_and_continuing_runs_only_the_rest(open_page: OpenPage) -> None:
    """The first run goes no further than its first measurement before it is stopped."""
    manager = jobs.manager()
    steps: dict[str, list[int]] = {}

    def held(job: Any, cache: Any, threads: int) -> Iterator[Any]:
        done = steps.setdefault(job.id, [])
        for step in STUDIES["compare"].run(job, cache, threads):
            done.append(step.cells_done)
            yield step
            if step.cells_done and len(steps) == 1:
                assert job.stop.wait(PATIENCE)

    manager.run["compare"] = held
    at = start(open_page("compare", **(FEW | {"measurements": "6"})), "run_compare")
    job = job_of(at, "comparison")
    until(lambda: job.result and any(cell.measurements for cell in job.result.cells))
    at.run()
    assert t.CMP_SO_FAR in texts(at)
    assert len(at.get("plotly_chart")) == 2
    at.button(key="cancel_compare").click().run()
    assert finish(at).state == "cancelled"
    kept = sum(len(cell.measurements) for cell in job.result.cells)
    assert 0 < kept < 24
    share = t.PERCENT.format(value=f"{100 * kept / 24:.0f}")
    assert f"Stopped when {share} of 4 combinations was done" in texts(at)
    start(at, "continue_compare")
    again = finish(at)
    assert again.id != job.id
    assert again.state == "done"
    assert steps[again.id][0] == 0
    assert kept in steps[again.id]
    for before, after in zip(job.result.cells, again.result.cells, strict=True):
        assert after.measurements[: len(before.measurements)] == before.measurements


def test_what_was_known_stays_under_a_run_and_after_one_that_found_nothing(open_page: OpenPage) -> None:
    def held(job: Any, *_: Any) -> Iterator[Any]:
        assert job.stop.wait(PATIENCE)
        yield None

    jobs.manager().run["compare"] = held
    at = start(open_page("compare", **FEW), "run_compare")
    assert t.STAGE_PREPARED in texts(at)
    assert len(at.get("plotly_chart")) == 2
    at.button(key="cancel_compare").click().run()
    assert finish(at).state == "cancelled"
    assert t.STAGE_NOTHING in [told.value for told in at.info]
    assert t.STAGE_PREPARED in texts(at)


def test_one_press_sets_back_what_was_ticked(open_page: OpenPage) -> None:
    """Also what a press on a box has replaced: a box that is set anew is a new one."""
    at = start(open_page("compare", **FEW), "run_compare")
    finish(at)
    for name in ("benign", "collusion"):
        at.checkbox(key=f"attacks_{name}").set_value(name == "collusion").run()
    assert ticked(at) == ["collusion", "dummy"]
    at.button(key="set_back").click().run()
    assert not at.exception
    assert ticked(at) == ["benign", "dummy"]
    assert at.query_params["attacks"] == "benign,dummy"
    assert not [each for each in at.button if each.key == "set_back"]


def ticked(at: AppTest) -> list[str]:
    titles = {t.ATTACKS[name].title: name for name in ATTACKS}
    return [titles[box.label] for box in at.checkbox if box.label in titles and box.value]


def test_bad_values_in_a_link(open_page: OpenPage) -> None:
    at = open_page("compare", attacks="nonsense,dummy", tests="grey", datasets="nowhere", trials="-1", white_rules="x")
    assert not at.exception
    assert not at.error
    assert ticked(at) == ["dummy"]
    assert at.text_input(key="trials").value == "2000"
    at = open_page("compare", epsilons="1, a")
    assert len(at.error) == 1
    assert at.button(key="run_compare").disabled


def test_many_cells_are_judged_together() -> None:
    """Each of many cells at the promise would exceed it in one of a thousand runs; together they must not."""
    config = CompareConfig(ATTACKS, (1.0,), 1, num_trials=1_000, num_measurements=2)
    usual = dict.fromkeys(ATTACKS, 700)
    lucky = compare_words.finding(t, made_up(config, usual | {"dummy": 765}), "digits", 1.0, View())
    assert lucky.state == "none"
    assert "luck" in lucky.sentences[1]
    broken = compare_words.finding(t, made_up(config, usual | {"dummy": 900}), "digits", 1.0, View())
    assert broken.state == "above"
    assert sum("Claim rejected" in sentence for sentence in broken.sentences) == 1
    demo = replace(config, mechanism="overclaiming")
    shown = compare_words.finding(t, made_up(demo, dict.fromkeys(ATTACKS, 900)), "digits", 1.0, View())
    assert shown.state == "demo"


@pytest.mark.nightly
def test_learning_moves_the_points(open_page: OpenPage) -> None:
    at = start(open_page("compare", **FEW), "run_compare")
    finish(at)
    path = done(look_at(at, "map"), "path_button", "path")
    at.select_slider(key="path_level").set_value(20).run()
    assert not at.exception
    assert "After 20 passes" in texts(at)
    level = path.result.levels[-1]
    drawn = {round(x, 6) for trace in specs(at)[0]["data"] if trace.get("mode") == "markers" for x in trace["x"] if x}
    assert {round(pair.angle_degrees, 6) for pair in level.pairs["benign"]} <= drawn


def test_what_epsilon_costs(open_page: OpenPage) -> None:
    at = open_page("utility", cost_clients="50", cost_rounds="3", cost_epsilons="1, 4", seed="2")
    job = done(at, "run_cost", "cost")
    assert job.result.config.seed == 2
    assert "3 rounds at ε = 4 add up to 12" in texts(at)
    assert f"no privacy: {100 * job.result.curves[0].accuracy[-1]:.1f}" in texts(at)


OWN = {
    "compare": ("run_compare", "comparison", FEW | {"datasets": "digits,own"}),
    "audit": ("run", "job", SMALL | {"dataset": "own", "attack": "benign"}),
    "trust": ("run_trust", "trust", {"dataset": "own", "attack": "benign", "training": "none", "games": "100"}),
    "utility": ("run_cost", "cost", {"cost_dataset": "own", "cost_clients": "20", "cost_rounds": "1"}),
    "reconstruction": ("run_rebuilt", "rebuilt", {"rebuilt_dataset": "own", "counts": "1", "pictures": "2"}),
}
"""Page -> button, what names its run in the URL, and settings of a small run on the client's own images."""


@pytest.mark.parametrize("page", OWN)
def test_own_images_stay_in_memory_until_the_run_ends(open_page: OpenPage, page: str, cache_dir: Any) -> None:
    button, key, query = OWN[page]
    at = open_page(page, **query)
    assert [error.value for error in at.error] == [t.OWN_MISSING]
    at.file_uploader(key=sources.OWN_ZIP).set_value(("mine.zip", archive(), "application/zip")).run()
    assert not at.error
    assert done(at, button, key).own is None
    assert page != "compare" or len(look_at(at, "datasets").get("plotly_chart")) == 1
    assert not [path for path in cache_dir.rglob("*") if path.is_file() and b"PNG" in path.read_bytes()[:5000]]


def test_guesses_of_one_page_do_not_lengthen_another_page_s_run(open_page: OpenPage) -> None:
    at = open_page("audit", trials="500000", measurements="9", epsilon="2")
    for page, trials in (("compare", 2_000), ("audit", 500_000)):
        at.query_params.clear()
        at.switch_page(f"../{page}/page.py").run()
        assert not at.exception
        assert holding(at.text_input, "trials").value == str(trials)
    assert holding(at.text_input, "epsilon").value == "2"


def test_marks_on_each_other_are_counted() -> None:
    points = tables.pair_points(comparison(), "mnist", 4.0)
    assert tables.piled(points) == {"gradient-flip": 2, "collusion": 10, "dummy": 10}
    assert tables.piled([point for point in points if point.attack == "benign"]) == {}


def test_the_page_begins_with_its_example_and_has_every_item_of_the_papers_with_one_verdict(
    open_page: OpenPage,
) -> None:
    at = open_page("compare")
    assert not at.error
    assert len(at.get("plotly_chart")) == 2, "the prepared example, without a click"
    assert t.STAGE_PREPARED in texts(at)
    assert "28 combinations" in texts(at)
    look_at(at, "items")
    shown = "".join(body for body in html_of(at) if t.CMP_IMAGES_TITLE not in body)
    kept = prepared.job(prepared.REPRODUCE).result
    assert len(kept.items) == len(items()) >= 118
    for item in items().values():
        assert f'<th scope="row">{reproduced.named(item, told.teller(t))}</th>' in shown
    assert '<th scope="row">Figure 1b</th>' in shown
    verdicts = [re.sub("<[^>]*>", "", re.split("<td[^>]*>", row)[2]) for row in shown.split('<tr><th scope="row">')[1:]]
    counted = Counter(re.split(r" \(|（", verdict)[0] for verdict in verdicts)
    assert {t.REPORT[f"reproduce_{name}"]: count for name, count in kept.verdicts.items() if count} == counted
    assert any(code.value.startswith("python -m ldp_core reproduce ") for code in at.code)
