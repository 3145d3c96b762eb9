"""The button that runs what is set."""

from functools import partial
from typing import Any

import streamlit as st

from ldp_core.words import Words
from ldp_core.workload import TooLargeError
from pages import jobs
from pages.state import callbacks, current_run, settings
from pages.state.current_run import Start
from pages.widgets import views


def button(
    t: Words,
    manager: jobs.JobManager,
    start: Start | None,
    label: str,
    key: str,
    *,
    problem: str = "",
    fixed: bool = False,
    alone: bool = False,
    **look: Any,
) -> str:
    """Show a button that begins a run; show and return what is wrong: with what is set, or with the last press.

    ``fixed``: whether the run follows from nothing that is set on the page; ``alone``: whether what is wrong is shown
    elsewhere.
    """
    if start is not None and start.lacks_images:
        problem = problem or t.OWN_MISSING
    unread = settings.wrong()
    act = None if start is None or problem or unread else current_run.starts(manager, start)
    failure = callbacks.button(label, key, act, partial(not_begun, t), fixed=fixed, **look)
    failure = problem or ("" if unread else failure)
    if failure and not alone:
        st.error(failure)
    return failure


def not_begun(t: Words, error: Exception) -> str:
    """Return why a run could not begin; "" for a bug."""
    if isinstance(error, jobs.QueueFullError):
        return str(t.QUEUE_FULL)
    return views.problem_sentence(t, error) if isinstance(error, TooLargeError) else ""
