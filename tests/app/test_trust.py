"""The page on whom one must trust: both ends and never one number, in both languages, and games as a run."""

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from ldp_core import results
from ldp_core.detectors import DETECTORS
from ldp_core.studies.detect.result import AttackRow, DetectConfig, DetectResult, HonestRow, Refused, to_json
from ldp_core.types import TrialCounts
from pages import jobs
from tests.app.conftest import holding
from tests.app.frame.test_language import OpenPage
from tests.helpers.words import LANGUAGES, en


def said(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.markdown, *at.caption, *at.error))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_comes_first_and_each_answer_shows_who_sees_what(open_page: OpenPage, language: str) -> None:
    t = LANGUAGES[language]
    for whom in ("nobody", "others", "server"):
        at = open_page("trust", whom=whom, lang=language)
        assert not at.exception
        assert at.title[0].value == t.TRUST_TITLE
        assert at.radio[0].label == t.TRUST_WHOM
        assert t.WHO_SEES_TITLE in said(at)
        assert bool([button for button in at.button if button.key == "run_trust"]) == (whom != "server")


def test_behind_a_shuffler_both_ends_are_said(open_page: OpenPage) -> None:
    at = open_page("trust", whom="others", epsilon="8", honest="100")
    assert not at.exception
    assert "98.3" in said(at)
    assert "54.0 times of 100" in said(at)
    assert "stands out" in said(at)
    at = open_page("trust", whom="others", between="aggregated", epsilon="8", honest="100")
    assert "53.2 times of 100" in said(at)
    assert "55.3 times" in said(at)


def test_games_are_a_run_that_is_shown_taken_away_and_opened_again(open_page: OpenPage) -> None:
    at = open_page("trust", whom="others", attack="dummy", others="agree", games="500", seed="3", honest="50")
    assert not at.exception
    next(button for button in at.button if button.key == "run_trust").click()
    at.run()
    job = jobs.manager().get(at.query_params["trust"])
    assert job is not None
    assert job.ended.wait(60)
    at.run()
    assert not at.exception
    assert job.state == "done", job.error
    assert "times of 100" in said(at)
    assert "--view shuffled --others agree --clients 50" in at.code[0].value
    saved = job.written()
    assert json.loads(saved)["schema"] == "ldp-trust/1"
    opened = jobs.manager().open(results.read(saved.encode()))
    at = open_page("trust", trust=opened.id)
    assert not at.exception
    assert en.OPENED_TITLE in said(at)


def test_a_run_that_is_too_large_is_refused_in_a_sentence(open_page: OpenPage) -> None:
    at = open_page("trust", whom="others", between="aggregated", others="agree", games="10000000", honest="100000")
    assert not at.exception
    assert any("may be at most" in str(error.value) for error in at.error)
    assert holding(at.number_input, "games").value == 10**7


def test_another_randomizer_goes_through_the_same_views(open_page: OpenPage) -> None:
    asked = {"whom": "others", "attack": "dummy", "games": "100", "seed": "3", "mechanism": "laplace"}
    at = open_page("trust", **asked, honest="50")
    assert not at.exception
    sentence = en.TRUST_UNFIT["mechanism"].format(rule=en.TRUST_RULES["cosine"], more=en.TRUST_MORE)
    assert sentence in [error.value for error in at.error]
    at = open_page("trust", **asked, honest="5000", trust_rule="cosine")
    assert en.TRUST_UNFIT["sampling"].format(clients="2,000") in [error.value for error in at.error]
    at = open_page("trust", **asked, honest="5", trust_rule="cosine", training="none")
    next(button for button in at.button if button.key == "run_trust").click()
    at.run()
    job = jobs.manager().get(at.query_params["trust"])
    assert job is not None
    assert job.ended.wait(60)
    at.run()
    assert not at.exception
    assert job.state == "done", job.error
    assert "--sampling full --mechanism laplace" in at.code[0].value


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "ja"])
def test_a_run_of_detectors_is_shown_and_never_lowers_epsilon(open_page: OpenPage, language: str) -> None:
    """The three attacks stand for: a false alarm, a clumsy attacker, and one who knows the detectors."""
    refused = tuple(Refused(name, 1, 2) for name in DETECTORS)
    all_, none = TrialCounts(900, 100, 100, 900), TrialCounts()
    rows = (
        AttackRow("benign", 2, refused, 1, all_, all_),
        AttackRow("dummy", 2, refused, 0, none, all_),
        AttackRow("border-image", 2, refused, 2, all_, all_),
    )
    config = DetectConfig(1, ("benign", "dummy", "border-image"), pairs=2, epsilon=4.0)
    result = DetectResult(config, 6, (HonestRow(7, refused),), rows, True, 1.0, {"torch": "2"})
    opened = jobs.manager().open(results.read(to_json(result).encode()))
    at = open_page("trust", detect=opened.id, lang=language)
    assert not at.exception
    t, page = LANGUAGES[language], said(at)
    for key, values in (
        ("detect_plain", {"pairs": "2", "refused": "2"}),
        ("detect_false", {"pairs": "2", "refused": "1"}),
        ("detect_adaptive", {"pairs": "2", "passed": "2"}),
    ):
        assert plain(t.REPORT[key].format(**values)) in plain(page)
    assert plain(t.REPORT["detect_hygiene"].format(epsilon="4")) in plain(page)
    assert any("--attacks benign,dummy,border-image" in str(code.value) for code in at.code)


def plain(text: str) -> str:
    """Return a text without marks of terms and of bold type."""
    return re.sub(r"<[^>]*>", "", text).replace("*", "").replace("\u00a0=\u00a0", " = ")
