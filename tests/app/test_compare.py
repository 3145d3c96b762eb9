"""The page that compares: settings, runs of every kind, and that sentences, charts and downloads say the same."""

import csv
import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from ldp_core import results
from ldp_core.adversaries import ATTACKS
from ldp_core.cache import Cache
from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.presentation import tables
from ldp_core.presentation.figures import ENGLISH
from ldp_core.presentation.tables import View
from ldp_core.studies import STUDIES
from ldp_core.studies.compare import exports
from ldp_core.studies.compare import shared_cells as cells
from ldp_core.studies.compare import workload as compare_plan
from ldp_core.studies.compare.store import Finding, assemble
from ldp_core.studies.utility.measured import measured
from ldp_core.studies.utility.result import command
from ldp_core.types import MeasurementResult, PairGeometry, TrialCounts
from pages import jobs
from pages.compare import words as compare_words
from pages.frame import wording
from pages.widgets import sources
from tests.app.conftest import holding
from tests.app.taken import links
from tests.app.test_pages import texts
from tests.helpers.comparisons import MNIST, comparison
from tests.helpers.patience import PATIENCE, until
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t

OpenPage = Callable[..., AppTest]
SMALL = {"training": "none", "trials": "200", "measurements": "2", "seed": "5"}
FEW = SMALL | {"attacks": "benign,dummy", "epsilons": "1, 2"}


def start(at: AppTest, button: str = "run_compare") -> AppTest:
    at.button(key=button).click().run()
    assert not at.exception
    return at


def finish(at: AppTest, key: str = "comparison") -> jobs.Job:
    job = jobs.manager().get(at.query_params[key])
    assert job is not None
    assert job.ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    return job


def headline(at: AppTest) -> str:
    return next((e.proto.body for e in at.get("html") if "ldp-head" in e.proto.body), "")


def html_of(at: AppTest) -> list[str]:
    return [str(element.proto.body) for element in at.get("html")]


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


def test_page_renders_without_a_click_and_without_a_job(open_page: OpenPage) -> None:
    at = open_page("compare")
    assert not at.exception
    assert not at.error
    assert not at.get("plotly_chart")
    assert all(at.checkbox(key=f"attacks_{name}").value for name in ATTACKS)
    assert "runs 7 attacks at ε = 0.5, 1, 2, 4, by someone who sees your report: 6,000 guesses each" in texts(at)
    assert "28 combinations" in texts(at)
    fold = next(fold for fold in at.expander if fold.label == t.CMP_SETTINGS)
    assert not fold.proto.expanded
    assert fold.checkbox
    assert not fold.button
    assert "seconds on this device" in texts(at)


def test_run_to_the_end_and_every_section_draws(open_page: OpenPage) -> None:
    at = start(open_page("compare", **SMALL | {"trials": "900"}, tests="white,black", clients="1,2"))
    job = finish(at)
    assert job.state == "done"
    assert t.CMP_HEADLINES["none"] in headline(at)
    assert "--attacks all" in at.code[0].value
    assert "--seed 5" in at.code[0].value
    for section in set(t.CMP_SECTIONS) - {"datasets"}:
        charts = len(look_at(at, section).get("plotly_chart"))
        assert charts == {"attacks": 2, "papers": 0}.get(section, 1), section
    at.session_state["show_epsilon"] = 4.0
    assert "at ε = 4" in texts(look_at(at, "attacks")).replace("At", "at")
    assert t.CMP_SHARED in texts(at)
    assert "/audit?distinguisher=selective" in texts(at)


PICKS = {
    "attacks": {"epsilon", "clients", "white"},
    "curves": {"clients", "white"},
    "map": {"white"},
    "lengths": {"epsilon", "white"},
    "clients": {"epsilon"},
    "papers": set(),
    "errors": {"epsilon", "clients", "white"},
}


def test_picks_without_effect_are_not_shown_and_kept(open_page: OpenPage) -> None:
    query = FEW | {"tests": "white,black", "clients": "1,2", "white_rules": "cosine,selective"}
    at = start(open_page("compare", **query))
    finish(at)
    at.session_state["show_epsilon"] = 2.0
    at.session_state["show_clients"] = 2
    for section, expected in PICKS.items():
        look_at(at, section)
        shown = {group.key for group in at.get("button_group") if str(group.key).startswith("show_")}
        assert shown == {f"show_{name}" for name in expected}, section
        assert "At ε = 2 the attack" in texts(at), section
    assert look_at(at, "attacks").session_state["show_clients"] == 2


def test_verdict_comes_first_and_statistics_are_folded(open_page: OpenPage) -> None:
    at = start(open_page("compare", **FEW))
    finish(at)
    whole = texts(at)
    sure = next(fold for fold in at.expander if fold.label == t.CMP_SURE_TITLE)
    assert not sure.proto.expanded
    assert len(sure.markdown) == 2
    assert whole.index("the attack that got furthest") < whole.index("does not prove the promise")
    assert whole.index("Below the promise is not") < whole.index(t.CMP_SHARES_NOTE)
    spoken = start(open_page("compare", **(FEW | {"white_rules": "cosine,selective"})))
    finish(spoken)
    assert "Below the promise is not" not in texts(spoken)
    assert "speaks up only when surest shows a leak of at least" in texts(spoken)


def opened(open_page: OpenPage, dataset: str) -> AppTest:
    """Return the page with a result that was saved over a data set's images."""
    saved = exports.to_json(comparison(datasets=(dataset,), epsilons=(1.0,), num_measurements=2)).encode()
    return open_page("compare", comparison=jobs.manager().open(results.read(saved)).id)


def test_only_images_of_mnist_stand_beside_the_papers_table(open_page: OpenPage) -> None:
    at = look_at(opened(open_page, "mnist"), "papers")
    assert len(at.get("plotly_chart")) == 1
    assert t.CMP_PAPERS_TITLES["whole"] in texts(at)
    assert not [info for info in at.info if info.value == t.CMP_PAPERS_OTHERS]
    at = look_at(opened(open_page, "digits"), "papers")
    assert not at.get("plotly_chart")
    assert [info.value for info in at.info] == [t.CMP_PAPERS_OTHERS]


def test_a_result_says_on_which_images_it_rests(open_page: OpenPage) -> None:
    (shown,) = (body for body in html_of(opened(open_page, "mnist")) if f'aria-label="{t.CMP_IMAGES_TITLE}"' in body)
    for said in ("60,000", "10,000", MNIST, "88.00 of 100", "2 passes"):
        assert said in shown


def test_every_row_beside_the_papers_has_its_own_reason() -> None:
    shown = tables.published_table(comparison(), "mnist")
    rows = compare_words.published_rows(t, shown)
    assert len(rows) == len(shown)
    for item, row in zip(shown, rows, strict=True):
        why = row[t.CMP_PAPERS_COLUMNS[-1]]
        assert (why == t.CMP_PAPERS_LUCK) == item.explained
        assert all(t.CMP_REASONS[reason] in why for reason in item.reasons)


def test_an_attack_has_one_plain_name_and_the_papers_beside_it() -> None:
    for attack, words in t.ATTACKS.items():
        assert words.title.lower().startswith(compare_words.name(t, attack))
        assert words.title.endswith(f"({ENGLISH[f'name_{attack}']})")
    shown = tables.published_table(comparison(), "mnist")
    named = compare_words.papers_names(t, shown)
    for item, row in zip(shown, compare_words.published_rows(t, shown), strict=True):
        assert row[t.CMP_PAPERS_COLUMNS[0]] == t.ATTACKS[item.row.attack].title
        assert named.count(t.ATTACKS[item.row.attack].title) == 1


def test_marks_on_each_other_are_counted() -> None:
    points = tables.pair_points(comparison(), "mnist", 4.0)
    counts = tables.piled(points)
    assert counts == {"gradient-flip": 2, "collusion": 10, "dummy": 10}
    assert "22 marks lie on each other: flipped update 2, server and app 10, made-up update 10" in wording.piled(
        t, counts
    )
    assert tables.piled([point for point in points if point.attack == "benign"]) == {}
    assert tables.full_length([point for point in points if point.attack == "dummy"])
    assert not tables.full_length(points)
    assert not tables.full_length([])


def test_sentence_s_numbers_are_the_chart_s_and_the_core_s(open_page: OpenPage) -> None:
    at = start(open_page("compare", **FEW))
    job = finish(at)
    rows = tables.attacks_at(job.result, "digits", 1.0)
    best = max(rows, key=lambda row: row.identification.point)
    assert best.attack == "dummy"
    point = 100 * best.identification.point
    assert f"{t.PERCENT.format(value=f'{point:.1f}')} of {best.trials:,} guesses" in texts(at)
    assert t.ATTACKS["dummy"].title in texts(at)
    drawn = [x for trace in specs(at)[0]["data"] if trace.get("mode") == "markers" for x in trace.get("x") or []]
    assert any(isinstance(x, float) and abs(x - point) < 1e-9 for x in drawn)
    table = next(body for body in html_of(at) if f">{t.CMP_COLUMNS[6]}</th>" in body)
    assert f">{point:.2f}</td>" in table


def test_cancel_keeps_what_is_finished_and_continuing_runs_only_the_rest(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = jobs.manager()
    steps: list[int] = []

    def slowly(job: Any, cache: Any, threads: int) -> Iterator[Any]:
        for step in STUDIES["compare"].run(job, cache, threads):
            steps.append(step.cells_done)
            yield step
            if step.cells_done and len(steps) < 200:
                time.sleep(0.2)

    manager.run["compare"] = slowly
    at = start(open_page("compare", **(FEW | {"measurements": "6"})))
    job = manager.get(at.query_params["comparison"])
    assert job is not None
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
    first = tables.attacks_at(job.result, "digits", 1.0)
    steps[:] = [0] * 200
    start(at, "continue_compare")
    again = finish(at)
    assert again.id != job.id
    assert again.state == "done"
    assert steps[200:][0] == 0
    assert kept in steps[200:]
    for before, after in zip(job.result.cells, again.result.cells, strict=True):
        assert after.measurements[: len(before.measurements)] == before.measurements
    assert len(tables.attacks_at(again.result, "digits", 1.0)) == len(first)


def test_result_survives_a_restart(open_page: OpenPage) -> None:
    import streamlit as st

    at = start(open_page("compare", **FEW))
    finish(at)
    jobs.manager().shutdown()
    st.cache_resource.clear()
    again = open_page("compare", comparison=at.query_params["comparison"])
    assert not again.exception
    assert headline(again) == headline(at) != ""
    other = open_page("audit", job=at.query_params["comparison"])
    assert [error.value for error in other.error] == [t.UNKNOWN_JOB]


def test_downloads_hold_one_row_per_cell_and_measurement(open_page: OpenPage) -> None:
    at = start(open_page("compare", **FEW))
    result = finish(at).result
    assert list(links(at)) == [t.TAKE_HTML, t.TAKE_FILES["table.csv"], t.DOWNLOAD_JSON]
    rows = list(csv.DictReader(io.StringIO(exports.to_csv(result))))
    assert len(rows) == 2 * 2 * 2
    assert {row["seed"] for row in rows} == {"5"}
    assert exports.from_json(exports.to_json(result)).cells == result.cells


def test_bad_values_in_a_link(open_page: OpenPage) -> None:
    at = open_page("compare", attacks="nonsense,dummy", tests="grey", datasets="nowhere", trials="-1", white_rules="x")
    assert not at.exception
    assert not at.error
    assert [name for name in ATTACKS if at.checkbox(key=f"attacks_{name}").value] == ["dummy"]
    assert at.checkbox(key="tests_white").value
    assert at.multiselect(key="datasets").value == ["digits"]
    assert at.number_input(key="trials").value == 2_000
    for query in ({"epsilons": "1, a"}, {"epsilons": "99"}, {"tests": "black", "clients": "0"}):
        at = open_page("compare", **query)
        assert not at.exception
        assert len(at.error) == 1
        assert not next(fold for fold in at.expander if fold.label == t.CMP_SETTINGS).error
        assert at.button(key="run_compare").disabled


def test_rule_that_means_nothing_is_grey_and_says_why(open_page: OpenPage) -> None:
    at = open_page("compare", **(FEW | {"attacks": "label-flip", "tests": "black", "clients": "4"}))
    for rule, grey in (("sign-sum", True), ("loss-change", True), ("update-inversion", True), ("loss-fall", False)):
        assert at.checkbox(key=f"black_rules_{rule}").disabled == grey
        if grey:
            assert t.CMP_RULE_OFF.format(reason=t.DISTINGUISHERS[rule].objection) in texts(at)
    assert f"Must know: {t.DISTINGUISHERS['loss-fall'].access}" in texts(at)


def test_partly_fitting_rule_names_what_it_fits() -> None:
    fits, note = compare_words.rule_note(t, "sign-sum", ATTACKS, (1,))
    assert fits
    assert "Only for: made-up update." in note
    fits, note = compare_words.rule_note(t, "update-inversion", ATTACKS, (1, 4))
    assert fits
    assert "more than one client" in note
    config = CompareConfig(
        ATTACKS, (1.0,), 1, tests=("black",), black_rules=("sign-sum", "update-inversion"), clients=(1, 4)
    )
    left_out = compare_words.skipped(t, config)
    assert any("update inversion" in line and "more than one client" in line for line in left_out)
    assert any("sign sum" in line and "nobody cheats" in line for line in left_out)


def test_nothing_chosen_is_one_sentence(open_page: OpenPage) -> None:
    at = open_page("compare", **(FEW | {"attacks": "dummy"}))
    at.checkbox(key="attacks_dummy").uncheck().run()
    assert [error.value for error in at.error] == [t.CMP_NO_ATTACK]
    assert at.button(key="run_compare").disabled


def test_too_large_a_run_is_refused_before_it_starts(open_page: OpenPage) -> None:
    at = open_page("compare", trials="100000000")
    assert "at most 200,000,000,000, all combinations together" in at.error[0].value
    assert at.button(key="run_compare").disabled
    at = open_page("utility", cost_clients="100000", cost_rounds="1000")
    assert "at most 200,000,000,000; this counts as" in at.error[0].value
    assert at.button(key="run_cost").disabled


def test_planned_time_grows_with_what_costs_time() -> None:
    config = CompareConfig(ATTACKS, (0.5, 1.0), 1, num_trials=2_000)
    times = [
        compare_plan.compare_seconds(one, 1e8)
        for one in (
            config,
            replace(config, num_trials=4_000),
            replace(config, num_trials=4_000, tests=("white", "black")),
            replace(config, num_trials=4_000, tests=("white", "black"), clients=(100,)),
        )
    ]
    assert times == sorted(times)
    assert times[0] < 10


def test_many_cells_are_judged_together() -> None:
    """Each of many cells at the promise would exceed it in one of twenty runs; together they must not."""
    config = CompareConfig(ATTACKS, (1.0,), 1, num_trials=1_000, num_measurements=2)
    usual = dict.fromkeys(ATTACKS, 700)
    lucky = compare_words.finding(t, made_up(config, usual | {"dummy": 752}), "digits", 1.0, View())
    assert lucky is not None
    assert lucky.state == "none"
    assert "luck" in lucky.sentences[0]
    broken = compare_words.finding(t, made_up(config, usual | {"dummy": 900}), "digits", 1.0, View())
    assert broken is not None
    assert broken.state == "above"
    assert "1 of 7 combinations" in " ".join(broken.sentences)
    demo = replace(config, mechanism="overclaiming")
    shown = compare_words.finding(t, made_up(demo, dict.fromkeys(ATTACKS, 900)), "digits", 1.0, View())
    assert shown is not None
    assert shown.state == "demo"


def test_verdict_never_says_all_of_them_and_speaks_of_the_selective() -> None:
    config = CompareConfig(("dummy",), (8.0,), 1, num_trials=1_000, num_measurements=1)
    found = compare_words.finding(t, made_up(config, {"dummy": 1_000}), "digits", 8.0, View())
    assert found is not None
    assert "every time, in 1,000 guesses" in found.sentences[0]
    config = CompareConfig(("benign",), (2.0,), 1, white_rules=("cosine", "selective"), num_trials=1_000)
    found = compare_words.finding(t, made_up(config, {"benign": 600}), "digits", 2.0, View())
    assert found is not None
    assert "speaks up only when surest" in found.sentences[1]


def test_learning_moves_the_points(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    at = look_at_map(open_page)
    start(at, "path_button")
    path = finish(at, "path")
    assert path.state == "done"
    assert path.config.attacks == ("benign", "dummy")
    at.select_slider(key="path_level").set_value(20).run()
    assert not at.exception
    assert "After 20 passes" in texts(at)
    level = path.result.levels[-1]
    drawn = {round(x, 6) for trace in specs(at)[0]["data"] if trace.get("mode") == "markers" for x in trace["x"] if x}
    assert {round(pair.angle_degrees, 6) for pair in level.pairs["benign"]} <= drawn
    at.select_slider(key="map_epsilon").set_value(8.0).run()
    assert not at.exception


def look_at_map(open_page: OpenPage) -> AppTest:
    at = start(open_page("compare", **FEW))
    finish(at)
    look_at(at, "map")
    at.select_slider(key="map_epsilon").set_value(8.0).run()
    assert t.CMP_MAP_OTHER in texts(at)
    return at


def test_what_epsilon_costs_is_shown_before_anything_is_run(open_page: OpenPage) -> None:
    at = open_page("utility")
    curves = measured().curves
    assert f"{round(100 * curves[0].accuracy[-1])} of 100 right without privacy" in texts(at)
    assert f"{round(100 * curves[-1].accuracy[-1])} at ε = 4" in texts(at)
    assert any(command(measured().config) == code.value for code in at.code)
    assert t.REPORT["limits_utility"].split("\n")[0] in texts(at)


def test_what_epsilon_costs(open_page: OpenPage) -> None:
    at = start(open_page("utility", cost_clients="50", cost_rounds="3", cost_epsilons="1, 4", seed="2"), "run_cost")
    job = finish(at, "cost")
    assert job.state == "done"
    assert job.result.config.seed == 2
    assert "3 × 4 = 12" in texts(at)
    assert f"{round(100 * job.result.curves[0].accuracy[-1])} of 100 right without privacy" in texts(at)
    assert ("Too few clients" in texts(at)) == bool(job.result.unlearned)
    at = open_page("utility", cost_clients="100000", cost_rounds="1000")
    assert any(
        error.value.startswith("On this page, reports times numbers in an update may be at most") for error in at.error
    )


def pictures_zip() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(24):
            picture = io.BytesIO()
            Image.new("L", (28, 28), 10 * number).save(picture, "PNG")
            archive.writestr(f"label{number % 2}/{number}.png", picture.getvalue())
    return content.getvalue()


@pytest.mark.parametrize("page", ["compare", "audit"])
def test_own_images_stay_in_memory_until_the_run_ends(open_page: OpenPage, page: str, cache_dir: Any) -> None:
    query = FEW | {"datasets": "digits,own"} if page == "compare" else SMALL | {"dataset": "own", "attack": "benign"}
    at = open_page(page, **query)
    assert [error.value for error in at.error] == [t.OWN_MISSING]
    at.file_uploader(key=sources.OWN_ZIP).set_value(("mine.zip", pictures_zip(), "application/zip")).run()
    assert not at.error
    start(at, "run_compare" if page == "compare" else "run")
    job = finish(at, "comparison" if page == "compare" else "job")
    assert job.state == "done", job.error
    assert job.own is None
    assert page == "audit" or len(look_at(at, "datasets").get("plotly_chart")) == 1
    assert not [path for path in cache_dir.rglob("*") if path.is_file() and b"PNG" in path.read_bytes()[:5000]]


def test_unusable_upload_is_one_sentence(open_page: OpenPage) -> None:
    at = open_page("compare", **(FEW | {"datasets": "own"}))
    at.file_uploader(key=sources.OWN_ZIP).set_value(("mine.zip", b"no archive", "application/zip")).run()
    finish(start(at))
    assert len(at.error) == 1
    assert ".zip file" in at.error[0].value


def test_dropped_images_are_asked_for_again(open_page: OpenPage, tmp_path: Any) -> None:
    config = CompareConfig(("dummy",), (1.0,), 1, datasets=("own",), num_trials=10, training="none")
    job = jobs.manager().submit(config, tmp_path)
    assert job.ended.wait(PATIENCE)
    assert job.state == "failed"
    assert "dropped when a run ends" in job.error


def test_a_comparison_whose_file_breaks_meanwhile_ends_and_the_page_says_what_is_in_memory_only(
    open_page: OpenPage,
) -> None:
    """A folder in its place stops everyone, root too; test_faults has the full disk."""
    broken = []

    def run(job: Any, cache: Cache, threads: int) -> Iterator[Any]:
        for step in STUDIES["compare"].run(job, cache, threads):
            if step.cells_done and not broken:
                assert cache.directory is not None
                broken.append(cache.directory / "results" / cells.STORE)
                broken[0].unlink()
                broken[0].mkdir()
            yield step

    jobs.manager().run["compare"] = run
    at = start(open_page("compare", **FEW))
    job = finish(at)
    assert broken
    assert (job.state, job.error, job.result.completed) == ("done", "", True)
    assert "The cells that comparisons share are kept in memory only, because their file failed: " in texts(at)


def test_folder_without_the_data_set_is_one_sentence(open_page: OpenPage, tmp_path: Any) -> None:
    at = open_page("compare", **(FEW | {"datasets": "digits,svhn"}))
    at.text_input(key="data_dir").set_value(str(tmp_path)).run()
    finish(start(at))
    assert [error.value for error in at.error] == [
        f"Svhn must lie below the data folder as train_32x32.mat and test_32x32.mat, got {str(tmp_path)!r} without it; "
        "name another folder or allow a download. Change that, and try again."
    ]
    assert not list(tmp_path.glob("*.mat"))
    assert len(at.get("plotly_chart")) == 2  # what was found on the digits stays


def test_audit_refuses_a_rule_that_means_nothing(open_page: OpenPage) -> None:
    at = open_page("audit", attack="label-flip", distinguisher="sign-sum")
    assert len(at.error) == 1
    assert t.DISTINGUISHERS["sign-sum"].objection in at.error[0].value
    assert at.button(key="run").disabled


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "ja"])
def test_the_black_box_is_shown_as_the_view_of_a_sum_with_a_link(open_page: OpenPage, language: str) -> None:
    words = LANGUAGES[language]
    at = open_page("compare", **FEW, lang=language)
    assert not at.exception
    captions = [caption.value for caption in at.caption]
    assert captions.index(words.CMP_BLACK_SUM) == captions.index(words.CMP_TEST_NAMES["black"][1]) + 1
    assert words.NAV_TRUST in [link.proto.label for link in at.get("page_link")]


def test_audit_runs_a_black_box_with_other_clients(open_page: OpenPage) -> None:
    query = SMALL | {"attack": "input-perturbation", "distinguisher": "loss-fall", "clients": "2", "strength": "0.5"}
    at = start(open_page("audit", **query), "run")
    job = finish(at, "job")
    assert job.state == "done", job.error
    assert (job.config.clients, job.config.strength) == (2, 0.5)
    assert "never sees your report" in texts(at)


def test_guesses_of_one_page_do_not_lengthen_another_page_s_run(open_page: OpenPage) -> None:
    at = open_page("audit", trials="500000", measurements="9", epsilon="2")
    assert holding(at.number_input, "trials").value == 500_000
    at.query_params.clear()
    at.switch_page("../compare/page.py").run()
    assert not at.exception
    assert holding(at.number_input, "trials").value == 2_000
    assert holding(at.number_input, "measurements").value == 3
    at.query_params.clear()
    at.switch_page("../audit/page.py").run()
    assert holding(at.number_input, "trials").value == 500_000
    assert holding(at.number_input, "epsilon").value == 2.0
