"""The page that checks a mechanism: its form, its verdicts, files from strangers, and the texts against the core."""

import io
import json
import math
import re
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ldp_core import results as core
from ldp_core import workload
from ldp_core.checking import claims
from ldp_core.checking.claims import CheckConfig, CheckResult, Clause, Look, detectable_epsilons, look_lower, plan_of
from ldp_core.checking.claims.power import _smallest_detectable, smallest_detectable_epsilon
from ldp_core.checking.subjects import Key, challenge_bytes, read_key, read_responses
from ldp_core.checking.subjects._key import _FIRST_FIELDS
from ldp_core.mechanisms import HONEST, MECHANISMS
from ldp_core.mechanisms.faulty import FAULTY
from ldp_core.statistics import intervals
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.studies.check import workload as check_plan
from ldp_core.types import TrialCounts
from ldp_core.words import Words
from pages import jobs
from pages.check import files as check_files
from pages.check import form as check_form
from pages.check import words as check_words
from pages.server.uploads import MOST_UPLOAD_MB
from pages.widgets import downloads
from tests.app.conftest import going
from tests.app.taken import links, taken
from tests.app.test_pages import headline, texts
from tests.helpers.claimed import checked, first_checked
from tests.helpers.patience import PATIENCE, until
from tests.helpers.words import LANGUAGES, ja
from tests.helpers.words import en as t

OpenPage = Callable[..., AppTest]
QUICK = {"reports": "20000", "dimension": "4", "seed": "3"}


def result(
    wrong: float, *, whole: bool = True, broken: bool = False, rule: str = "cosine", silent: float = 0.0, **options: Any
) -> CheckResult:
    """Return a check whose one look, in the last round, guessed wrong with this chance; the exam asked one question."""
    config = CheckConfig(**{"subject": "ldp-sgd", "epsilon": 1.0, "seed": 1, "reports": 100_000} | options)
    rounds = plan_of(config).rounds
    judged = rounds[-1].judged if whole else 200
    trials = round((1.0 - silent) * judged)
    errors = round(wrong * trials / 2)
    counts = TrialCounts(trials // 2 - errors, errors, errors, trials - trials // 2 - errors)
    values: dict[str, Any] = {"reports": 10, "length": 64, "dtype": "float32", "problem": "x", "lengths": "3, 4"}
    clause = Clause("shape-and-type", not broken, "broken" if broken else "kept", values)
    look = Look("dummy-flip", rule, 0, counts, whole, len(rounds) - 1, judged - trials)
    return CheckResult(config, (clause,), (look,), trials, whole, 1.0, True, {})


def finish(at: AppTest) -> AppTest:
    job = jobs.manager().get(at.query_params["check"])
    assert job is not None
    assert job.ended.wait(PATIENCE)
    at.run()
    assert not at.exception
    return at


def exam(at: AppTest) -> str:
    return next(e.proto.body for e in at.get("html") if "ldp-exam" in e.proto.body)


# The page


@pytest.mark.parametrize("way", t.CHECK_WAY_NAMES)
def test_page_renders_without_a_click(open_page: OpenPage, way: str) -> None:
    at = open_page("check", way=way)
    assert not at.exception
    assert not at.error
    assert at.radio(key="way").value == way
    assert t.CHECK_PREVIEW in texts(at)
    commands = [block.value for block in at.code]
    assert len(commands) == 3
    assert all(command.startswith("python -m ldp_core") for command in commands)


def test_nothing_on_the_page_takes_code(open_page: OpenPage) -> None:
    for way in t.CHECK_WAY_NAMES:
        at = open_page("check", way=way)
        assert not at.text_input
        assert not at.text_area
        assert not at.chat_input


def test_faulty_one_is_marked_caught_and_explained(open_page: OpenPage) -> None:
    at = open_page("check", **QUICK)
    assert at.selectbox(key="subject").value == check_form.FIRST
    assert "Faulty on purpose" in texts(at)
    at.button(key="run").click().run()
    finish(at)
    found = jobs.manager().get(at.query_params["check"])
    assert found is not None
    assert found.result.verdict == "claim_rejected"
    assert t.CHECK_HEADLINES["rejected"] in headline(at)
    assert "FAULTY ON PURPOSE" in headline(at)
    assert check_words.pair_text(t, found.result, found.result.strongest.pair) in texts(at)
    assert "The check found it" in texts(at)
    answered = [t.CHECK_CLAUSES[clause.name].title for clause in found.result.clauses]
    assert all(title in exam(at) for title in answered)
    assert len(answered) == len(claims.CLAUSES)
    (spec,) = (json.loads(chart.proto.spec) for chart in at.get("plotly_chart"))
    assert spec["data"]
    assert at.code[-1].value.startswith("python -m ldp_core check faulty-twice-epsilon --epsilon 1")
    assert list(links(at)) == [t.TAKE_HTML, t.DOWNLOAD_JSON]


def test_honest_one_is_not_rejected_and_not_praised(open_page: OpenPage) -> None:
    at = open_page("check", **(QUICK | {"subject": "ldp-sgd", "reports": "10000"}))
    at.button(key="run").click().run()
    finish(at)
    assert t.CHECK_HEADLINES["kept"] in headline(at)
    assert "Not rejected is no proof" in texts(at)
    first = at.query_params["check"]
    at.button(key="new_seed").click().run()
    finish(at)
    old, new = (jobs.manager().get(name) for name in (first, at.query_params["check"]))
    assert old is not None
    assert new is not None
    assert new.config == replace(old.config, seed=new.config.seed) != old.config


def slow(job: Any, *_: Any) -> Iterator[SimpleNamespace]:
    """Answer one question, then judge reports until somebody stops it."""
    whole = result(0.27, whole=False, **{name: getattr(job.config, name) for name in ("subject", "epsilon", "reports")})
    for done in range(1, 3_000):
        found = replace(whole, looks=whole.looks if done > 3 else ())
        yield SimpleNamespace(stage="trials" if done > 3 else "exam", done=done, total=20_000, result=found)
        time.sleep(0.02)


def test_live_progress_and_cancel_keeps_what_was_found(open_page: OpenPage) -> None:
    manager = jobs.manager()
    manager.run["check"] = slow
    at = open_page("check", **(QUICK | {"subject": "ldp-sgd"}))
    at.button(key="run").click().run()
    job = manager.get(at.query_params["check"])
    assert job is not None
    until(lambda: job.result and job.result.looks)
    at.run()
    assert not at.exception
    told = going(at)
    assert "So far the leak is" in told["more"]
    assert t.CHECK_ANSWERS["waiting"] in told["more"]
    assert t.CHECK_ANSWERS["kept"] in told["more"]
    picture = ElementTree.fromstring(taken(told["picture"]).content)
    assert picture.tag.endswith("svg")
    assert "privacy test" in told["text"]
    at.button(key="cancel_check").click().run()
    finish(at)
    assert "Stopped after" in texts(at)
    assert t.CHECK_HEADLINES["kept"] in headline(at)
    assert t.CHECK_UNASKED in exam(at)


def test_unknown_check_is_one_sentence(open_page: OpenPage) -> None:
    at = open_page("check", check="0" * 32)
    assert [error.value for error in at.error] == [t.CHECK_GONE]


def test_bad_values_in_a_link_fall_back(open_page: OpenPage) -> None:
    at = open_page("check", subject="os.system", way="code", dimension="0", reports="5", epsilon="-1")
    assert not at.exception
    assert not at.error
    assert at.selectbox(key="subject").value == check_form.FIRST
    assert at.radio(key="way").value == "builtin"
    assert at.number_input(key="dimension").value == 16


@pytest.mark.parametrize("way", t.CHECK_WAY_NAMES)
def test_too_large_a_check_is_refused(open_page: OpenPage, way: str) -> None:
    at = open_page("check", way=way, dimension="1000000", reports="100000")
    (error,) = at.error
    limit = check_plan.MOST_VALUES if way == "builtin" else check_plan.MOST_FILE_VALUES
    assert f"{limit:,}" in error.value
    assert at.button(key="run" if way == "builtin" else "make").disabled


def test_too_few_reports_are_said_before_a_run(open_page: OpenPage) -> None:
    at = open_page("check", reports="10000", epsilon="12")
    assert [warning.value for warning in at.warning] == [t.CHECK_PLAN_NOTHING.format(epsilon="12")]


@pytest.mark.parametrize("way", t.CHECK_WAY_NAMES)
def test_what_the_planned_check_would_catch_is_said_before_a_run(open_page: OpenPage, way: str) -> None:
    at = open_page("check", way=way, reports="20000", dimension="1")
    config = CheckConfig("x", 1.0, 9, dimension=1, reports=20_000, adaptive=way == "builtin")
    power = smallest_detectable_epsilon(config)
    assert power is not None
    said = t.CHECK_PLAN_CATCHES.format(detectable=f"{math.ceil(100 * power) / 100:g}")
    assert texts(at).count(said) == 1
    assert t.CHECK_PLAN_WAIT not in texts(at)
    at.number_input(key="reports").set_value(5_000).run()
    assert said not in texts(at)
    assert texts(at).count("would be caught with 95 % chance") == 1


def test_what_it_would_catch_is_worked_out_once_whatever_plays_no_part() -> None:
    config = CheckConfig("ldp-sgd", 1.0, 1, reports=20_000, dimension=4)
    first = check_plan.detectable(config)
    before = _smallest_detectable.cache_info().misses
    same = replace(config, subject="other", seed=2, dimension=1_000, clip_norm=3.0, clip_order="linf", scale=2.0)
    assert check_plan.detectable(same) == first == smallest_detectable_epsilon(config)
    assert _smallest_detectable.cache_info().misses == before
    assert check_plan.detectable(replace(config, adaptive=False)) != first


def test_the_smallest_check_of_a_single_number_runs(open_page: OpenPage) -> None:
    at = open_page("check", reports="5000", dimension="1", seed="3")
    at.button(key="run").click().run()
    finish(at)
    assert t.CHECK_HEADLINES["rejected"] in headline(at)


def test_a_saved_check_is_opened_and_its_words_are_letters(open_page: OpenPage) -> None:
    hostile = "![x](http://a.test/x.png) <img src=x onerror=alert(1)>"
    at = open_page("check", **QUICK)
    at.button(key="run").click().run()
    finish(at)
    checked = jobs.manager().get(at.query_params["check"]).result  # type: ignore[union-attr]
    content = claims.to_json(replace(checked, config=replace(checked.config, subject=hostile))).encode()
    found = jobs.manager().open(core.read(content))
    at = open_page("check", check=found.id)
    assert not at.exception
    assert t.OPENED_TITLE in texts(at)
    assert not [button for button in at.button if button.key == "new_seed"]
    assert not any("a.test" in str(element.value) for kind in (at.markdown, at.caption) for element in kind)
    (shown,) = (element.proto.body for element in at.get("html") if "a.test" in element.proto.body)
    assert "<img src=x" not in shown
    assert "&lt;img" in shown


def test_a_saved_check_of_the_first_version_is_opened(open_page: OpenPage) -> None:
    old = first_checked(0.9)
    found = jobs.manager().open(core.read(claims.to_json(old).encode()))
    at = open_page("check", check=found.id)
    assert not at.exception
    assert t.CHECK_HEADLINES["kept"] in headline(at)
    assert t.CHECK_CATCHES_FIRST.replace("**", "") in texts(at).replace("**", "")
    assert [one.label for one in at.expander if one.label in (t.CHECK_LOOKS_TITLE, t.CHECK_TRIED_TITLE)] == [
        t.CHECK_LOOKS_TITLE
    ]
    (spec,) = (json.loads(chart.proto.spec) for chart in at.get("plotly_chart"))
    assert spec["layout"]["yaxis"]["ticktext"][0].startswith("dummy")


def test_it_is_kept_over_a_restart(open_page: OpenPage) -> None:

    at = open_page("check", **QUICK)
    at.button(key="run").click().run()
    finish(at)
    jobs.manager().shutdown()
    st.cache_resource.clear()
    again = open_page("check", check=at.query_params["check"])
    assert headline(again) == headline(at) != ""


def test_it_is_among_the_runs_and_only_ours_can_be_repeated(open_page: OpenPage) -> None:
    at = open_page("check", **QUICK)
    at.button(key="run").click().run()
    finish(at)
    at.switch_page("../compare/page.py").run()
    assert not at.exception
    rows = next(e.proto.body for e in at.get("html") if f'aria-label="{t.RUNS_TITLE}"' in e.proto.body)
    assert t.CHECK_HEADLINES["rejected"] in rows
    assert t.RUNS_KINDS["check"] in rows
    assert check_words.repeatable(t, CheckConfig("ldp-sgd", 1.0, 1))
    assert not check_words.repeatable(t, CheckConfig(check_words.FILES, 1.0, 1))


# Files


def answered(config: CheckConfig, name: str) -> tuple[bytes, bytes]:
    """Return what a vendor's mechanism answers to a challenge, and the key."""
    import torch

    challenge, key = challenge_bytes(config)
    given = np.load(io.BytesIO(challenge))
    mechanism = ({**MECHANISMS, **FAULTY})[name](float(given["epsilon"]), float(given["clip_norm"]))
    generator, order = torch.Generator().manual_seed(7), given["order"]
    reports = np.empty((len(order), config.dimension), np.float32)
    for index, gradient in enumerate(given["gradients"]):
        rows = np.flatnonzero(order == index)
        reports[rows] = mechanism.randomize(torch.from_numpy(gradient), len(rows), generator).numpy()
    return saved(reports=reports, digest=given["digest"]), key


def saved(**arrays: Any) -> bytes:
    import io

    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


SMALL = check_form.make_config(
    confidence=95, seed=11, subject=check_words.FILES, epsilon=1.0, dimension=4, reports=20_000, adaptive=False
)


@pytest.mark.parametrize(("name", "state"), [("ldp-sgd", "kept"), ("faulty-twice-epsilon", "rejected")])
def test_answers_of_a_vendor_are_judged(open_page: OpenPage, name: str, state: str) -> None:
    at = open_page("check", way="files")
    assert at.button(key="judge_run").disabled
    answers, key = answered(SMALL, name)
    at.file_uploader(key="responses").upload("secret-name.npz", answers, "application/octet-stream")
    at.file_uploader(key="key").upload("key.json", key, "application/json").run()
    at.button(key="judge_run").click().run()
    finish(at)
    assert not at.error
    assert t.CHECK_HEADLINES[state] in headline(at)
    assert t.CHECK_FILE_SUBJECT in headline(at)
    assert t.CHECK_REPEAT_FILES in texts(at)
    job = jobs.manager().get(at.query_params["check"])
    assert job is not None
    assert job.own is None, "answers are dropped when the check ends"
    assert "secret-name" not in claims.to_json(job.result)
    assert not any("secret-name" in value for values in at.query_params.values() for value in values)


def test_lines_shown_to_the_maker_make_answers_that_are_judged(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("check", way="files", reports="10000", dimension="4")
    assert not any(block.value == check_files.ANSWERING for block in at.code)
    at.button(key="make").click().run()
    assert any(block.value == check_files.ANSWERING for block in at.code)
    monkeypatch.chdir(tmp_path)
    config = replace(SMALL, reports=10_000)
    challenge, key = challenge_bytes(config)
    Path("challenge.npz").write_bytes(challenge)
    exec(check_files.ANSWERING, {"randomize": lambda gradient: gradient * np.float32(-2.0)})  # ours, not a maker's
    read_responses(Path("responses.npz").read_bytes(), read_key(key))
    given = np.load("challenge.npz")
    assert np.array_equal(np.load("responses.npz")["reports"], -2.0 * given["gradients"][given["order"]])


def test_an_old_key_is_judged_and_says_what_it_cannot_show(open_page: OpenPage) -> None:
    answers, key = answered(SMALL, "ldp-sgd")
    old_answers, old_key = answered(replace(SMALL, pair_set=1), "ldp-sgd")  # that version had the first pairs alone
    report = json.loads(old_key)
    config = {name: report["config"][name] for name in _FIRST_FIELDS}
    old = json.dumps({"schema": "ldp-challenge-key/1", "config": config, "digest": report["inputs"]}).encode()
    for given, content, said in ((answers, key, []), (old_answers, old, [t.CHECK_OLD_KEY])):
        at = open_page("check", way="files")
        at.file_uploader(key="responses").upload("answers.npz", given, "application/octet-stream")
        at.file_uploader(key="key").upload("key.json", content, "application/json").run()
        at.button(key="judge_run").click().run()
        assert "check" in at.query_params
        assert [toast.value for toast in at.toast] == said


def hostile() -> dict[str, tuple[bytes, bytes, str]]:
    answers, key = answered(SMALL, "ldp-sgd")
    whole = np.load(io.BytesIO(answers))["reports"]
    made = read_key(key)
    huge = Key.made(replace(made.config, dimension=10**6, reports=10**8), made.inputs, made.salt)
    other = Key.made(replace(made.config, seed=made.config.seed + 1), made.inputs, made.salt)
    edited = json.loads(key)
    edited["config"]["epsilon"] = 3.0
    vendor, ours = t.CHECK_FILE_ERRORS["responses"].format(limit=200), t.CHECK_FILE_ERRORS["key"]
    large = t.TOO_LARGE["check"].format(limit=f"{check_plan.MOST_FILE_VALUES:,}", asked=f"{10**14:,}")
    return {
        "no archive": (b"PK\x03\x04" + bytes(100), key, vendor),
        "cut": (answers[:-500], key, vendor),
        "objects": (saved(reports=np.array([{}] * len(whole), dtype=object)), key, vendor),
        "too few": (saved(reports=whole[:-1]), key, vendor),
        "wrong name": (saved(**{"![x](http://a.test/x.png)": whole}), key, vendor),
        "text": (saved(reports=whole.astype(str)), key, vendor),
        "no key": (answers, b'{"schema": "ldp-audit/1"}', ours),
        "deep key": (answers, b"[" * 90_000, ours),
        "edited key": (answers, json.dumps(edited).encode(), ours),
        "other key": (answers, other.to_json().encode(), vendor),
        "other challenge": (answered(SMALL, "ldp-sgd")[0], key, vendor),
        "huge key": (answers, huge.to_json().encode(), large),
    }


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_hostile_files_are_one_sentence_each(
    open_page: OpenPage, caplog: pytest.LogCaptureFixture, whole: bool
) -> None:
    """By day the first of each sentence; what the core says to every one is in ``tests/checking``."""
    cases = hostile()
    first = {sentence: case for case, (_, _, sentence) in reversed(cases.items())}
    for case, (answers, key, sentence) in cases.items():
        if not whole and case not in (*first.values(), "wrong name"):
            continue
        at = open_page("check", way="files")
        at.file_uploader(key="responses").upload("secret-name.npz", answers, "application/octet-stream")
        at.file_uploader(key="key").upload("key.json", key, "application/json").run()
        at.button(key="judge_run").click().run()
        assert not at.exception, case
        assert [error.value for error in at.error] == [sentence], case
        assert "check" not in at.query_params, case
    assert "secret-name" not in caplog.text
    assert "a.test" not in caplog.text


def test_a_small_file_that_unpacks_to_more_than_may_be_picked_is_refused(open_page: OpenPage) -> None:
    config = replace(SMALL, reports=30_000, dimension=2)
    challenge, key = challenge_bytes(config)
    rows = len(np.load(io.BytesIO(challenge))["order"])
    answers = io.BytesIO()
    np.savez_compressed(answers, reports=np.zeros((rows, 1_028)))
    assert len(answers.getvalue()) < 10**6 < MOST_UPLOAD_MB * 10**6 < 8 * 1_028 * rows
    read_responses(answers.getvalue(), read_key(key))  # as the command line does: there each has their own machine
    at = open_page("check", way="files")
    at.file_uploader(key="responses").upload("answers.npz", answers.getvalue(), "application/octet-stream")
    at.file_uploader(key="key").upload("key.json", key, "application/json").run()
    at.button(key="judge_run").click().run()
    assert [error.value for error in at.error] == [t.CHECK_FILE_ERRORS["responses"].format(limit=200)]


def test_challenge_and_key_belong_together_whatever_is_set_later(open_page: OpenPage) -> None:
    at = open_page("check", way="files", dimension="4", reports="20000")
    at.button(key="make").click().run()
    asked, names = at.session_state["challenge_made"][0].asked, at.session_state["challenge_made"][0].names
    made = asked.config
    found = links(at)
    assert list(found) == [t.CHECK_CHALLENGE, t.CHECK_KEY]
    assert str(made.seed) not in str(found)
    at.number_input(key="epsilon").set_value(2.0).run()
    assert links(at) == found
    assert (made.epsilon, made.dimension, made.reports) == (1.0, 4, 20_000)
    files = [taken(address) for address in found.values()]
    assert tuple(file.content for file in files) == challenge_bytes(made, salt=asked.salt)
    assert asked.salt not in repr(asked) + str(found)
    said = [file.headers["content-disposition"] for file in files]
    assert said == [f'attachment; filename="{file}"' for file in ("challenge.npz", "key.json")]
    challenge, key = names.values()
    assert taken(f"take/{challenge}/key.json").status == taken(f"take/{key}/challenge.npz").status == 404
    at.button(key="make").click().run()
    again = at.session_state["challenge_made"][0]
    assert set(again.names.values()).isdisjoint(names.values())
    assert again.asked.config.seed != made.seed
    assert again.asked.config.epsilon == 2.0


# Words


STATES = {
    "rejected": result(0.15),
    "broken": result(0.27, broken=True),
    "kept": result(0.27),
    "unusable": replace(result(0.27, broken=True), looks=()),
    "none": replace(result(0.27, whole=False), looks=(), clauses=(), reports_used=0),
}


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_each_state_has_its_sentences(state: str, language: Words) -> None:
    found = check_words.finding(language, STATES[state])
    assert found.state == state
    assert found.headline == language.CHECK_HEADLINES[state]
    assert found.sentences
    assert "{" not in "".join(found.sentences)
    document = downloads.html(language, SimpleNamespace(kind="check", result=STATES[state], notes=(), opened=False))  # type: ignore[arg-type]
    assert found.headline in document


def test_verdict_s_numbers_are_the_core_s() -> None:
    rejected, kept = STATES["rejected"], result(0.27, reports=20_000)
    sentences = " ".join(check_words.finding(t, rejected).sentences)
    assert f"at least ε = {int(100 * rejected.epsilon_lower) / 100:.2f}" in sentences
    look = rejected.strongest
    assert look is not None
    share = intervals.identification_interval(look.counts, rejected.config.significance)
    assert share is not None
    point, lower, upper = (f"{100 * value:.1f}\u00a0%" for value in share)
    assert f"right in {point} of {look.counts.num_trials:,} guesses (range {lower} to {upper}, for" in sentences
    assert "The claim allows at most 73.1\u00a0%." in sentences
    assert share[1] > worst_case_identification(1.0), "else the range would speak against the verdict"
    sentences = " ".join(check_words.finding(t, kept).sentences)
    power, (worse, needed) = detectable_epsilons(kept), claims.needed_reports(kept)
    assert power["learned"] is needed["learned"] is None
    for kind in ("side", "tail"):
        leak, least = re.escape(t.CHECK_LEAKS[kind]), power[kind]
        assert least is not None
        (stated,) = re.findall(rf"\*\*ε = ([\d.]+)\*\* or more that shows {leak}", sentences)
        assert 0 <= float(stated) - least < 0.01
        assert f"{needed[kind]:,} reports where it shows {t.CHECK_LEAKS[kind]}" in sentences
    assert t.CHECK_CATCHES_UNKNOWN.format(leaks=t.CHECK_LEAKS["learned"]) in sentences
    assert f"a leak of ε = {worse:g} takes" in sentences


def test_a_rule_that_speaks_now_and_then_is_measured_by_what_it_said() -> None:
    spoken = result(0.05, rule="tail", silent=0.75)
    sentences = check_words.finding(t, spoken).sentences
    assert t.CHECK_RULES["tail"] in sentences[0]
    assert "for 5,500 of 22,000 reports, and was right in 95.0\u00a0% of these guesses (range 94.4" in sentences[1]
    assert not any("of these guesses" in line for line in check_words.finding(t, replace(
        spoken, config=replace(spoken.config, delta=1e-5))).sentences)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("subject", [check_words.FILES, "ldp-sgd", "faulty-twice-epsilon"])
def test_every_verdict_says_what_to_do_now(subject: str, state: str, language: Words) -> None:
    shown = replace(STATES[state], config=replace(STATES[state].config, subject=subject))
    sentences = check_words.finding(language, shown).sentences
    demo, ours = subject.startswith("faulty"), subject != check_words.FILES
    told = [line for line in sentences if line in language.CHECK_NEXT.values()]
    if state == "none":
        assert told == [language.CHECK_NEXT["none"]]
    elif not ours:
        expected = language.CHECK_NEXT["kept"] if state == "kept" else language.CHECK_TODO.partition("{")[0]
        assert any(line.startswith(expected) for line in sentences)
    elif demo == (state != "kept"):
        assert told == [language.CHECK_NEXT["ours"]]
    else:  # a fault that was missed, or one of ours blamed by bad luck
        template = language.CHECK_MISSED_FAULT if demo else language.CHECK_BLAMED
        assert any(line.startswith(template.partition("{")[0]) for line in sentences)
        assert not told


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_pairs_are_named_whoever_made_them(language: Words) -> None:
    found = checked(1.5, pair="refined-1", own_pairs=2, inputs_digest="0" * 64)
    assert found.strongest is not None
    assert found.strongest.pair == "refined-1"
    words = check_words.pair_text(language, found, "refined-1")
    assert language.FIGURES["pair_dummy-flip"] in words
    assert words in check_words.finding(language, found).sentences[0]
    rows = check_words.pair_rows(language, found)
    assert len(rows) == len(found.pairs) == len(claims.PAIRS) + 3
    cells = {cell for row in rows for cell in row.values()}
    assert language.CHECK_PAIRS["own"].format(number=2) in cells
    assert "{" not in "".join(cells)
    looks = check_words.look_rows(language, found)
    column = {name: [row[title] for row in looks] for name, title in zip(
        ("round", "right", "wrong", "silent"), (language.CHECK_LOOKS_COLUMNS[at] for at in (2, 4, 5, 6)), strict=True
    )}  # fmt: skip
    assert column["round"] == [str(look.round) for look in found.looks]
    assert column["right"] == [f"{look.counts.num_right:,}" for look in found.looks]
    assert column["silent"] == [f"{look.silent:,}" for look in found.looks]
    for look, wrong in zip(found.looks, column["wrong"], strict=True):
        assert f"{look.trials - look.silent - look.counts.num_right:,}" == wrong


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_check_of_the_first_version_claims_no_power(language: Words) -> None:
    kept, rejected = first_checked(0.9), first_checked(1.5, pair="coordinates")
    assert language.CHECK_CATCHES_FIRST in check_words.finding(language, kept).sentences
    assert language.CHECK_PAIRS["coordinates"] in check_words.finding(language, rejected).sentences[0]
    assert check_words.pair_rows(language, kept) == []
    assert {row[language.CHECK_LOOKS_COLUMNS[2]] for row in check_words.look_rows(language, kept)} == {"–"}


def test_rejection_close_to_the_claim_still_reads_as_one() -> None:
    close = result(0.2675, reports=40_000_000)
    (look,) = close.looks
    lower = look_lower(close.config, look)
    assert 1.0 < lower < 1.01
    assert f"at least ε = {int(1000 * lower) / 1000:.3f}" in check_words.finding(t, close).sentences[0]


def test_what_was_wrong_on_purpose_is_said_found_or_missed() -> None:
    name = "faulty-five-percent"
    caught = check_words.finding(t, result(0.15, subject=name)).sentences
    missed = check_words.finding(t, result(0.27, subject=name)).sentences
    assert t.CHECK_FOUND_FAULT.format(fault=t.CHECK_FAULTS[name][1]) in caught
    assert t.CHECK_MISSED_FAULT.format(fault=t.CHECK_FAULTS[name][1]) in missed
    stranger = check_words.finding(t, result(0.15, subject=check_words.FILES)).sentences
    assert any("What to do" in sentence for sentence in stranger)


def test_exam_in_the_end_names_the_broken_ones_first() -> None:
    kept, broken = (
        Clause("finite", True, "kept", {"reports": 5}),
        Clause("finite", False, "broken", {"bad": 1, "reports": 5}),
    )
    for clause, ended, first in (
        (kept, True, "shape-and-type"),
        (broken, True, "finite"),
        (broken, False, "shape-and-type"),
    ):
        listed = check_words.answers(t, replace(result(0.27), clauses=(clause,)), ended=ended)
        assert listed[0].title == t.CHECK_CLAUSES[first].title
        assert len(listed) == len(claims.CLAUSES)
    assert "1 of 5 reports" in check_words.answers(t, replace(result(0.27), clauses=(broken,)), ended=True)[0].sentence


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_texts_name_what_the_core_has(language: Words) -> None:
    assert {name for name, words in language.MECHANISMS.items() if words.sends} == set(HONEST)
    assert set(language.CHECK_FAULTS) == set(FAULTY) | {"overclaiming"}
    assert check_form.FIRST in FAULTY
    assert tuple(language.CHECK_PAIRS) == (*claims.FIXED_PAIRS, claims.OWN, claims.REFINED_NAME)
    assert tuple(language.CHECK_RULES) == claims.RULES
    assert tuple(language.CHECK_LEAKS) == claims.LEAKS
    assert tuple(language.CHECK_ORDERS) == claims.CLIP_ORDERS
    assert list(language.CHECK_CLAUSES) == list(claims.CLAUSES)
    for name, clause in claims.CLAUSES.items():
        assert set(language.CHECK_CLAUSES[name].findings) == set(clause.findings), name
    for name, faulty in FAULTY.items():  # a number in the core's sentence is in ours
        numbers = re.findall(r"\d[\d,]*", faulty.fault.replace("L2", "").replace("L1", ""))
        assert all(number in language.CHECK_FAULTS[name][1] for number in numbers), name


def test_clause_of_the_core_reads_the_same_here() -> None:
    for clause in STATES["kept"].clauses:
        (here,) = (answer for answer in check_words.answers(t, STATES["kept"], ended=True) if answer.state == "kept")
        assert here.sentence == clause.sentence
        assert check_words.report_words(ja)[f"clause_{clause.name}"] == ja.CHECK_CLAUSES[clause.name].title


def test_size_limit_fits_the_upload() -> None:
    assert check_plan.MOST_FILE_VALUES * np.dtype(np.float64).itemsize < MOST_UPLOAD_MB * 10**6
    with pytest.raises(workload.TooLargeError):
        check_plan.check_size(replace(SMALL, dimension=10_000), check_plan.MOST_FILE_VALUES)
