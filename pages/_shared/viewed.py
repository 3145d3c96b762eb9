"""The run that is in view, named in the URL, and the session's runs."""

from pathlib import Path
from typing import Any

import streamlit as st

from pages._shared import jobs, prepared, settings, widgets
from pages._shared.job import Job, Own

JOB = "job"
_RUNS, _LEFT = "runs", "job_left"
_SHORT_SECONDS = 0.3


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
    found: list[str] = st.session_state.setdefault(_RUNS, [])
    return found


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
    return prepared.job() if job_id == prepared.ID else manager.get(job_id)


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
        forget_job(key)
    return None, bool(job_id)


def start_job(
    manager: jobs.JobManager,
    config: Any,
    data_dir: Path | None = None,
    *,
    download: bool = False,
    own: Own | None = None,
    expected: int | None = None,
    key: str = JOB,
) -> None:
    """Queue a run and view it, unless the key is empty; a short one has ended before this returns.

    What was expected of it is asked anew then.

    Raises:
        QueueFullError: if no further run can wait.
    """
    job = manager.submit(config, data_dir, download=download, own=own)
    if expected is not None:
        job.expected = expected
        settings.write(widgets.EXPECTED, None)
    manager.attach(job, jobs.viewer())
    if key:
        view_job(job.id, key)
    else:
        remember(job.id)
    job.ended.wait(_SHORT_SECONDS)


def leave_job(key: str = JOB) -> None:
    """Take the job out of view; ``settings.link`` takes it out of the URL, with what else changes there."""
    st.session_state[_LEFT] = st.session_state.pop(key, None) or st.query_params.get(key)


def forget_job(key: str = JOB) -> None:
    st.session_state.pop(key, None)
    if key in st.query_params:
        del st.query_params[key]
