"""Detectors, at the end of the page on whom one must trust: the button that runs them, and who got past."""

import streamlit as st

from ldp_core.studies.detect.result import DetectConfig
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.registry import StudyPage, plain_row
from pages.state.current_run import Start
from pages.widgets import inputs, stage, start

DETECT = "detect"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what detectors do, and a run of them."""
    job = stage.in_view(t, manager, "detect", DETECT)
    with st.expander(t.DETECT_TITLE, expanded=job is not None):
        terms.prose(t, t.DETECT_LEAD)
        config = DetectConfig(inputs.held_seed(), epsilon=inputs.epsilon_value())
        label = t.DETECT_RUN if job is None else t.DETECT_AGAIN
        start.button(t, manager, Start(config, key=DETECT), label, "run_detect", help=t.DETECT_HELP)
        if job is not None:
            stage.run(t, manager, job)


_ROW = plain_row(lambda t, job: wording.plural(t.CMP_ATTACKS_COUNT, len(job.config.attacks)))
PAGE = StudyPage(key=DETECT, place="trust", row=_ROW, ends=show)
