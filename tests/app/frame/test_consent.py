"""No data set is fetched without a tick in a box that names it."""

import urllib.request
from typing import Any
from urllib.error import URLError

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox

from ldp_core.datasets.colour import Cifar10
from ldp_core.datasets.mnist import Mnist
from ldp_core.studies.audit.configuration import make_config
from pages import jobs
from pages.jobs.job import Job
from tests.app.conftest import SMALL, OpenPage, holding, start
from tests.app.test_compare import FEW, finish, look_at
from tests.helpers.comparisons import comparison
from tests.helpers.patience import PATIENCE
from tests.helpers.words import en as t

MNIST, CIFAR10 = (tuple(source.parts()[0].urls) for source in (Mnist(), Cifar10()))
"""The addresses that are tried for the first file of a data set; without a network it ends there."""
KEYS = {"run": "job", "run_compare": "comparison", "run_cost": "cost"}
TEST = make_config(
    significance=0.05, watch=True, seed=1, attack="benign", epsilon=1.0, num_trials=200, num_measurements=1,
    training="none", dataset="mnist",
)  # fmt: skip


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note which addresses are asked for, and answer as where there is no network."""
    found: list[str] = []

    def fetch(request: urllib.request.Request, **_: Any) -> None:
        found.append(request.full_url)
        raise URLError("no network")

    monkeypatch.setattr(urllib.request, "urlopen", fetch)
    return found


def boxes(at: AppTest) -> list[Checkbox]:
    return [box for box in at.checkbox if box.label.startswith(t.DOWNLOAD.partition("{")[0])]


def box(at: AppTest, *names: str) -> Checkbox:
    """Return the first box that names these data sets."""
    label = t.DOWNLOAD.format(names=t.COMMA.join(t.FIGURES[f"data_{name}"] for name in names))
    return next(each for each in at.checkbox if each.label == label)


def run(at: AppTest, button: str) -> Job:
    job = finish(start(at, button), KEYS[button])
    assert job.state == "failed"
    assert len(at.error) == 1
    return job


COST = {"cost_dataset": "cifar10", "cost_clients": "10", "cost_rounds": "1"}


PAGES = {
    "audit": (SMALL | {"dataset": "mnist", "attack": "benign"}, "run", ("mnist",), MNIST),
    "compare": (FEW | {"datasets": "mnist,cifar10"}, "run_compare", ("mnist", "cifar10"), MNIST),
    "utility": (COST, "run_cost", ("cifar10",), CIFAR10),
}
"""A page -> its settings, its button, the data sets that its box names, and the addresses that are asked for."""


@pytest.mark.parametrize("page", PAGES)
def test_a_link_ticks_no_box_and_without_a_tick_nothing_is_fetched(
    open_page: OpenPage, asked: list[str], page: str
) -> None:
    query, button, *_ = PAGES[page]
    names = [str(box.key) for box in boxes(open_page(page, **query))] + ["download", "data_dir", "cost_data_dir"]
    for link in ({}, dict.fromkeys(names, "1")):
        at = open_page(page, **query, **link)
        assert [box.value for box in boxes(at)] == [False]
        assert "allow a download" in run(at, button).error
    assert asked == []


@pytest.mark.parametrize("page", PAGES)
def test_a_tick_fetches_what_its_box_names(open_page: OpenPage, asked: list[str], page: str) -> None:
    query, button, names, addresses = PAGES[page]
    at = open_page(page, **query)
    box(at, *names).check().run()
    assert "could not be downloaded" in run(at, button).error
    assert tuple(asked) == addresses


def test_another_set_is_asked_for_anew_and_a_tick_is_kept_for_its_own(open_page: OpenPage, asked: list[str]) -> None:
    at = open_page(**(SMALL | {"dataset": "mnist", "attack": "benign"}))
    box(at, "mnist").check().run()
    holding(at.selectbox, "dataset").set_value("cifar10").run()
    assert not box(at, "cifar10").value
    run(at, "run")
    assert asked == []
    holding(at.selectbox, "dataset").set_value("mnist").run()
    assert box(at, "mnist").value


@pytest.mark.few(1)
@pytest.mark.parametrize("way", ["same_seed", "continue_compare", "path_button"])
def test_a_run_that_another_session_allowed_is_repeated_with_this_one_s_ticks(
    open_page: OpenPage, asked: list[str], way: str
) -> None:
    result = comparison(attacks=("benign", "dummy"), epsilons=(1.0,), num_trials=200, training="none", unfinished=True)
    first = Job("c" * 32, result.config, download=True, state="cancelled", result=result)
    if way == "same_seed":
        first = Job("a" * 32, TEST, download=True, state="failed", error="it could not be downloaded")
    first.ended.set()
    jobs.manager()._jobs[first.id] = first
    for ticked in (False, True):
        at = open_page("compare", **FEW, datasets="mnist", **({} if way == "same_seed" else {"comparison": first.id}))
        at.session_state["runs"] = [first.id]
        at.run()
        if way == "path_button":
            look_at(at, "map")
        if ticked:
            box(at, "mnist").check().run()
        start(at, way)
        job = list(jobs.manager()._jobs.values())[-1]
        assert job is not first
        assert job.ended.wait(PATIENCE)
        assert job.data_dir is None
        assert job.state == "failed"
        assert tuple(asked) == (MNIST if ticked else ())


def test_a_tick_on_one_page_is_none_on_another_even_for_the_same_set(open_page: OpenPage, asked: list[str]) -> None:
    at = open_page("compare", **FEW, datasets="mnist")
    box(at, "mnist").check().run()
    at.switch_page("../utility/page.py")
    for name, value in (COST | {"cost_dataset": "mnist"}).items():
        at.query_params[name] = value
    at.run()
    assert [each.value for each in boxes(at)] == [False]
    run(at, "run_cost")
    assert asked == []
