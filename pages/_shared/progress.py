"""A job on its way: its place in the queue, its stage, the time left, and the button that stops it."""

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import streamlit as st

from pages._shared import jobs, terms, wording
from pages._shared.job import GRACE_SECONDS, Job


def watch(
    t: ModuleType,
    manager: jobs.JobManager,
    job: Job,
    sentence: Callable[[ModuleType, Any], str] | None = None,
    picture: Callable[[], None] | None = None,
) -> None:
    """Show how far a job is, and look again until it has ended: once a second, less often while others come before it.

    Else twenty who wait would ask the one server twenty times a second, all in the same moment.

    Args:
        t: texts.
        manager: runs the job.
        job: not finished.
        sentence: says what was found so far.
        picture: shows it, below.
    """
    manager.attach(job, jobs.viewer())
    place = manager.position(job) if job.state == "queued" else 0
    show = partial(_progress, t, manager, job, sentence, picture, waits=place > 0)
    st.fragment(show, run_every=1.0 + 0.1 * place)()


def _progress(
    t: ModuleType,
    manager: jobs.JobManager,
    job: Job,
    sentence: Callable[[ModuleType, Any], str] | None,
    picture: Callable[[], None] | None,
    *,
    waits: bool,
) -> None:
    if job.finished or (waits and job.state != "queued"):
        st.rerun()
    line(t, manager, job, sentence)
    if picture is not None:
        picture()


def left(t: ModuleType, job: Job, again: Callable[[], None] | None = None) -> None:
    """Say of a run that it stopped because nobody looked; offer it again."""
    if job.left and job.state == "cancelled":
        with st.container(border=True, key=f"left_{job.kind}"):
            terms.prose(t, t.LEFT.format(seconds=round(GRACE_SECONDS)))
            if again is not None:
                st.button(t.LEFT_AGAIN, key=f"left_again_{job.kind}", on_click=again)


def line(
    t: ModuleType, manager: jobs.JobManager, job: Job, sentence: Callable[[ModuleType, Any], str] | None = None
) -> None:
    """Show how far a job is at this moment, and the button that stops it; arguments as in ``watch``."""
    name = "" if job.kind == "audit" else f"_{job.kind}"
    with st.container(border=True, key=f"progress{name}"):
        text, share = stage(t, manager, job)
        left = job.seconds_left()
        if left is not None and not job.stop.is_set():
            text += t.COMMA + t.TIME_LEFT.format(seconds=wording.duration(t, left))
        st.progress(share, text)
        if sentence is not None and job.result is not None and (so_far := sentence(t, job.result)):
            st.markdown(so_far)
        st.button(t.CANCEL, key=f"cancel{name}", on_click=manager.cancel, args=(job.id,), disabled=job.stop.is_set())


def stage(t: ModuleType, manager: jobs.JobManager, job: Job) -> tuple[str, float]:
    done, total = job.done, job.total
    if job.stop.is_set():
        return t.STAGES["stopping"], min(1.0, done / total) if total else 0.0
    if job.state == "queued":
        return t.STAGES["queued"].format(position=manager.position(job)), 0.0
    name = job.stage
    if name == "training" and done == total:
        name = "trained"
    if name == "download":
        done, total = done / 1e6, total / 1e6
    stages = t.STAGES | t.CMP_STAGES | t.CHECK_STAGES
    text = stages[name].format(
        done=wording.count(done),
        total=wording.count(total),
        number=round(min(done + 1, max(total, 1))),
        cells=wording.several(t.CMP_PLAN_CELLS, total),
        share=wording.percent(t, f"{100 * min(1.0, done / total) if total else 0:.0f}"),
    )
    return text, min(1.0, done / total) if total and name != "crafting" else 0.0
