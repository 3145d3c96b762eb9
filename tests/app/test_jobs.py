"""The worker without a page: order, stopping, and what happens when nobody looks any more."""

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from ldp_core.cache import Cache
from pages._shared import job as job_module
from pages._shared import jobs, plan
from tests.app.test_pages import slow
from tests.helpers.comparisons import comparison
from tests.helpers.patience import PATIENCE, until

CONFIG = plan.make_config(confidence=95, seed=1, distinguisher="cosine", attack="dummy", epsilon=1.0)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[jobs.JobManager]:
    made = jobs.JobManager(Cache(tmp_path / "own"), {"audit": slow})
    yield made
    made.shutdown()


def test_run_that_nobody_looks_at_is_stopped_after_the_grace(
    manager: jobs.JobManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.3)
    job = manager.submit(CONFIG)
    manager.attach(job, "tab")
    manager.attach(job, "other tab")
    manager.detach("tab")
    assert not job.ended.wait(0.5)
    until(lambda: job.result)
    manager.detach("other tab")
    assert job.ended.wait(PATIENCE)
    assert job.state == "cancelled"
    assert job.result is not None


def test_reload_within_the_grace_keeps_the_run(manager: jobs.JobManager, monkeypatch: pytest.MonkeyPatch) -> None:
    job = manager.submit(CONFIG)
    manager.attach(job, "before")
    manager.detach("before")
    manager.attach(job, "after")
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.1)
    assert not job.ended.wait(0.5)


def test_abandoned_waiting_runs_leave_the_queue(manager: jobs.JobManager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.05)
    manager.submit(CONFIG)
    until(lambda: not manager._waiting)
    for _ in range(jobs.MAX_WAITING):
        manager.attach(manager.submit(CONFIG), "closed tab")
    with pytest.raises(jobs.QueueFullError):
        manager.submit(CONFIG)
    manager.detach("closed tab")
    time.sleep(0.1)
    assert manager.position(manager.submit(CONFIG)) == 1


def test_runs_take_their_turn(manager: jobs.JobManager) -> None:
    first, second, third = (manager.submit(CONFIG) for _ in range(3))
    until(lambda: first.state == "running")
    assert [manager.position(job) for job in (second, third)] == [1, 2]
    manager.cancel(first.id)
    until(lambda: second.state == "running")
    assert manager.position(third) == 1


def test_only_the_last_finished_are_kept_in_memory(manager: jobs.JobManager) -> None:
    manager.run["audit"] = lambda *_: iter(())
    made = [manager.submit(CONFIG) for _ in range(20)]
    assert made[-1].ended.wait(PATIENCE)
    made += [manager.submit(CONFIG) for _ in range(20)]
    assert made[-1].ended.wait(PATIENCE)
    assert manager.get(made[0].id) is None
    assert manager.get(made[-1].id) is made[-1]
    assert len({job.id for job in made}) == 40


def test_damaged_kept_result_is_set_aside(manager: jobs.JobManager) -> None:
    manager.cache.write("results", f"{'a' * 32}.json", b"{half")
    assert manager.get("a" * 32) is None
    assert manager.cache.read("results", f"{'a' * 32}.json") is None


def test_kept_comparison_still_says_what_could_not_be_made(tmp_path: Path) -> None:
    found, notes = comparison(), ("one measurement could not be made",)
    step = SimpleNamespace(stage="cells", done=1, total=1, result=found, notes=notes)
    first = jobs.JobManager(Cache(tmp_path / "own"), {"compare": lambda *_: (done for done in [step])})
    job = first.submit(found.config)
    assert job.ended.wait(PATIENCE)
    first.shutdown()
    second = jobs.JobManager(Cache(tmp_path / "own"))
    again = second.get(job.id)
    second.shutdown()
    assert again is not None
    assert (again is not job, again.notes) == (True, notes)


@pytest.mark.parametrize("job_id", ["", "../../etc/passwd", "x" * 500, "a/b", "\0"])
def test_strange_ids_find_nothing(manager: jobs.JobManager, job_id: str) -> None:
    assert manager.get(job_id) is None


def test_shutdown_is_quick_during_a_run(tmp_path: Path) -> None:
    manager = jobs.JobManager(Cache(tmp_path / "other"), {"audit": slow})
    job = manager.submit(CONFIG)
    until(lambda: job.state == "running")
    manager.shutdown()
    assert not manager._worker.is_alive()
    assert job.result.counts.num_trials < 20_000
