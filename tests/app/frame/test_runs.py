"""The runs of a session: listed, drawn together, opened and repeated."""

import html
import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from ldp_core.checking.claims import CheckConfig
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.central.result import CentralConfig
from ldp_core.studies.reconstruction.result import ReconstructionConfig
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.utility.result import UtilityConfig
from pages import jobs
from pages.state import current_run, prepared
from tests.app.conftest import OpenPage, html_of, start
from tests.app.test_compare import FEW, finish
from tests.helpers.patience import PATIENCE
from tests.helpers.words import en as t


def rows(at: AppTest) -> list[list[str]]:
    """Return the texts of the table of runs, row by row."""
    table = next((body for body in html_of(at) if f'aria-label="{t.RUNS_TITLE}"' in body), "")
    return [re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row) for row in re.findall(r"<tr><th scope=.row.*?</tr>", table)]


def audited(open_page: OpenPage) -> AppTest:
    """Return the compare page of a session with one finished test."""
    at = open_page("compare", **FEW)
    job = jobs.manager().submit(
        make_config(
            significance=0.05, watch=True, seed=0, attack="dummy", epsilon=1.0, num_trials=200,
            num_measurements=1, training="none",
        )
    )  # fmt: skip
    assert job.ended.wait(PATIENCE)
    at.session_state["runs"] = [job.id]
    at.run()
    assert not at.exception
    return at


def test_tests_and_comparisons_are_listed_with_their_numbers(open_page: OpenPage) -> None:
    at = start(audited(open_page), "run_compare")
    finish(at)
    comparison, test = rows(at)
    assert comparison[:4] == ["2", t.RUNS_KINDS["compare"], "1, 2", "2 attacks"]
    assert comparison[4:6] == [t.RUNS_SEE, "at most 73.11, 88.08"]
    assert comparison[6:] == [t.CMP_HEADLINES["none"], "5"]
    job = jobs.manager().get(at.session_state["runs"][0])
    right = 100 * job.result.counts.num_right / job.result.counts.num_trials
    assert test[:4] == ["1", t.RUNS_KINDS["audit"], "1", "made-up update"]
    assert test[4].startswith(f"{right:.1f} (")
    assert test[5] == "at most 73.11"
    assert test[6] in t.HEADLINES.values()
    assert test[7] == "0"


def test_a_run_is_repeated_with_its_seed_and_with_another(open_page: OpenPage) -> None:
    at = audited(open_page)
    old = jobs.manager().get(at.session_state["runs"][0])
    for button, same in (("same_seed", True), ("other_seed", False)):
        before = list(at.session_state["runs"])
        at.button(key=button).click().run()
        assert not at.exception
        (new_id,) = set(at.session_state["runs"]) - set(before)
        new = jobs.manager().get(new_id)
        assert new.ended.wait(PATIENCE)
        assert (new.config.seed == old.config.seed) == same
        assert replace(new.config, seed=0) == replace(old.config, seed=0)
        assert (new.result.counts == old.result.counts) or not same
        assert current_run.JOB not in at.query_params
    at.run()
    assert len(rows(at)) == 3


OTHERS = {
    "central": CentralConfig("malicious-data", 1, games=20, threshold_games=20, law=True),
    "check": CheckConfig("ldp-sgd", 1.0, 1, reports=5_000, dimension=2),
    "reconstruction": ReconstructionConfig(reports=(1,), pictures=10, candidates=20),
    "trust": TrustConfig("dummy", 1.0, 1, games=100, clients=3, training="none"),
    "utility": UtilityConfig(epsilons=(1.0,), seed=1, clients=20, rounds=1),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", OTHERS)
def test_every_study_with_a_page_is_listed_and_repeated(open_page: OpenPage, kind: str) -> None:
    job = jobs.manager().submit(OTHERS[kind])
    assert job.ended.wait(PATIENCE)
    at = open_page("compare", **FEW)
    at.session_state["runs"] = [job.id]
    at.run()
    assert not at.exception
    ((number, what, _, name, *_, seed),) = [list(map(html.unescape, row)) for row in rows(at)]
    assert (number, what, seed) == ("1", t.RUNS_KINDS[kind], str(job.config.seed))
    assert name
    at.button(key="same_seed").click().run()
    assert not at.exception
    (again,) = set(at.session_state["runs"]) - {job.id}
    assert jobs.manager().get(again).config == job.config  # type: ignore[union-attr]


def test_the_example_is_no_run_and_no_run_is_named_in_the_link(open_page: OpenPage) -> None:
    at = open_page(job=prepared.ID)
    at.switch_page("../compare/page.py").run()
    assert not at.exception
    assert rows(at) == []
    at = audited(open_page)
    ids = list(at.session_state["runs"])
    for page in ("overview", "compare"):
        at.switch_page(f"../{page}/page.py").run()
    assert len(rows(at)) == 1
    assert not [value for value in at.query_params.values() if ids[0] in value]
