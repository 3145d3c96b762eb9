"""Detectors: the button that runs them, who got past them, and what each refused."""

import streamlit as st

from ldp_core.randomness import streams
from ldp_core.studies.detect import document
from ldp_core.studies.detect.chart import tried_alt, tried_figure
from ldp_core.studies.detect.result import DetectConfig, DetectResult, command
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms
from pages.jobs.job import Job
from pages.state import settings, viewed
from pages.state.viewed import Start
from pages.widgets import inputs, outcome, start, tables, views

DETECT = "detect"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what detectors do, and a run of them."""
    job, gone = viewed.find_job(manager, DETECT, DETECT)
    if gone:
        st.error(t.UNKNOWN_JOB)
    with st.expander(t.DETECT_TITLE, expanded=job is not None):
        _section(t, manager, job)


def _section(t: Words, manager: jobs.JobManager, job: Job | None) -> None:
    terms.prose(t, t.DETECT_LEAD)
    seed = settings.held("seed")
    config = DetectConfig(streams.fresh_seed() if seed is None else int(seed), epsilon=inputs.epsilon_value())
    label = t.DETECT_RUN if job is None else t.DETECT_AGAIN
    start.button(t, manager, Start(config, key=DETECT), label, "run_detect", help=t.DETECT_HELP)
    if job is not None:
        outcome.show(t, manager, job, _result)


def _result(t: Words, result: DetectResult) -> None:
    for sentence in document.finding(result, t.REPORT):
        terms.prose(t, sentence)
    dataset = t.DATASETS[result.config.dataset].title
    terms.prose(t, document.setting(result, t.REPORT, dataset), small=True)
    drawn, promise = document.tried(result, t.REPORT), 100 * result.promise
    if drawn:
        views.chart(t, tried_figure(drawn, promise, t.FIGURES), "detect", tried_alt(drawn, promise, t.FIGURES))
        terms.prose(t, t.REPORT["note_chart_detect"], small=True)
    refused_head, refused, left_head, left = document.tables(result, t.REPORT)
    tables.table(t, [dict(zip(left_head, row, strict=True)) for row in left], t.REPORT["detect_left"])
    terms.prose(t, t.REPORT["detect_left_note"], small=True)
    with st.expander(t.DETECT_EACH):
        tables.table(t, [dict(zip(refused_head, row, strict=True)) for row in refused], t.DETECT_EACH)
        terms.prose(t, t.REPORT["detect_note"], small=True)
    with st.expander(t.DETECT_COMMAND):
        st.code(command(result.config), language="bash", wrap_lines=True)
