"""The planes, at the end of the page on rebuilt pictures: measured in advance, and the button that measures again."""

import streamlit as st

from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.plane.result import measured as known
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.registry import Row, StudyPage
from pages.widgets import measured

PLANE = "plane"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what was measured in advance, or a run."""
    with st.expander(t.PLANE_TITLE, expanded=PLANE in st.query_params):
        _section(t, manager)


def _section(t: Words, manager: jobs.JobManager) -> None:
    terms.prose(t, t.PLANE_LEAD)
    texts = measured.Texts(t.PLANE_SHOW, t.PLANE_MEASURED, t.PLANE_RUN, t.PLANE_AGAIN, t.PLANE_HELP)
    measured.show(t, manager, "plane", PLANE, texts, PlaneConfig, known)


def _row(t: Words, job: Job) -> Row:
    what = wording.several(t.RUNS_PROTECTIONS, len(job.config.points))
    return Row(what, str(t.RUNS_SEE if job.finished else t.HEADLINES["none"]))


PAGE = StudyPage(key=PLANE, place="reconstruction", row=_row, ends=show)
