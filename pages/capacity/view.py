"""The figures of a capacity, one question at a time: measured in advance, and the button that measures again."""

import streamlit as st

from ldp_core.studies.capacity.measured import measured as known
from ldp_core.studies.capacity.result import CapacityConfig
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms
from pages.widgets import measured

CAPACITY = "capacity_figures"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what was measured in advance, or a run."""
    with st.expander(t.CAPACITY_TITLE, expanded=CAPACITY in st.query_params):
        _section(t, manager)


def _section(t: Words, manager: jobs.JobManager) -> None:
    terms.prose(t, t.CAPACITY_LEAD)
    texts = measured.Texts(t.CAPACITY_SHOW, t.CAPACITY_MEASURED, t.CAPACITY_RUN, t.CAPACITY_AGAIN, t.CAPACITY_HELP)
    measured.show(t, manager, "capacity", CAPACITY, texts, CapacityConfig, known)
