"""The page on whom one must trust: both ends and never one number, in both languages; games, and detectors, as runs."""

import re

import pytest

from ldp_core import record, results
from ldp_core.studies.detect.result import ADAPTIVE, AttackRow, DetectConfig, DetectResult, HonestRow, Refused
from ldp_core.types import TrialCounts
from pages import jobs
from tests.app.conftest import OpenPage, done, html_of, said
from tests.helpers.words import LANGUAGES, en, report_of


def test_behind_a_shuffler_both_ends_are_said(open_page: OpenPage) -> None:
    at = open_page("trust", whom="shuffled", epsilon="8", honest="100")
    assert not at.exception
    assert "98.3" in said(at)
    assert "54.0 times of 100" in said(at)
    assert "stands out" in said(at)
    at = open_page("trust", whom="aggregated", epsilon="8", honest="100")
    assert "53.2 times of 100" in said(at)
    assert "55.3 times" in said(at)


def test_games_are_a_run_that_is_shown_taken_away_and_opened_again(open_page: OpenPage) -> None:
    at = open_page("trust", whom="shuffled", attack="dummy", others="agree", games="500", seed="3", honest="50")
    job = done(at, "run_trust", "trust")
    assert "times of 100" in said(at)
    assert "--others agree --clients 50" in at.code[0].value
    opened = jobs.manager().open(results.read(job.written().encode()))
    at = open_page("trust", trust=opened.id)
    assert not at.exception
    assert en.OPENED_TITLE in said(at)


@pytest.mark.few(1)
@pytest.mark.parametrize("language", [*reversed(LANGUAGES)])
def test_each_answer_to_the_question_shows_who_sees_what(open_page: OpenPage, language: str) -> None:
    for whom in ("nobody", "shuffled", "server"):
        at = open_page("trust", whom=whom, lang=language)
        assert not at.exception
        sees = LANGUAGES[language].TRUST_SEES[whom if whom != "nobody" else "local"][-1][1]
        assert any("ldp-way" in body and sees in body for body in html_of(at))
        assert bool([button for button in at.button if button.key == "run_trust"]) == (whom != "server")


def made() -> DetectResult:
    """Return a run in which the clumsy are refused and who knows the detectors passes."""
    seen = tuple(Refused(name, 1, 20) for name in ("accuracy", "norm", "structure"))
    caught, passed = TrialCounts(), TrialCounts(4_800, 200, 150, 4_850)
    rows = (
        AttackRow(
            "benign", 6, seen, 5, TrialCounts(3_000, 2_000, 2_000, 3_000), TrialCounts(3_600, 2_400, 2_400, 3_600)
        ),
        AttackRow("dummy", 6, seen, 0, caught, passed),
        *(AttackRow(name, 6, seen, 5, passed, passed) for name in ADAPTIVE),
    )
    config = DetectConfig(7, ("benign", "dummy", *ADAPTIVE))
    return DetectResult(config, 3, (HonestRow(4, seen, 200, 52),), rows, True, 20.0, {"torch": "2"})


def plain(text: str) -> str:
    """Return a text without marks of explained words and of what is bold."""
    return re.sub(r"<[^>]+>|\*\*", "", text).replace("\u00a0=\u00a0", " = ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_saved_run_shows_who_got_past_and_lowers_no_epsilon(open_page: OpenPage, language: str) -> None:
    t = LANGUAGES[language]
    opened = jobs.manager().open(results.read(record.to_json(made()).encode()))
    at = open_page("trust", detect=opened.id, lang=language)
    assert not at.exception
    words, seen = t.REPORT, plain(said(at))
    for name in ("detect_plain", "detect_false", "detect_joint", "detect_adaptive", "detect_hygiene"):
        values = {"detect_plain": (6, 6), "detect_false": (1, 6), "detect_joint": (52, 200)}.get(name, (10, 12))
        numbers = {"refused": values[0], "passed": values[0], "pairs": values[1], "updates": values[1]}
        numbers |= {"epsilon": "4", "share": "26"}
        assert plain(words[name].format(**numbers)) in seen
    for row in ("detect_dummy", "detect_border-image", "detect_planted-border"):
        assert any(words[row] in body for body in html_of(at))
    assert at.get("plotly_chart")[-1].proto.alt == report_of(made(), language).charts[0].alt
    assert any("ldp_core detect" in code.value for code in at.code)
