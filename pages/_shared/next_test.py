"""The settings of the next test: those of a result that was not started here, when it is first shown."""

from types import ModuleType
from typing import Any

import streamlit as st

from ldp_core.adversaries import ADVERSARIES
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.types import AuditConfig
from pages._shared import prepared, settings, viewed, widgets
from pages._shared.job import Job
from pages._shared.text import en

_SAME = ("epsilon", "clients", "strength", "clip_norm", "radius")
"""What the configuration calls as the page does, and allows the same values of."""
_CHOICES: dict[str, dict[str, Any]] = {
    "attack": ADVERSARIES,
    "distinguisher": DISTINGUISHERS,
    "training": en.TRAININGS,
    "dataset": DATASETS,
    "sampling": en.SAMPLINGS,
    "mechanism": MECHANISMS,
}
_NAMES = (*_SAME, *_CHOICES, "trials", "measurements", "confidence", "seed")
_WANTED, _SET_UP = "settings_of", "settings_set_up"


def say(t: ModuleType) -> None:
    """Say once that a test was set up."""
    if st.session_state.pop(_SET_UP, False):
        st.toast(t.NEXT_SET_UP.format(run=t.RUN))


def follow(job_id: str) -> None:
    """Let the next test take over a job's settings as soon as its result is shown."""
    st.session_state[_WANTED] = job_id


def take_over(job: Job, *, first: bool) -> None:
    """Put the settings of a result into the next test's, if that was asked for or a link names no setting.

    To be called before the settings are shown. A seed is not taken over: the next test gets a fresh one. Those of the
    prepared example are not: it is looked at, and the form stays as it was.
    """
    if job.id == prepared.ID:
        return
    wanted = st.session_state.get(_WANTED) == job.id
    if wanted:
        del st.session_state[_WANTED]
    if wanted or (first and not any(name in st.query_params for name in _NAMES)):
        for name, value in settings_of(job.config).items():
            settings.write(name, value)


def set_up(config: AuditConfig) -> None:
    """Put the settings of a test into the form, and the form into view instead of a result."""
    for name, value in settings_of(config).items():
        settings.write(name, value)
    viewed.leave_job()
    st.session_state[_SET_UP] = True


def settings_of(config: AuditConfig) -> dict[str, Any]:
    """Return what the page's settings are called and hold for a configuration, as far as the page allows it."""
    found: dict[str, Any] = {name: getattr(config, name) for name in _SAME}
    found |= {"trials": config.num_trials, "measurements": config.num_measurements}
    found |= {name: getattr(config, name) for name, texts in _CHOICES.items() if getattr(config, name) in texts}
    confidence = round(100.0 * (1.0 - config.significance), 9)
    return found | ({"confidence": confidence} if confidence <= widgets.CONFIDENCE_RANGE[1] else {})
