"""A job on its way: its place in the queue, its stage, the time left, and the button that stops it.

How far it is comes as events (``server.events``) and is shown by a component. The component asks for a drawing of the
page when there is more of the result to draw, every few seconds at most, and once at the end.
"""

from functools import partial
from typing import Any

import streamlit as st

from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import terms, wording
from pages.jobs.job import GRACE_SECONDS, Job
from pages.server import events
from pages.state import callbacks, prepared
from pages.widgets import hand


def stop(t: Words, manager: jobs.JobManager, job: Job, **look: Any) -> None:
    act = None if job.stop.is_set() else partial(manager.cancel, job.id)
    callbacks.button(t.CANCEL, f"cancel_{job.kind}", act, fixed=True, **look)


def watch(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Show in a box how far a job is, and the button that stops it."""
    with st.container(border=True):
        stop(t, manager, job)
        line(t, manager, job)


def line(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Show in a line how far a job is; more of its result, and its end, draw the page anew."""
    manager.attach(job, jobs.viewer())
    with st.container(key=f"progress_{job.kind}"):
        _follow(t, job, {"shown": True, "first": look(t, manager, job).shown})


def on_stage(t: Words, manager: jobs.JobManager, job: Job | None, drawn: str, *, going: bool) -> None:
    """Show a page's stage, which stands where it is and as large as it is before, during and after a run.

    ``drawn``: the stage as HTML, where no run goes on; see ``StudyPage.stage``. ``going``: whether one does, as the
    page's button has it.
    """
    url = ""
    shown: dict[str, Any] = {"stage": drawn}
    if job is not None and job.id != prepared.ID:
        manager.attach(job, jobs.viewer())
    with st.container(key="stage"):
        if job is not None and going:
            url, shown = events.address(t, job.id, jobs.viewer()), look(t, manager, job, jobs.viewer()).shown
        data = {"shown": True, "first": shown, "url": url}
        hand.component("progress")(key="stage_drawn", data=data, on_ended_change=_nothing)


def follow(t: Words, job: Job) -> None:
    """Have the page drawn once more when a job of this session has ended whose progress it may not show."""
    _follow(t, job, {"shown": False}, "list")


def catch_up() -> None:
    """Have the page drawn once more at once, where it shows less than has been done."""
    if callbacks.behind():
        hand.component("progress")(key="catch_up", data={"url": "", "why": "behind"}, on_ended_change=_nothing)


def look(t: Words, manager: jobs.JobManager, job: Job, viewer: str = "") -> events.RunView:
    """Return how far a job is at this moment, in words, or drawn on its page's stage."""
    text, share = stage(t, manager, job)
    left = job.seconds_left()
    if left is not None and not job.stop.is_set():
        text += t.COMMA + t.TIME_LEFT.format(seconds=wording.duration(t, left))
    page = registry.pages().get(job.kind)
    if page is not None and page.stage is not None:
        return events.RunView({"stage": page.stage(t, job, manager.seen_by(viewer), text, share)}, job.finished)
    return events.RunView({"text": text, "share": share, "news": job.news}, job.finished)


def told(t: Words, token: str, viewer: str) -> events.RunView | None:
    """Return how far a job is, for a session that looks at it; see ``events.Tell``."""
    manager = jobs.manager()
    job = manager.get(token)
    if job is None or viewer not in job.viewers:
        return None
    return look(t, manager, job, viewer)


def left(t: Words, job: Job, act: callbacks.Act | None = None, problem: callbacks.Problem = str) -> None:
    """Say of a run that it stopped because nobody looked; offer it again."""
    if job.left and job.state == "cancelled":
        with st.container(border=True, key=f"left_{job.kind}"):
            terms.prose(t, t.LEFT.format(seconds=round(GRACE_SECONDS)))
            if act is not None and (
                failure := callbacks.button(t.LEFT_AGAIN, f"left_again_{job.kind}", act, problem, fixed=True)
            ):
                st.error(failure)


def _follow(t: Words, job: Job, data: dict[str, Any], part: str = "events") -> None:
    url = events.address(t, job.id, jobs.viewer())
    hand.component("progress")(key=f"{part}_{job.id}", data=data | {"url": url}, on_ended_change=_nothing)


def _nothing() -> None:
    """Let the page be drawn, which is all that an end asks for."""


def stage(t: Words, manager: jobs.JobManager, job: Job) -> tuple[str, float]:
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
        cells=wording.plural(t.CMP_PLAN_CELLS, total),
        share=wording.percent(t, f"{100 * min(1.0, done / total) if total else 0:.0f}"),
    )
    return text, min(1.0, done / total) if total and name != "crafting" else 0.0
