"""The page that checks a mechanism: its form, its verdicts, files from strangers, and the texts against the core."""

import io
import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ldp_core import results as core
from ldp_core.checking import claims
from ldp_core.checking.claims import CheckConfig, CheckResult, Clause, Look, detectable_epsilons, plan_of
from ldp_core.checking.claims._subject import WORDS
from ldp_core.checking.subjects.files import Key, challenge_bytes, read_key
from ldp_core.cli import main
from ldp_core.mechanisms import HONEST
from ldp_core.mechanisms.faulty import FAULTY
from ldp_core.statistics import intervals
from ldp_core.statistics.theory import worst_case_identification
from ldp_core.studies.check import replies, report
from ldp_core.studies.check import workload as check_plan
from ldp_core.types import TrialCounts
from ldp_core.words import Words
from pages import jobs
from pages.check import form as check_form
from pages.check import words as check_words
from pages.server import origin_guard
from pages.server.uploads import MOST_UPLOAD_MB
from pages.widgets.told import teller
from tests.app.conftest import OpenPage, done, finish, going, job_of, said
from tests.app.taken import links, taken
from tests.app.test_pages import headline, texts
from tests.helpers.checking import vendors_reports
from tests.helpers.claimed import checked
from tests.helpers.patience import until
from tests.helpers.spoiled import npz
from tests.helpers.words import LANGUAGES
from tests.helpers.words import en as t

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


def exam(at: AppTest) -> str:
    return next(e.proto.body for e in at.get("html") if "ldp-exam" in e.proto.body)


def picked(open_page: OpenPage, answers: bytes, key: bytes) -> AppTest:
    """Return the page after a vendor's answers and the key were picked, and judged."""
    at = open_page("check", way="files")
    assert at.button(key="judge_run").disabled
    at.file_uploader(key="responses").upload("secret-name.npz", answers, "application/octet-stream")
    at.file_uploader(key="key").upload("key.json", key, "application/json").run()
    at.button(key="judge_run").click().run()
    assert not at.exception
    return at


@pytest.mark.parametrize("way", t.CHECK_WAY_NAMES)
def test_nothing_on_the_page_takes_code(open_page: OpenPage, way: str) -> None:
    at = open_page("check", way=way)
    assert not at.exception
    assert not at.error
    for field in at.text_input:  # each takes a number
        at = field.set_value("os:system").run()
        assert any("“os:system”" in error.value for error in at.error), field.key
    assert not at.text_area
    assert not at.chat_input


def test_faulty_one_is_marked_caught_and_explained(open_page: OpenPage) -> None:
    at = open_page("check", **QUICK)
    assert "Faulty on purpose" in texts(at)
    found = done(at, "run", "check")
    assert found.result.verdict == "claim_rejected"
    assert t.REPORT["check_headline_rejected"] in headline(at)
    assert report.pair_text(found.result, found.result.strongest.pair, teller(t)) in texts(at)
    assert len(found.result.clauses) == len(claims.CLAUSES)
    assert all(t.CHECK_CLAUSES[clause.name].title in exam(at) for clause in found.result.clauses)
    shown = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
    assert len(shown) == 2, "over the reports, and by pair"
    assert all(spec["data"] for spec in shown)
    assert found.result.reports_used > 0.9 * found.config.reports, "a demonstration goes on to its end"
    assert at.code[-1].value.startswith("python -m ldp_core check faulty-twice-epsilon --epsilon 1")
    assert list(links(at)) == [t.TAKE_HTML, t.TAKE_CHARTS, t.DOWNLOAD_JSON]


def slow(job: Any, *_: Any) -> Iterator[SimpleNamespace]:
    """Answer one question, then judge reports until somebody stops it."""
    whole = result(0.27, whole=False, **{name: getattr(job.config, name) for name in ("subject", "epsilon", "reports")})
    for number in range(1, 3_000):
        found = replace(whole, looks=whole.looks if number > 3 else ())
        yield SimpleNamespace(stage="trials" if number > 3 else "exam", done=number, total=20_000, result=found)
        time.sleep(0.02)


def test_live_progress_and_cancel_keeps_what_was_found(open_page: OpenPage) -> None:
    manager = jobs.manager()
    manager.run["check"] = slow
    at = open_page("check", **(QUICK | {"subject": "ldp-sgd"}))
    at.button(key="run").click().run()
    job = job_of(at, "check")
    until(lambda: job.result and job.result.looks)
    at.run()
    assert "So far the leak is" in said(at)
    assert len(at.get("plotly_chart")) == 1
    assert going(at)["news"] == job.news > 0
    at.button(key="cancel_check").click().run()
    finish(at, "check")
    assert "Stopped after" in texts(at)
    assert t.REPORT["check_headline_kept"] in headline(at)
    assert t.CHECK_UNASKED in exam(at)


def test_a_saved_check_is_opened_and_its_words_are_letters(open_page: OpenPage) -> None:
    hostile = "![x](http://a.test/x.png) <img src=x onerror=alert(1)>"
    content = claims.to_json(checked(1.5, subject=hostile)).encode()
    at = open_page("check", check=jobs.manager().open(core.read(content)).id)
    assert not at.exception
    assert t.OPENED_TITLE in texts(at)
    assert not [button for button in at.button if button.key == "new_seed"]
    assert not any("a.test" in str(element.value) for kind in (at.markdown, at.caption) for element in kind)
    (shown,) = (element.proto.body for element in at.get("html") if "a.test" in element.proto.body)
    assert "<img src=x" not in shown
    assert "&lt;img" in shown


def answered(config: CheckConfig, name: str) -> tuple[bytes, bytes]:
    """Return what a vendor's mechanism answers to a challenge, and the key."""
    challenge, key = challenge_bytes(config)
    given = np.load(io.BytesIO(challenge))
    return npz(reports=vendors_reports(given, name, float(given["epsilon"])), digest=given["digest"]), key


SMALL = check_form.make_config(
    confidence=95, seed=11, subject=check_words.FILES, epsilon=1.0, dimension=4, reports=10_000, adaptive=False
)


@pytest.mark.parametrize(("name", "state"), [("ldp-sgd", "kept"), ("faulty-twice-epsilon", "rejected")])
def test_answers_of_a_vendor_are_judged(open_page: OpenPage, name: str, state: str) -> None:
    at = finish(picked(open_page, *answered(SMALL, name)), "check")
    assert not at.error
    assert t.REPORT[f"check_headline_{state}"] in headline(at)
    assert ("Not rejected is no proof" in texts(at)) is (state == "kept")
    job = job_of(at, "check")
    assert job.own is None, "answers are dropped when the check ends"
    assert "secret-name" not in claims.to_json(job.result)
    assert not any("secret-name" in value for values in at.query_params.values() for value in values)


def hostile() -> dict[str, tuple[bytes, bytes, str]]:
    answers, key = answered(SMALL, "ldp-sgd")
    whole, made = np.load(io.BytesIO(answers))["reports"], read_key(key)
    huge = Key.made(replace(made.config, dimension=10**6, reports=10**8), made.inputs, made.salt)
    vendor, ours = t.CHECK_FILE_ERRORS["responses"].format(limit=200), t.CHECK_FILE_ERRORS["key"]
    rows = t.CHECK_FILE_ERRORS["rows"].format(got="100", needed=f"{len(whole):,}")
    large = t.TOO_LARGE["check"].format(limit=f"{check_plan.MOST_FILE_VALUES:,}", asked=f"{10**14:,}")
    return {
        "no archive": (b"PK\x03\x04" + bytes(100), key, vendor),
        "text": (b"patient", key, vendor),
        "rows": (npz(reports=whole[:100]), key, rows),
        "another": (npz(reports=whole, digest=np.array("0" * 64)), key, t.CHECK_FILE_ERRORS["another"]),
        "objects": (npz(reports=np.array([{}] * len(whole), dtype=object)), key, vendor),
        "wrong name": (npz(**{"![x](http://a.test/x.png)": whole}), key, vendor),
        "no key": (answers, b'{"schema": "ldp-audit/1"}', ours),
        "huge key": (answers, huge.to_json().encode(), large),
    }


def test_hostile_files_are_one_sentence_each(open_page: OpenPage, caplog: pytest.LogCaptureFixture) -> None:
    """One of each sentence; what the core says to every one is in ``tests/checking``."""
    for case, (answers, key, sentence) in hostile().items():
        at = picked(open_page, answers, key)
        assert [error.value for error in at.error] == [sentence], case
        assert "check" not in at.query_params, case
    assert "secret-name" not in caplog.text
    assert "a.test" not in caplog.text


def test_a_small_file_that_unpacks_to_more_than_may_be_picked_is_refused(open_page: OpenPage) -> None:
    challenge, key = challenge_bytes(replace(SMALL, reports=30_000, dimension=2))
    rows = len(np.load(io.BytesIO(challenge))["order"])
    answers = io.BytesIO()
    np.savez_compressed(answers, reports=np.zeros((rows, 1_028)))
    assert len(answers.getvalue()) < 10**6 < MOST_UPLOAD_MB * 10**6 < 8 * 1_028 * rows
    at = picked(open_page, answers.getvalue(), key)
    assert [error.value for error in at.error] == [t.CHECK_FILE_ERRORS["responses"].format(limit=200)]


def test_challenge_and_key_belong_together_whatever_is_set_later(open_page: OpenPage) -> None:
    at = open_page("check", way="files", dimension="4", reports="20000")
    at.text_input(key="epsilon").set_value("50").run()
    assert at.button(key="make").disabled, "of what cannot be read"
    at.text_input(key="epsilon").set_value("1").run()
    at.button(key="make").click().run()
    asked, names = at.session_state["challenge_made"][0].challenge, at.session_state["challenge_made"][0].names
    found = links(at)
    assert list(found) == [t.CHECK_CHALLENGE, t.CHECK_KEY]
    assert str(asked.config.seed) not in str(found)
    at.text_input(key="epsilon").set_value("2").run()
    assert links(at) == found
    files = [taken(address).content for address in found.values()]
    assert tuple(files) == challenge_bytes(asked.config, salt=asked.salt)
    assert asked.salt not in repr(asked) + str(found)
    challenge, key = names.values()
    assert taken(f"take/{challenge}/key.json").status == taken(f"take/{key}/challenge.npz").status == 404
    at.button(key="make").click().run()
    again = at.session_state["challenge_made"][0]
    assert set(again.names.values()).isdisjoint(names.values())
    assert again.challenge.config.seed != asked.config.seed
    assert again.challenge.config.epsilon == 2.0


def test_verdict_s_numbers_are_the_core_s() -> None:
    rejected, kept = result(0.15), result(0.27, reports=20_000)
    sentences = " ".join(check_words.finding(t, rejected).sentences)
    assert f"at least ε = {int(100 * rejected.epsilon_lower) / 100:.2f}" in sentences
    look = rejected.strongest
    share = intervals.identification_interval(look.counts, rejected.config.significance)
    point, lower, upper = (f"{100 * value:.1f}\u00a0%" for value in share)
    assert f"right in {point} of {look.counts.num_trials:,} guesses (range {lower} to {upper}, for" in sentences
    assert "The claim allows at most 73.11\u00a0%." in sentences
    assert share[1] > worst_case_identification(1.0), "else the range would speak against the verdict"
    sentences = " ".join(check_words.finding(t, kept).sentences)
    power, (worse, needed) = detectable_epsilons(kept), claims.needed_reports(kept)
    for kind in ("side", "tail"):
        leak, least = re.escape(t.REPORT[f"kind_{kind}"]), power[kind]
        (stated,) = re.findall(rf"\*\*ε = ([\d.]+)\*\* or more that shows {leak}", sentences)
        assert 0 <= float(stated) - least < 0.01
        assert f"{needed[kind]:,} reports where it shows {t.REPORT[f'kind_{kind}']}" in sentences
    assert f"a leak of ε = {worse:g} takes" in sentences


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_texts_name_what_the_core_has(language: Words) -> None:
    assert {name for name, words in language.MECHANISMS.items() if words.sends} == set(HONEST)
    assert set(language.CHECK_FAULTS) == set(FAULTY) | {"overclaiming"}
    for group, names in (
        ("pair_text", (*claims.FIXED_PAIRS, claims.OWN, claims.REFINED_NAME)),
        ("check_rule", claims.RULES),
        ("kind", claims.LEAKS),
        ("check_notice", claims.NOTICES),
    ):
        assert {f"{group}_{name}" for name in names} <= set(language.REPORT)
    assert list(language.CHECK_CLAUSES) == list(WORDS)
    for name, clause in WORDS.items():
        assert set(language.CHECK_CLAUSES[name].findings) == set(clause.findings), name


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_every_pair_and_look_is_listed_with_its_numbers(language: Words) -> None:
    found = checked(1.5, pair="refined-1", own_pairs=2, inputs_digest="0" * 64)
    tell = teller(language)
    told = report.pair_text(found, "refined-1", tell)
    assert told in check_words.finding(language, found).sentences[1]
    pairs, looks = report.tried(found, tell).rows, report.looks(found, tell).rows
    assert len(pairs) == len(found.pairs) == len(claims.FIXED_PAIRS) + 3
    assert "{" not in "".join(cell for row in pairs for cell in row)
    for row, look in zip(looks, found.looks, strict=True):
        counts = look.counts
        numbers = (counts.first_as_first, counts.first_as_second, counts.second_as_first, counts.second_as_second)
        assert row[4:9] == [f"{number:,}" for number in (*numbers, look.silent)]


NOISY = np.random.default_rng(21).normal(size=(2, 400, 3))


def replied(open_page: OpenPage, language: str = "en", claimed: dict[str, str] | None = None, **arrays: Any) -> AppTest:
    """Return the page after a file of replies was picked and judged."""
    at = open_page("check", way="app", seed="3", lang=language, **(claimed or {"epsilon": "1"}))
    assert at.button(key="replies_run").disabled
    content = npz(**arrays) if arrays else b"patient"
    at.file_uploader(key="replies").upload("secret-name.npz", content, "application/octet-stream").run()
    at.button(key="replies_run").click().run()
    assert not at.exception
    assert "secret-name" not in str(at.query_params)
    return at


def columns_shown(at: AppTest) -> list[str]:
    (table,) = (element.proto.body for element in at.get("html") if "ldp-table" in element.proto.body)
    return [" ".join(re.findall(r">([^<>]+)<", row)) for row in re.findall("<tr>(.*?)</tr>", table)[1:]]


@pytest.mark.parametrize(("code", "language"), LANGUAGES.items(), ids=LANGUAGES)
def test_an_app_s_replies_are_judged_and_repeated_by_the_command(
    open_page: OpenPage, code: str, language: Words, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names, claimed = ["w", "w", "loss"], {"claimed": "gaussian", "step_clip": "1", "step_sigma": "4"}
    at = replied(open_page, code, claimed, first=NOISY[0], second=NOISY[1], names=names)
    assert language.REPORT["app_kept"] in headline(at)
    assert language.CHECK_APP_DO["kept"][1][:8] in texts(at)
    assert sorted(row.split()[0] for row in columns_shown(at)) == ["loss", "w"]
    assert not any(language.REPORT["app_without"] in row for row in columns_shown(at))
    folder, repeat = at.code[0].value, at.code[-1].value
    assert folder == "python -m ldp_core check-flower FOLDER --gaussian 1:4 --confidence 0.999"
    (tmp_path / "replies.npz").write_bytes(npz(first=NOISY[0], second=NOISY[1], names=names))
    words = repeat.replace("replies.npz", str(tmp_path / "replies.npz")).split()[3:]
    assert words[-2:] == ["--seed", "3"]
    assert main(words) == 0
    (shown,) = (one for one in capsys.readouterr().out.splitlines() if "Replies show" in one)
    assert code != "en" or shown in texts(at)


@pytest.mark.parametrize(("code", "language"), LANGUAGES.items(), ids=LANGUAGES)
def test_a_column_without_noise_is_named_first_and_rejects(open_page: OpenPage, code: str, language: Words) -> None:
    first, second = NOISY.copy()
    first[:, 1], second[:, 1] = 0.25, 0.75
    second[:, 0] += 5.0
    hostile = "<img src=x onerror=alert(1)>"
    at = replied(open_page, code, first=first, second=second, names=["w", hostile, "v"])
    assert language.REPORT["app_rejected"] in headline(at)
    assert language.CHECK_APP_DO["rejected"][1][:8] in texts(at)
    (bare, *others) = columns_shown(at)
    assert language.REPORT["app_without"] in bare
    assert "onerror" in bare
    assert not any(language.REPORT["app_without"] in row for row in others)
    assert not any("<img src=x" in element.proto.body for element in at.get("html"))
    at.text_input(key="epsilon").set_value("20").run()
    assert language.REPORT["app_rejected"] not in texts(at), "it was of another claim"
    second[:, 0] -= 5.0
    at = replied(open_page, code, {"epsilon": "20"}, first=first, second=second, names=["w", hostile, "v"])
    assert language.CHECK_APP_DO["bare"][0][:40] in texts(at), "so few replies do not contradict ε = 20"
    for public, error in (("x", "unknown"), (f"w, v, {hostile}", "nothing"), (f" {hostile}", None)):
        at.text_input(key="public").set_value(public).run()
        at.button(key="replies_run").click().run()
        assert [one.value for one in at.error] == ([language.CHECK_FILE_ERRORS[error]] if error else [])
    assert len(columns_shown(at)) == 2
    assert not any("onerror" in row for row in columns_shown(at))


@pytest.mark.parametrize(("code", "language"), LANGUAGES.items(), ids=LANGUAGES)
def test_bad_files_of_replies_are_one_sentence_each(
    open_page: OpenPage, code: str, language: Words, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replies, "MOST_ON_PAGE", 2_400)
    told, infinite = language.CHECK_FILE_ERRORS, NOISY[1].copy()
    infinite[0] = np.inf
    for arrays, sentence in (
        ({}, told["replies"].format(limit=200)),
        ({"first": NOISY[0][:49], "second": NOISY[1][:49]}, told["replies"].format(limit=200)),
        ({"first": NOISY[0], "second": NOISY[1][:399]}, told["shapes"]),
        ({"first": NOISY[0], "second": infinite}, told["finite"].format(got="3")),
        (
            {"first": NOISY.reshape(800, 3), "second": NOISY.reshape(800, 3)},
            told["large"].format(got="4,800", most="2,400"),
        ),
    ):
        at = replied(open_page, code, **arrays)
        assert [error.value for error in at.error] == [sentence]
        assert not any("ldp-table" in element.proto.body for element in at.get("html"))


def test_from_another_device_the_command_is_shown_and_no_file_is_taken(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origin_guard, "on_this_device", lambda: False)
    at = open_page("check", way="app", epsilon="2", delta="1e-05")
    assert not [field for field in at.get("file_uploader") if field.key == "replies"]
    assert at.code[0].value.startswith("python -m ldp_core check --replies replies.npz --epsilon 2 --delta 1e-05")
