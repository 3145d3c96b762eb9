"""Every page, driven in one process through its main script."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ldp_core import record, reports
from ldp_core.adversaries import ADVERSARIES
from ldp_core.game.summary import summarize
from ldp_core.presentation import tables
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.studies.audit.configuration import make_config
from ldp_core.types import AuditResult, MeasurementResult, PairGeometry, TrialCounts
from pages import jobs
from pages.audit import cards, next_test
from pages.audit import words as audit_words
from pages.state import prepared
from pages.widgets import downloads, inputs, sources
from tests.app.conftest import SMALL, OpenPage, finish, holding, job_of, stage, start
from tests.helpers.patience import until
from tests.helpers.words import en as t


def texts(at: AppTest) -> str:
    """Return what a reader sees of the prose: Markdown without the marks of terms."""
    kinds = (at.markdown, at.caption, at.error, at.warning)
    told = [e.proto.body for e in at.get("html") if "ldp-verdict" in e.proto.body]
    shown = "\n".join([stage(at), *told, *(str(element.value) for kind in kinds for element in kind)])
    shown = shown.replace("<b>", "**").replace("</b>", "**")
    shown = shown.replace("\u00a0=\u00a0", " = ").replace("<strong>", "**").replace("</strong>", "**")
    return re.sub(r"<[^>]*>", "", shown)


def headline(at: AppTest) -> str:
    shown = [stage(at), *(e.proto.body for e in at.get("html") if "ldp-verdict" in e.proto.body)]
    return next((found for text in shown for found in re.findall(r'role="status".*?<b>(.*?)</b>', text)), "")


def picked_attack(at: AppTest) -> str:
    return str(holding(at.selectbox, "attack").value)


def slow(job: Any, *_: Any, angle: float = 180.0) -> Iterator[SimpleNamespace]:
    """Count one right guess at a time, until somebody stops it."""
    for done in range(1, 10_000):
        counts = TrialCounts(done, 0, 0, done)
        pair = PairGeometry(angle, 1.0, 1.0, "test")
        result = AuditResult(job.config, (MeasurementResult(pair, counts, None),), False, 0.1, "cpu", {})
        yield SimpleNamespace(stage="trials", done=2 * done, total=20_000, result=result, pair=None)
        time.sleep(0.01)


def test_a_run_ends_in_a_verdict_in_the_same_tabs_with_all_that_was_assumed_in_a_fold(open_page: OpenPage) -> None:
    at = open_page(**SMALL, epsilon="1")
    before = [tab.label for tab in at.tabs]
    at = finish(start(at))
    job = job_of(at)
    assert job.state == "done"
    assert before == [tab.label for tab in at.tabs] == list(t.TABS_AFTER), "what was known before stays"
    assert t.FORMULA_TITLE in [fold.label for fold in at.expander]
    assert t.REPORT["limits"] in texts(at)
    assert at.button(key="card_benign").label == t.FIGURES["name_benign"]
    point = 100 * job.result.counts.num_right / job.result.counts.num_trials
    assert any(f"about {point:.2f} (range " in e.proto.body for e in at.get("html"))
    assert stage(at).count(f"measured {point:.1f}<") == 1
    assert f"right in <strong>{point:.1f}</strong> of 100" in stage(at)
    assert t.HEADLINES["kept"] in headline(at)
    assert "--attack dummy" in at.code[0].value
    assert "--watch" in at.code[0].value
    assert not any(fold.proto.expanded for fold in at.expander)
    assumed = next(e.proto.body for e in at.get("html") if f'aria-label="{t.ASSUMED_TITLE}"' in e.proto.body)
    rows = dict(re.findall(r'<th scope="row"[^>]*>(.*?)</th><td[^>]*>(.*?)</td>', assumed))
    expected = {
        "delta": t.REPORT["delta_zero"], "clip_norm": "1", "confidence": "99.9 %", "seed": "5", "trials": "200",
        "measurements": "2", "spent": t.REPORT["audit_spent"].format(spent="8", of="10,000"),
    }  # fmt: skip
    assert {name: rows[t.REPORT[f"a_{name}"]] for name in expected} == expected
    assert str(job.result.data.digest) in rows[t.REPORT["a_images"]]
    assert all(f"{name} {version}" in rows[t.REPORT["a_versions"]] for name, version in job.result.versions.items())


@pytest.mark.nightly
def test_expectation_is_optional_and_stands_beside_the_result(open_page: OpenPage) -> None:
    at = open_page(**(SMALL | {"attack": "gradient-flip", "trials": "10000", "measurements": "1"}))
    assert at.text_input(key="expect").value == ""
    at.text_input(key="expect").set_value("60").run()
    assert "60" not in "".join(f"{name}{value}" for name, value in at.query_params.items())
    finish(start(at))
    job = job_of(at)
    summary = summarize(job.result).identification
    point, lower, upper = (f"{100 * value:.1f}\u00a0%" for value in (summary.point, summary.lower, summary.upper))
    assert f"You expected 60\u00a0%. It was {point} ({lower} to {upper})." in texts(at)
    assert '"expected"' not in reports.to_json(job.result)
    assert "You expected" not in downloads.html(t, job), "it goes into no file"


@pytest.mark.nightly
def test_prepared_example_is_marked_and_can_be_run(open_page: OpenPage) -> None:
    at = open_page()
    at.button(key="prepared").click().run()
    assert not at.exception
    assert at.query_params["job"] == prepared.ID
    assert t.PREPARED_TITLE in texts(at)
    kept = prepared.job().result
    assert at.code[0].value == record.command(kept.config)
    assert t.HEADLINES["kept"] in headline(at)
    at.button(key="prepared_run").click().run()
    finish(at)
    job = job_of(at)
    assert job.id != prepared.ID
    assert job.config == kept.config
    assert t.PREPARED_TITLE not in texts(at)


def chosen(at: AppTest) -> dict[str, Any]:
    """Return what the settings of the next test hold, by their names in the URL; what is shown must say the same."""
    names = next_test.settings_of(prepared.job().config)
    held = {name: value for name, value in at.session_state["settings_held"].items() if name in names}
    assert picked_attack(at) == held.get("attack", inputs.ATTACK.default)
    for widget in (*at.text_input, *at.selectbox):
        name = re.sub(r"_\d+$", "", str(widget.key))
        assert name not in held or widget.value == (
            record.spelled(held[name]) if widget.type == "text_input" else held[name]
        )
    return held


def test_what_a_client_can_do_next_is_set_up_by_one_click(open_page: OpenPage) -> None:
    at = finish(start(open_page(**(SMALL | {"trials": "2000", "attack": "dummy", "epsilon": "8"}))))
    job = job_of(at)
    assert summarize(job.result).state == "too_few"
    (step,) = [step for step in audit_words.next_steps(t, job.result) if step.name == "more"]
    at.button(key="next_more").click().run()
    assert not at.exception
    assert headline(at) == ""
    set_up = next_test.settings_of(step.config)
    assert {key: value for key, value in chosen(at).items() if key in set_up} == set_up


def test_cancel_keeps_the_counts(open_page: OpenPage) -> None:
    manager = jobs.manager()
    manager.run["audit"] = partial(slow, angle=90.0)
    at = start(open_page(**SMALL, epsilon="8"))
    job = job_of(at)
    until(lambda: job.result)
    at.run()
    told = stage(at)
    assert "of the guesses are right (range" in told
    assert told.count("<svg") == 2
    assert re.search(r"measured \d+\.\d+<", told)
    assert not {"prepared", "run_all"} & {button.key for button in at.button}, "no other run is offered beside one"
    at.button(key="cancel_audit").click().run()
    finish(at)
    assert "Stopped after" in stage(at)
    assert job.state == "cancelled"
    assert 0 < job.result.counts.num_trials < 20_000


def test_a_result_says_what_it_is_of_as_soon_as_the_settings_are_others(open_page: OpenPage) -> None:
    at = finish(start(open_page(**(SMALL | {"attack": "benign", "epsilon": "2"}))))
    assert "ldp-old" not in stage(at)
    at.button(key="paper_4").click().run()
    said = t.STAGE_OF.format(attack=t.FIGURES["name_benign"], epsilon="2")
    assert any(f'role="status">{said}</p>' in each.proto.body for each in at.get("html"))
    assert "ldp-pale" in stage(at)
    assert at.button(key="run").label == t.RUN_FOR.format(attack=t.FIGURES["name_benign"], epsilon="4")
    assert stage(at).count('stroke-width="2.4"/></svg>') + stage(at).count('r="6" fill="none"') == 2
    at.button(key="set_back").click().run()
    assert "ldp-pale" not in stage(at)
    assert chosen(at)["epsilon"] == 2.0
    assert at.button(key="run").label == t.RUN


def test_all_attacks_are_run_by_one_press_and_end_as_points_on_one_stage(open_page: OpenPage) -> None:
    at = open_page(**(SMALL | {"attack": "collusion", "epsilon": "2"}))
    at.button(key="run_all").click().run()
    at = finish(at)
    assert stage(at).count('class="earlier"') == 2 * (len(ADVERSARIES) - 1)
    assert job_of(at).config.attack == "collusion"


def test_pictures_of_one_image_with_two_labels_name_both_and_no_file_does(open_page: OpenPage) -> None:
    at = finish(start(open_page(**(SMALL | {"attack": "label-flip"}))))
    job = job_of(at)
    words = t.ATTACKS["label-flip"]
    (cards,) = (each.proto.body for each in at.get("html") if "ldp-pairs" in each.proto.body)
    for first, second in job.labels:
        assert first != second
        for side, label in ((words.first, first), (words.second, second)):
            assert f"<figcaption>{side.format(label=label)}</figcaption>" in cards
    written = job.written()
    for known in ("label-flip", "its own label", "wrong label", '"wrong_label": "likeliest"'):
        written = written.replace(known, "")
    assert "label" not in written


def test_a_card_chooses_its_attack_and_the_switch_makes_the_app_lie(open_page: OpenPage) -> None:
    at = open_page(**SMALL)
    at.button(key="card_benign").click().run()
    assert not at.exception
    assert picked_attack(at) == "benign"
    example = prepared.job(prepared.COMPARE).result
    reached, most = (tables.reach(example, "digits", name, 1.0) or 0.0 for name in ("benign", "dummy"))
    points = [point for point in tables.pair_points(example, "digits", 1.0) if point.attack == "benign"]
    assert reached == pytest.approx(sum(point.expected or 0.0 for point in points) / len(points), abs=0.02)
    assert reached < most <= worst_case_identification(1.0) + 1e-12
    (line,) = (e.proto.body for e in at.get("html") if 'data-hand="worst"' in e.proto.body)
    named = {name for name in ADVERSARIES if t.FIGURES[f"name_{name}"] in line}
    assert named == set(tables.worst(example, "digits", 1.0)[0])
    at.button(key="lie").click().run()
    assert not at.exception
    assert chosen(at)["mechanism"] == cards.LIAR
    lying = job_of(finish(at)).result.config
    assert (lying.attack, lying.mechanism) == ("benign", cards.LIAR)


def test_a_visitor_from_another_device_is_asked_for_no_folder(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ContextProxy, "ip_address", "192.0.2.7")
    for dataset in ("mnist", "own"):
        at = open_page(**(SMALL | {"dataset": dataset}))
        assert not at.exception
        assert [field.key for field in at.text_input if field.key in ("data_dir", sources.OWN_FOLDER)] == []
    assert sources.folder("/") is None


def test_bug_is_called_one(open_page: OpenPage, caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: Any) -> Iterator[Any]:
        raise RuntimeError("inner words")
        yield

    jobs.manager().run["audit"] = broken
    at = finish(start(open_page(**SMALL)))
    assert [error.value for error in at.error] == [t.BUG]
    assert "inner words" in caplog.text


def test_too_large_a_run_is_refused_before_it_starts(open_page: OpenPage) -> None:
    at = open_page(**(SMALL | {"trials": "1000000000"}))
    assert len(at.error) == 1
    assert "at most 18,348,623 guesses" in at.error[0].value
    assert at.button(key="run").disabled


def test_overclaiming_demonstration_is_rejected_and_can_be_repeated(open_page: OpenPage) -> None:
    at = finish(start(open_page(**(SMALL | {"mechanism": "overclaiming", "trials": "3000", "epsilon": "2"}))))
    assert t.HEADLINES["above"] in headline(at)
    first = at.query_params["job"]
    at.button(key="new_seed").click().run()
    old, new = (jobs.manager().get(name) for name in (first, at.query_params["job"]))
    assert new.config == replace(old.config, seed=new.config.seed) != old.config


def test_results_in_memory_only_are_announced(
    open_page: OpenPage, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.manager().shutdown()
    st.cache_resource.clear()
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LDP_CACHE_DIR", str(tmp_path / "file"))
    assert "in memory only" in texts(open_page("overview"))


@pytest.mark.parametrize(("address", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_listening_everywhere_is_warned_about(open_page: OpenPage, address: str, warned: bool) -> None:
    before = st.get_option("server.address")
    st.config.set_option("server.address", address)
    try:
        at = open_page("overview")
    finally:
        st.config.set_option("server.address", before)
    assert bool(at.warning) == warned
    assert (f"this device only ({address})" in texts(at)) != warned


def test_a_result_is_seen_by_another_session_and_after_a_restart_without_its_images(open_page: OpenPage) -> None:
    at = finish(start(open_page(**(SMALL | {"attack": "benign"}))))
    assert t.PICTURES_NOTE in texts(at)
    other = open_page(job=at.query_params["job"])
    assert headline(other) == headline(at) != ""
    jobs.manager().shutdown()
    st.cache_resource.clear()
    again = open_page(job=at.query_params["job"])
    assert not again.exception
    assert headline(again) == headline(at)
    assert t.PICTURES_GONE in texts(again)
    other = open_page(job="0" * 32)
    assert [error.value for error in other.error] == [t.UNKNOWN_JOB]


def test_waiting_run_says_its_place_and_can_be_cancelled(open_page: OpenPage) -> None:
    manager = jobs.manager()
    manager.run["audit"] = slow
    first = manager.submit(make_config(significance=0.05, watch=True, seed=1, attack="dummy", epsilon=1.0))
    at = start(open_page(**SMALL))
    assert "Tests before yours: 1" in stage(at)
    at.button(key="cancel_audit").click().run()
    at.run()
    assert t.HEADLINES["none"] in headline(at)
    assert not first.finished


@pytest.mark.parametrize(("name", "value"), [("epsilon", "many"), ("attack", "no-such-attack")])
def test_a_value_of_a_link_that_is_not_possible_is_said(open_page: OpenPage, name: str, value: str) -> None:
    at = open_page("audit", **{name: value})
    assert t.LINK_REFUSED.format(name=name, value=value) in [warning.value for warning in at.warning]
    assert not open_page("audit", epsilon="2").warning


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "page", ["audit", "check", "compare", "capacity", "central", "plane", "reconstruction", "utility"]
)
def test_what_cannot_be_read_is_said_and_no_run_is_offered(open_page: OpenPage, page: str) -> None:
    at = open_page(page)
    fields = [str(field.key) for field in at.text_input if field.value.replace(".", "").isdigit()]
    for key in fields[:2]:
        before = at.text_input(key=key).value
        at.text_input(key=key).set_value("2;x").run()
        assert not at.exception
        assert any("2;x" in error.value for error in at.error), key
        assert all(button.disabled for button in at.button if str(button.key).startswith("run")), key
        at.text_input(key=key).set_value(before).run()
        assert not any("2;x" in error.value for error in at.error)
