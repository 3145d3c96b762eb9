"""The page on the central promise: six attackers and who must cheat, in both languages, and an audit as a run."""

import pytest

from ldp_core import results
from ldp_core.central_adversaries import ADVERSARIES
from ldp_core.studies.central import table
from ldp_core.studies.training_check.faulty_trainings import FAULTY_TRAININGS
from pages import jobs
from tests.app.conftest import OpenPage, done, said
from tests.helpers.words import LANGUAGES, en


def test_an_audit_by_the_law_is_a_run_that_is_shown_taken_away_and_opened_again(open_page: OpenPage) -> None:
    at = open_page("central", central_games="400", central_law="1", seed="3")
    job = done(at, "run_central", "central")
    assert "63.6" in said(at)
    command = next(code.value for code in at.code if "--adversary malicious-data" in code.value)
    assert "--games 400" in command
    assert "--law" in command
    opened = jobs.manager().open(results.read(job.written().encode()))
    at = open_page("central", central=opened.id)
    assert not at.exception
    assert en.OPENED_TITLE in said(at)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_papers_figures_stand_beside_ours_and_what_catches_a_liar(open_page: OpenPage, language: str) -> None:
    t = LANGUAGES[language]
    at = open_page("central", lang=language)
    assert not at.exception
    assert at.title[0].value == t.CENTRAL_TITLE
    tables = [[list(row) for row in one.value.to_numpy()] for one in at.table]
    ours = {(row.adversary, row.epsilon): row for row in table.measured() if row.model == "logistic"}
    theirs = [("api", 4.0, 0.31), ("intermediate", 2.0, 0.25), ("adaptive-poison", 2.0, 0.37), ("gradient", 1.0, 0.3)]
    paper = next(found for found in tables if len(found[0]) == len(t.CENTRAL_PAPER_COLUMNS))
    for row, (name, epsilon, figure) in zip(paper, [*theirs, ("malicious-data", 4.0, 3.6)], strict=True):
        assert row[0] == t.REPORT[f"adversary_{name}"]
        assert (row[1], row[3]) == (f"{epsilon:g}", f"{figure:g}")
        assert float(row[4]) == pytest.approx(ours[name, epsilon].clopper_pearson, abs=0.01)
        assert float(row[5]) == pytest.approx(ours[name, epsilon].curve, abs=0.01)
    shown = said(at).replace("\u00a0", " ")
    for slip in ("1 − δ", "3.9", "3.4", "3.5", "3.2", "√(2n)"):
        assert slip in shown
    cabinet = next(found for found in tables if found[0][1] == "noise_95")
    assert {row[1]: row[2] for row in cabinet} == {name: f"{liar.games:,}" for name, liar in FAULTY_TRAININGS.items()}


def test_what_was_measured_agrees_with_its_counts() -> None:
    rows = [row for row in table.measured() if (row.model, row.epsilon) == ("logistic", 4.0)]
    assert [row.adversary for row in rows] == list(ADVERSARIES)
    for row in rows:
        assert row.counts.num_right / row.counts.num_trials == pytest.approx(row.right, abs=1e-5)
        assert row.low < row.ceiling + 0.01
