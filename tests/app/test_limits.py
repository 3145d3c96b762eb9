"""No run is too large, none is forgotten, and each one comes in its turn."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ldp_core.audit import audit
from ldp_core.cache import Cache
from ldp_core.claims import CheckConfig
from ldp_core.grid import CompareConfig
from ldp_core.studies import UtilityConfig
from pages._shared import check_plan, jobs, plan, views
from pages._shared.job import Job
from pages._shared.kinds import KINDS
from pages._shared.text import LANGUAGES
from pages._shared.text import en as t
from tests.app.conftest import SMALL
from tests.app.test_compare import FEW
from tests.app.test_jobs import until
from tests.app.test_pages import slow
from tests.helpers.patience import PATIENCE
from tests.test_takeaway import WRITERS

OpenPage = Callable[..., AppTest]
TEST = plan.make_config(
    confidence=95, seed=1, distinguisher="cosine", attack="dummy", epsilon=1.0, num_trials=200, num_measurements=2,
    training="none",
)  # fmt: skip
PASS = plan.DIMENSION + 250
"""What a guess of a comparison with one white cell counts as."""
SIZES: dict[str, tuple[Callable[[int], Any], int]] = {
    "audit": (lambda size: replace(TEST, num_trials=size, num_measurements=1), plan.MOST_VALUES // plan.DIMENSION),
    "compare": (
        lambda size: CompareConfig(("dummy",), (1.0,), 1, num_trials=size, num_measurements=1),
        plan.MOST_VALUES // PASS,
    ),
    "utility": (
        lambda size: UtilityConfig(epsilons=(1.0,), seed=1, clients=size, rounds=1_000),
        plan.MOST_VALUES * 2 // (3 * 1_000 * plan.DIMENSION),
    ),
    "check": (
        lambda size: CheckConfig("ldp-sgd", 1.0, 1, reports=size, dimension=100),
        check_plan.MOST_VALUES // 100,
    ),
}
"""A configuration by its size, and the largest size that a page runs."""


def hold(manager: jobs.JobManager) -> Job:
    """Keep the worker busy until its job is cancelled."""
    real = manager.run["audit"]
    manager.run["audit"] = slow
    job = manager.submit(TEST)
    until(lambda: job.state == "running")
    manager.run["audit"] = real
    return job


@pytest.mark.parametrize("kind", SIZES)
def test_the_largest_run_is_taken_and_one_more_is_refused_with_its_sentence(kind: str) -> None:
    manager = jobs.manager()
    hold(manager)
    make, most = SIZES[kind]
    assert manager.submit(make(most)).state == "queued"
    with pytest.raises(plan.TooLargeError) as refused:
        manager.submit(make(most + 1))
    assert refused.value.kind == kind
    for texts in LANGUAGES.values():
        sentence = views.problem_sentence(texts, refused.value)
        assert f"{refused.value.limit:,}" in sentence
        assert f"{refused.value.asked:,}" in sentence


def test_every_kind_has_a_limit_or_nothing_to_limit() -> None:
    assert set(KINDS) - set(SIZES) == {"path", "glimpse"}, "at most 20 pairs at 21 levels, and one picture"


@pytest.mark.parametrize("kind", ["audit", "compare"])
def test_a_large_run_from_a_file_is_not_repeated(open_page: OpenPage, kind: str) -> None:
    result = WRITERS[kind][0]()
    job = Job("f" * 32, replace(result.config, num_trials=10**9), state="done", result=result, opened=True)
    job.ended.set()
    jobs.manager()._jobs[job.id] = job
    at = open_page("compare", **FEW)
    at.session_state["runs"] = [job.id]
    at.run()
    at.button(key="same_seed").click().run()
    assert not at.exception
    (error,) = at.error
    assert error.value.startswith(t.TOO_LARGE[kind].partition("{")[0])
    assert at.session_state["runs"] == [job.id]


@pytest.mark.parametrize(
    ("page", "button"), [("audit", "run"), ("compare", "run_compare"), ("compare", "run_cost"), ("check", "run")]
)
def test_a_full_queue_is_one_sentence_on_every_page(open_page: OpenPage, page: str, button: str) -> None:
    manager = jobs.manager()
    hold(manager)
    for _ in range(jobs.MAX_WAITING):
        manager.submit(TEST)
    at = open_page(page, **(FEW if page == "compare" else {} if page == "check" else SMALL))
    at.button(key=button).click().run()
    assert [error.value for error in at.error] == [t.QUEUE_FULL]
    assert not at.exception
    assert str(jobs.MAX_WAITING) in t.QUEUE_FULL


def test_twenty_who_ask_at_once_get_their_own_counts_in_the_order_of_asking(cache_dir: Any) -> None:
    manager = jobs.manager()
    real, begun = manager.run["audit"], []

    def run(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
        begun.append(job.id)
        return real(job, cache, threads)

    first = hold(manager)
    manager.run["audit"] = run
    together, made = threading.Barrier(20), {}

    def ask(seed: int) -> None:
        together.wait()
        made[seed] = manager.submit(replace(TEST, seed=seed))

    asking = [threading.Thread(target=ask, args=(seed,)) for seed in range(20)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    order = [job.id for job in manager._waiting]
    assert [manager.position(job) for job in manager._waiting] == list(range(1, 21))
    manager.cancel(first.id)
    for job in made.values():
        assert job.ended.wait(PATIENCE)
    assert begun == order
    found = {seed: job.result.counts for seed, job in made.items()}
    for seed, counts in found.items():
        *_, last = audit(replace(TEST, seed=seed), Cache(cache_dir / "other"), threads=1)
        assert counts == last.result.counts
    assert len(set(found.values())) > 1


def test_a_closed_tab_frees_what_waits_and_what_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages._shared.job.GRACE_SECONDS", 0.2)
    manager = jobs.manager()
    running = hold(manager)
    mine = [running, *(manager.submit(TEST) for _ in range(3))]
    other = manager.submit(TEST)
    for job in mine:
        manager.attach(job, "tab")
    manager.attach(other, "other tab")
    jobs._release("tab")
    assert other.ended.wait(PATIENCE)
    assert other.state == "done"
    assert {job.state for job in mine} == {"cancelled"}
    assert all(job.ended.is_set() for job in mine)
