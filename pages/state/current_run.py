"""The run that is in view, named in the URL, and the session's runs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from ldp_core.studies import study_of
from pages import jobs
from pages.jobs.job import Job, Own
from pages.state import callbacks, prepared, settings

JOB = "job"
_RUNS, _LEFT, _BEGUN = "runs", "job_left", "jobs_begun"
_SHORT_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Start:
    """A run that a button begins, with where its data set lies and what the client brought.

    ``expected``: how many right guesses of 100 were expected of it; asked anew once it has begun. ``key`` names it in
    the URL; "" for a run that only the list of runs shows.
    """

    config: Any
    data_dir: Path | None = None
    download: bool = False
    own: Own | None = None
    expected: int | None = None
    key: str = JOB

    @property
    def lacks_images(self) -> bool:
        """Whether the client's own images are asked for, and none were brought."""
        return self.own is None and "own" in study_of(self.config).datasets(self.config)


def job_in_view(key: str = JOB) -> str:
    """Return the job id from the URL, else from this session; "" if there is none.

    Where the client went through the browser's history, the URL alone counts.
    """
    if settings.through_history():
        st.session_state.pop(_LEFT, None)
        if key not in st.query_params:
            st.session_state.pop(key, None)
    if left := st.session_state.get(_LEFT):
        if st.query_params.get(key) == left:
            settings.mention(key, "")
            return str(st.session_state.get(key) or "")
        del st.session_state[_LEFT]
    return str(st.query_params.get(key) or st.session_state.get(key) or "")


def runs() -> list[str]:
    """Return the ids of the jobs that this session started or looked at, the oldest first."""
    job_ids: list[str] = st.session_state.setdefault(_RUNS, [])
    return job_ids


def remember(job_id: str) -> None:
    """Count a job among this session's runs."""
    if job_id not in runs():
        runs().append(job_id)


def view_job(job_id: str, key: str = JOB) -> None:
    """Keep a job id in the URL and in this session, so that it survives a reload and a change of page."""
    remember(job_id)
    st.session_state.pop(_LEFT, None)
    st.session_state[key] = job_id
    if st.query_params.get(key) != job_id:
        st.query_params[key] = job_id


def named(manager: jobs.JobManager, job_id: str) -> Job | None:
    """Return the job that a link names, which may be the example; None if it is gone."""
    return prepared.job(job_id) or manager.get(job_id)


def find_job(manager: jobs.JobManager, kind: str, key: str = JOB) -> tuple[Job | None, bool]:
    """Return the job of a kind that is in view, if any, and whether a link pointed to one that is gone."""
    job_id = job_in_view(key)
    job = named(manager, job_id)
    if job is not None and job.kind == kind:
        remember(job.id)
        st.session_state[key] = job.id
        settings.mention(key, job.id)
        return job, False
    if job_id:
        st.session_state.pop(key, None)
        if key in st.query_params:
            del st.query_params[key]
    return None, bool(job_id)


def starts(manager: jobs.JobManager, start: Start) -> callbacks.Act:
    """Return what queues a run for this session; a short one has ended before that returns.

    It may raise ``QueueFullError`` or ``TooLargeError``. It knows no Streamlit, which could stop it half way;
    ``take_in`` brings the run into view when the next page begins.
    """
    return partial(starts_later(manager), start)


def starts_later(manager: jobs.JobManager) -> Callable[[Start], None]:
    """Return what ``starts`` returns, of a run that is not known yet."""
    begun, viewer = _begun(), jobs.viewer()
    return lambda start: begun.append((start.key, _begin(manager, start, viewer)))


def begins(manager: jobs.JobManager, start: Start, held: dict[str, str]) -> callbacks.Act:
    """Return what queues a run that only one part of a page shows, and notes its id as ``job``."""
    viewer = jobs.viewer()
    return lambda: held.update(job=_begin(manager, start, viewer))


def _begin(manager: jobs.JobManager, start: Start, viewer: str) -> str:
    job = manager.submit(start.config, start.data_dir, download=start.download, own_data=start.own)
    job.expected = start.expected
    manager.attach(job, viewer)
    if start.key:
        job.ended.wait(_SHORT_SECONDS)
    return job.id


def shows(job_id: str) -> callbacks.Act:
    return partial(_begun().append, (JOB, job_id))


def leaves() -> callbacks.Act:
    """Return what takes the job out of view."""
    return shows("")


def take_in(manager: jobs.JobManager) -> None:
    """Bring into view what buttons began since the last page was drawn; to be called before anything is looked up."""
    begun = _begun()
    while begun:
        key, job_id = begun[0]
        if job_id:
            remember(job_id)
        else:
            # ``settings.link`` takes it out of the URL, with what else changes there
            st.session_state[_LEFT] = st.session_state.pop(key, None) or st.query_params.get(key)
        if key and job_id:
            st.session_state.pop(_LEFT, None)
            st.session_state[key] = job_id
            if key in st.query_params:
                st.query_params[key] = job_id
        job = manager.get(job_id)
        if job is not None and job.expected is not None:
            settings.write(settings.EXPECTED, None)
        begun.pop(0)


def _begun() -> list[tuple[str, str]]:
    begun_jobs: list[tuple[str, str]] = st.session_state.setdefault(_BEGUN, [])
    return begun_jobs
