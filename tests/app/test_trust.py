"""The page on whom one must trust: both ends and never one number, in both languages, and games as a run."""

import pytest
from streamlit.testing.v1 import AppTest

from ldp_core import results
from pages import jobs
from tests.app.conftest import finish, job_of, said
from tests.app.frame.test_language import OpenPage
from tests.helpers.words import LANGUAGES, en


def ways(at: AppTest) -> list[str]:
    return [element.proto.body for element in at.get("html") if "ldp-way" in element.proto.body]


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
    at.button(key="run_trust").click().run()
    job = job_of(finish(at, "trust"), "trust")
    assert job.state == "done", job.error
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
        assert any(
            LANGUAGES[language].TRUST_SEES[whom if whom != "nobody" else "local"][-1][1] in body for body in ways(at)
        )
        assert bool([button for button in at.button if button.key == "run_trust"]) == (whom != "server")
