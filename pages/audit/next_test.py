"""The settings of the next test: those of a result that was not started here, when it is first shown."""

from dataclasses import fields
from functools import partial
from typing import Any

import streamlit as st

from ldp_core import record
from ldp_core.types import AuditConfig
from ldp_core.words import Words
from pages.frame import scroll_to
from pages.jobs.job import Job
from pages.state import callbacks, current_run, settings
from pages.widgets import inputs

_UNSET = ("bound", "seed", "watch", "significance")
"""Fields of a configuration without a setting of that name that a result hands on."""
_NAMES = {item.name: item.name.removeprefix("num_") for item in fields(AuditConfig) if item.name not in _UNSET}
"""Field -> its name in the URL."""
_SIZE = ("trials", "measurements", "confidence")
_WANTED, _SET_UP = "settings_of", "settings_set_up"


def say(t: Words) -> None:
    """Say once that a test was set up, and bring what was set and the button into view."""
    if _news():
        _news().clear()
        st.toast(t.NEXT_SET_UP.format(run=t.RUN))
        scroll_to.show("set up", ".st-key-bar")


def _news() -> list[bool]:
    news: list[bool] = st.session_state.setdefault(_SET_UP, [])
    return news


def follow(job_id: str) -> None:
    """Let the next test take over a job's settings as soon as its result is shown."""
    st.session_state[_WANTED] = job_id


def take_over(job: Job, *, first: bool) -> None:
    """Put the settings of a result into the next test's, if that was asked for or a link names no setting.

    To be called before the settings are shown. A seed is not taken over: the next test gets a fresh one.
    """
    wanted = st.session_state.get(_WANTED) == job.id
    if wanted:
        del st.session_state[_WANTED]
    if wanted or (first and not st.query_params.keys() & {*_NAMES.values(), "confidence", "seed"}):
        puts(job.config)()


def sets_up(config: AuditConfig) -> callbacks.Act:
    """Return what puts the settings of a test into the form, and the form into view instead of a result."""
    return callbacks.in_turn(puts(config), current_run.leaves(), partial(_news().append, True))


def runs(config: AuditConfig, begin: callbacks.Act) -> callbacks.Act:
    """Return what begins a test and puts its settings into the form."""
    return callbacks.in_turn(begin, puts(config))


def puts(config: AuditConfig) -> callbacks.Act:
    """Return what puts the settings of a test into the form."""
    return settings.puts(settings_of(config))


def differs(setting: AuditConfig, result: AuditConfig) -> bool:
    """Return whether a result is of another test than the one that is set, but for its size and its seed."""
    same = dict.fromkeys(_SIZE)
    return settings_of(setting) | same != settings_of(result) | same


def settings_of(config: AuditConfig) -> dict[str, Any]:
    """Return what the page's settings are called and hold for a configuration, as far as the page allows it."""
    values: dict[str, Any] = {name: getattr(config, field) for field, name in _NAMES.items()}
    values["server_step"] = record.spelled(config.server_step)
    confidence = round(100.0 * (1.0 - config.significance), 9)
    return values | ({"confidence": confidence} if confidence <= inputs.CONFIDENCE_RANGE[1] else {})
