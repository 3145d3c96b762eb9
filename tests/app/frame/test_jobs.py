"""The worker without a page: order, stopping, and what happens when nobody looks any more."""

import math
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ldp_core import results
from ldp_core.cache import Cache
from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.exam import check
from ldp_core.checking.subjects.builtin import builtin
from ldp_core.datasets._pictures import read_picture
from ldp_core.game.sweep import CompareConfig
from ldp_core.game.trials import worker_threads
from ldp_core.studies import STUDIES
from ldp_core.studies.audit.configuration import make_config
from ldp_core.studies.trajectory.result import TrainingPathConfig
from pages import jobs
from pages.jobs import job as job_module
from pages.jobs.job import Job
from tests.app.test_pages import slow
from tests.helpers.marks import archive
from tests.helpers.patience import PATIENCE, until

CONFIG = make_config(significance=0.05, watch=True, seed=1, attack="dummy", epsilon=1.0)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[jobs.JobManager]:
    made = jobs.JobManager(Cache(tmp_path / "own"), {"audit": slow})
    yield made
    made.shutdown()


def test_run_that_nobody_looks_at_is_stopped_after_the_grace(
    manager: jobs.JobManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = manager.submit(CONFIG)
    manager.attach(job, "before a reload")
    manager.detach("before a reload")
    manager.attach(job, "tab")
    monkeypatch.setattr(job_module, "GRACE_SECONDS", 0.3)
    assert not job.ended.wait(0.5)
    until(lambda: job.result)
    manager.detach("tab")
    assert job.ended.wait(PATIENCE)
    assert job.state == "cancelled"
    assert job.result is not None


def test_only_the_last_finished_are_kept_in_memory(manager: jobs.JobManager) -> None:
    manager.run["audit"] = lambda *_: iter(())
    made = [manager.submit(CONFIG) for _ in range(20)]
    assert made[-1].ended.wait(PATIENCE)
    made += [manager.submit(CONFIG) for _ in range(20)]
    assert made[-1].ended.wait(PATIENCE)
    assert manager.get(made[0].id) is None
    assert manager.get(made[-1].id) is made[-1]
    assert len({job.id for job in made}) == 40


def test_check_stopped_within_a_part_of_a_round_ends_with_the_last_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last chunk before the stop is the last that is asked for."""
    monkeypatch.setattr("ldp_core.checking.exam._game._CHUNK_VALUES", 8 * 100)
    config, asked, most = CheckConfig("ldp-sgd", 1.0, 3, dimension=8, reports=10_000), list[int](), math.inf
    made = jobs.JobManager(Cache(tmp_path / "own"))

    class Stopping:
        seeded, ordered, alike, notice = True, False, False, ""

        def __init__(self) -> None:
            self.subject = builtin("ldp-sgd", config)

        def randomize(self, gradient: NDArray[np.float32], number: int) -> NDArray[Any]:
            asked.append(number)
            if sum(asked) > most:
                job.stop.set()
            return self.subject.randomize(gradient, number)

        def restarted(self) -> None:
            return None

        def close(self) -> None:
            self.subject.close()

    ends = {progress.result.reports_used for progress in check(config, Stopping())}
    asked, most = [], 7_550
    made.run["check"] = lambda running, *_: check(running.config, Stopping())
    job = made.submit(config)
    assert job.ended.wait(PATIENCE)
    made.shutdown()
    assert (job.state, job.left, job.done) == ("cancelled", False, sum(asked))
    assert sum(asked[:-1]) <= most
    assert job.result.looks
    assert job.result.reports_used == max(end for end in ends if end <= most)
    assert job.result.reports_used < sum(asked)
    kept = made.cache.read("results", f"{job.id}.json")
    assert results.read(kept).result == job.result


def test_stop_while_own_images_are_read_leaves_the_others_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, read = jobs.JobManager(Cache(tmp_path / "own")), []

    def reading(file: IO[bytes]) -> object:
        read.append(file)
        if len(read) == 3:
            made.cancel(next(iter(made._jobs)))
        return read_picture(file)

    monkeypatch.setattr("ldp_core.datasets.own.read_picture", reading)
    job = made.submit(replace(CONFIG, dataset="own"), own_data=archive())
    assert job.ended.wait(PATIENCE)
    made.shutdown()
    assert (job.state, job.result, job.error, len(read)) == ("cancelled", None, "", 3)


LONG_PAIRS = {
    "audit": replace(CONFIG, attack="collusion", clip_norm=1e6, num_trials=300, num_measurements=1),
    "compare": CompareConfig(
        ("collusion",), (1.0,), 1, clip_norm=1e6, num_trials=300, num_measurements=1, training="none"
    ),
    "path": TrainingPathConfig(("collusion",), 1, passes=(0,), num_measurements=1, clip_norm=1e6),
}


@pytest.mark.few(1)
@pytest.mark.parametrize(("kind", "config"), LONG_PAIRS.items(), ids=LONG_PAIRS)
def test_a_pair_that_takes_many_passes_is_given_up_when_nobody_waits_for_it(
    kind: str, config: Any, tmp_path: Path
) -> None:
    for wanted in (True, False):
        job = Job("any", config)
        if not wanted:
            job.stop.set()
        *_, last = STUDIES[kind].run(job, Cache(tmp_path / str(wanted)), 1)
        assert bool(STUDIES[kind].has_data(last.result)) is wanted


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives a thread a niceness of its own")
def test_worker_and_what_it_starts_stand_back_for_pages(tmp_path: Path) -> None:
    found: list[int] = []

    def run(*_: object) -> Iterator[None]:
        with worker_threads(1) as pool:
            found.extend((_niceness(), pool.submit(_niceness).result()))
        yield None

    before = _niceness()
    manager = jobs.JobManager(Cache(tmp_path / "own"), {"audit": run})
    assert manager.submit(CONFIG).ended.wait(PATIENCE)
    manager.shutdown()
    assert found == [min(before + jobs.NICENESS, 19)] * 2
    assert _niceness() == before, "the pages' threads stood back too"


def _niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_runs_take_their_turn(manager: jobs.JobManager) -> None:
    first, second, third = (manager.submit(CONFIG) for _ in range(3))
    until(lambda: first.state == "running")
    assert [manager.position(job) for job in (second, third)] == [1, 2]
    manager.cancel(first.id)
    until(lambda: second.state == "running")
    assert manager.position(third) == 1
