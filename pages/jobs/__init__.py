"""The one worker: runs jobs of every kind one after another and keeps what they found under random ids.

Cancelling is cooperative: the worker stops iterating between two chunks. A job id is a bearer token; whoever has the
link on this machine can see and stop that run.
"""

import atexit
import gc
import logging
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import streamlit as st

from ldp_core import results
from ldp_core.cache import Cache
from ldp_core.errors import LdpCoreError
from ldp_core.studies import STUDIES, study_of
from pages.jobs.job import Job, Own

MAX_WAITING = 32
MAX_KEPT = 32
NICENESS = 5
"""What the worker adds to its niceness: on a core that the server's other threads want too, a third of their weight."""
_WARM_DELAY = 1.5
_log = logging.getLogger(__name__)


class QueueFullError(Exception):
    """No further test can wait."""


Run = Callable[[Job, Cache, int], Iterator[Any]]


class JobManager:
    """A bounded queue, one daemon worker, and the last finished jobs.

    The cache keeps results and models across a restart. ``run``: how jobs are run, by study; without it, as
    ``studies.STUDIES`` says.
    """

    def __init__(self, cache: Cache | None = None, run: dict[str, Run] | None = None) -> None:
        self.cache = cache or Cache()
        self.values_per_second: float | None = None
        self.run: dict[str, Run] = {name: study.run for name, study in STUDIES.items()} | (run or {})
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._waiting: deque[Job] = deque()
        self._ready = threading.Condition()
        self._closing = threading.Event()
        self._worker = threading.Thread(target=self._work, name="ldp-worker", daemon=True)
        self._worker.start()

    def submit(
        self, config: Any, data_dir: Path | None = None, *, download: bool = False, own_data: Own | None = None
    ) -> Job:
        """Queue a run; what is run follows from the type of its configuration.

        Raises:
            QueueFullError: if ``MAX_WAITING`` runs wait already.
            workload.TooLargeError: if the run would keep the worker too long.
        """
        study_of(config).check_size(config)
        with self._ready:
            for job in [job for job in self._waiting if job.abandoned]:
                self._drop(job)
            if len(self._waiting) >= MAX_WAITING:
                raise QueueFullError
            job = Job(secrets.token_hex(16), config, data_dir, download, own_data)
            self._jobs[job.id] = job
            self._waiting.append(job)
            self._forget_oldest()
            self._ready.notify()
        return job

    def get(self, job_id: str) -> Job | None:
        """Return a job of this server, or the kept result of an earlier one; None if there is neither."""
        with self._ready:
            job = self._jobs.get(job_id)
        if job is not None:
            return job
        content = self.cache.read("results", f"{job_id}.json") if job_id else None
        if content is None:
            return None
        try:
            job = _ended(job_id, results.read(content))
        except ValueError:
            self.cache.set_aside("results", f"{job_id}.json")
            return None
        with self._ready:
            job = self._jobs.setdefault(job_id, job)
            self._forget_oldest()
        return job

    def open(self, opened: results.Opened) -> Job:
        """Return what a client's file holds as a job that has ended; it is kept in memory only."""
        job = _ended(secrets.token_hex(16), opened)
        job.opened = True
        with self._ready:
            self._jobs[job.id] = job
            self._forget_oldest()
        return job

    def position(self, job: Job) -> int:
        """Return how many runs come before a waiting one, the running one included."""
        with self._ready:
            running = sum(other.state == "running" for other in self._jobs.values())
            return running + (self._waiting.index(job) if job in self._waiting else 0)

    def cancel(self, job_id: str) -> None:
        """Stop a run at its next chunk, or take it out of the queue."""
        with self._ready:
            job = self._jobs.get(job_id)
            if job is not None and not job.finished:
                job.stop.set()
                if job in self._waiting:
                    self._drop(job)

    def attach(self, job: Job, viewer: str) -> None:
        """Note that a session looks at a job."""
        with self._ready:
            job.viewers.add(viewer)
            job.detached_at = None

    def seen_by(self, viewer: str) -> list[Job]:
        """Return the jobs that a session looks at or has looked at, the oldest first."""
        with self._ready:
            return [job for job in self._jobs.values() if viewer in job.viewers]

    def detach(self, viewer: str) -> None:
        """Note that a session ended; a run that nobody looks at is stopped after ``GRACE_SECONDS``."""
        with self._ready:
            for job in self._jobs.values():
                if viewer in job.viewers:
                    job.viewers.discard(viewer)
                    if not job.viewers:
                        job.detached_at = time.monotonic()

    def warm_up(self) -> None:
        """Import torch and probe this device shortly after the start, so that neither delays a page or a run."""
        threading.Thread(target=self._warm, name="ldp-warm-up", daemon=True).start()

    def shutdown(self) -> None:
        """Stop the running job and the worker; waits at most three seconds."""
        with self._ready:
            self._closing.set()
            for job in self._jobs.values():
                job.stop.set()
            self._ready.notify_all()
        self._worker.join(3.0)
        atexit.unregister(self.shutdown)  # which would keep all results until the process ends

    def _warm(self) -> None:
        if self._closing.wait(_WARM_DELAY):
            return
        from ldp_core.studies.audit.run import values_per_second

        self.values_per_second = values_per_second(threads())
        gc.collect()
        gc.freeze()

    def _work(self) -> None:
        _stand_back()
        while True:
            with self._ready:
                while not self._waiting and not self._closing.is_set():
                    self._ready.wait()
                if self._closing.is_set():
                    return
                job = self._waiting[0]
                if job.abandoned:
                    self._drop(job)
                    continue
                self._waiting.popleft()
                job.state = "running"
            state = self._carry_out(job)
            with self._ready:
                job.state = state
                self._jobs.move_to_end(job.id)
                self._forget_oldest()
            job.ended.set()

    def _carry_out(self, job: Job) -> str:
        try:
            progress: Any = self.run[job.kind](job, self.cache, threads())
            with closing(progress):
                for step in progress:
                    if step is not None:
                        job.update(step)
                    job.left = job.abandoned and not job.stop.is_set()
                    if job.stop.is_set() or job.left:
                        break
        except (ValueError, LdpCoreError) as error:
            job.error = str(error)
            return "failed"
        except Exception:
            _log.exception("a test ended in a bug")
            return "failed"
        finally:
            job.own = None
        if job.result is not None and job.study.has_data(job.result):
            self.cache.write("results", f"{job.id}.json", job.written().encode())
        return "done" if job.result is not None and job.result.completed else "cancelled"

    def _drop(self, job: Job) -> None:
        self._waiting.remove(job)
        job.state, job.own, job.left = "cancelled", None, not job.stop.is_set()
        job.ended.set()

    def _forget_oldest(self) -> None:
        finished = [job_id for job_id, job in self._jobs.items() if job.finished]
        for job_id in finished[: max(0, len(finished) - MAX_KEPT)]:
            del self._jobs[job_id]


def _ended(job_id: str, opened: results.Opened) -> Job:
    result = opened.result
    state = "done" if result.completed else "cancelled"
    job = Job(job_id, result.config, state=state, result=result, notes=opened.notes)
    job.ended.set()
    return job


def _stand_back() -> None:
    """Have this thread and all that it starts stand back for the server's others, where threads can (Linux)."""
    if sys.platform == "linux":
        with suppress(OSError):  # a run is only less polite where that is not allowed
            thread = (os.PRIO_PROCESS, threading.get_native_id())
            os.setpriority(*thread, os.getpriority(*thread) + NICENESS)


def threads() -> int:
    """Return how many threads sample: all cores but one, which is left to the page."""
    from ldp_core.game.trials import sampling_threads

    return max(1, sampling_threads() - 1)


@st.cache_resource(show_spinner=False)
def manager() -> JobManager:
    created = JobManager()
    atexit.register(created.shutdown)
    return created


def _release(viewer: str) -> None:
    manager().detach(viewer)


@st.cache_resource(scope="session", on_release=_release, show_spinner=False)
def viewer() -> str:
    """Return a name for this session; its release tells the manager that the tab was closed or reloaded."""
    return secrets.token_hex(8)
