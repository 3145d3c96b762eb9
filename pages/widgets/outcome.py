"""What has become of a run: its progress, why it failed, or its result with the files to take away."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ldp_core.words import Words
from pages import jobs
from pages.frame import wording
from pages.jobs.job import Job
from pages.state import viewed
from pages.widgets import downloads, progress


def show(t: Words, manager: jobs.JobManager, job: Job, result: Callable[[Words, Any], None]) -> None:
    """Show a run.

    Args:
        t: texts.
        manager: runs it.
        job: the run.
        result: shows what it found.
    """
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
    if not job.finished:
        progress.watch(t, manager, job)
        return
    downloads.opened_note(t, job)
    progress.left(t, job)
    if job.result is not None and job.study.found(job.result):
        result(t, job.result)
        downloads.downloads(t, job)


def beside(
    t: Words,
    manager: jobs.JobManager,
    study: str,
    key: str,
    settings: Callable[[Words, jobs.JobManager, Job | None], None],
    result: Callable[[Words, Any], None],
    before: Callable[[Words], None],
) -> None:
    """Show a study's settings on the left, and on the right its run, or what stands there before one.

    Args:
        t: texts.
        manager: runs it.
        study: name of the study.
        key: of the run in the URL.
        settings: shows the settings, given the run in view.
        result: shows what a run found.
        before: shows what stands there without a run.
    """
    job, gone = viewed.find_job(manager, study, key)
    if gone:
        st.error(t.UNKNOWN_JOB)
    left, right = st.columns([4, 8], gap="large")
    with left:
        settings(t, manager, job)
    with right:
        if job is not None:
            show(t, manager, job, result)
        else:
            before(t)
