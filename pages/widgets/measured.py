"""A study that takes too long to wait for: what was measured in advance, and the button that measures again."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from ldp_core import record
from ldp_core.randomness import streams
from ldp_core.studies import STUDIES
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms
from pages.state import settings
from pages.state.current_run import Start
from pages.widgets import stage, start, told


@dataclass(frozen=True, slots=True)
class Texts:
    """What the page says around the result.

    Attributes:
        title: of the part of the page, which is folded.
        lead: what it is about.
        show: beside the switch.
        measured: where and when the shown numbers were measured.
        run: on the button, before a run.
        again: on the button, after one.
        help: of the button.
    """

    title: str
    lead: str
    show: str
    measured: str
    run: str
    again: str
    help: str


def show(t: Words, manager: jobs.JobManager, study: str, key: str, texts: Texts, result: type[Any]) -> None:
    """Show a run, or once the client wants it, what was measured in advance; then the button."""
    with st.expander(texts.title, expanded=key in st.query_params):
        terms.prose(t, texts.lead)
        _section(t, manager, study, key, texts, result)


def _section(t: Words, manager: jobs.JobManager, study: str, key: str, texts: Texts, result: type[Any]) -> None:
    job = stage.in_view(t, manager, study, key)
    shown = st.toggle(texts.show, key=f"{study}_shown", persist_state="session")
    if job is None and not shown:
        return
    if job is not None:
        stage.run(t, manager, job)
    else:
        terms.prose(t, texts.measured, small=True)
        told.show(t, record.measured(result))
    seed = settings.held("seed")
    begun = Start(STUDIES[study].config(streams.fresh_seed() if seed is None else int(seed)), key=key)
    start.button(t, manager, begun, texts.run if job is None else texts.again, f"run_{study}", help=texts.help)
