"""The planes: what was measured in advance, and the button that measures again."""

import streamlit as st

from ldp_core import record
from ldp_core.studies.plane import document, told
from ldp_core.studies.plane.chart import PLANES, drawable, plane_alt, plane_figure
from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.plane.measured import measured as known
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.widgets import measured, tables, views

PLANE = "plane"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what was measured in advance, or a run."""
    with st.expander(t.PLANE_TITLE, expanded=PLANE in st.query_params):
        _section(t, manager)


def _section(t: Words, manager: jobs.JobManager) -> None:
    terms.prose(t, t.PLANE_LEAD)
    texts = measured.Texts(t.PLANE_SHOW, t.PLANE_MEASURED, t.PLANE_RUN, t.PLANE_AGAIN, t.PLANE_HELP)
    measured.show(t, manager, "plane", PLANE, texts, PlaneConfig, known, _result)


def _result(t: Words, result: PlaneResult) -> None:
    for sentence in told.sentences(result, t.REPORT):
        terms.prose(t, sentence)
    terms.prose(t, document.setting(result, t.REPORT, t.DATASETS[result.config.dataset].title), small=True)
    took = t.PLANE_TOOK.format(
        minutes=wording.count(max(1, round(result.seconds / 60))), repeats=wording.count(result.config.repeats)
    )
    terms.prose(t, took, small=True)
    places = told.places(result, t.FIGURES)
    for plane in PLANES:
        if drawable(places, plane):
            st.markdown(f"**{t.REPORT[f'chart_plane_{plane}']}**")
            views.chart(
                t, plane_figure(places, plane, t.FIGURES), f"plane_{plane}", plane_alt(places, plane, t.FIGURES)
            )
            terms.prose(t, t.REPORT[f"note_plane_{plane}"], small=True)
    with st.expander(t.PLANE_TABLES):
        for name, (head, rows) in zip(("members", "pictures"), document.tables(result, t.REPORT), strict=True):
            tables.table(t, [dict(zip(head, row, strict=True)) for row in rows], t.REPORT[f"plane_{name}"])
            terms.prose(t, t.REPORT[f"plane_{name}_note"], small=True)
    views.limits(t, t.REPORT["limits"], t.REPORT["limits_plane"].split("\n"))
    with st.expander(t.PLANE_COMMAND):
        st.code(record.command(result.config), language="bash", wrap_lines=True)
