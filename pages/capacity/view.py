"""The figures of a capacity, one question at a time: measured in advance, and the button that measures again."""

import streamlit as st

from ldp_core import record
from ldp_core.studies.capacity import document, told
from ldp_core.studies.capacity.chart import capacity_alt, capacity_figure
from ldp_core.studies.capacity.measured import measured as known
from ldp_core.studies.capacity.result import PARTS, CapacityConfig, CapacityResult
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms
from pages.widgets import inputs, measured, tables, views

CAPACITY = "capacity_figures"


def show(t: Words, manager: jobs.JobManager) -> None:
    """Show what was measured in advance, or a run."""
    with st.expander(t.CAPACITY_TITLE, expanded=CAPACITY in st.query_params):
        _section(t, manager)


def _section(t: Words, manager: jobs.JobManager) -> None:
    terms.prose(t, t.CAPACITY_LEAD)
    texts = measured.Texts(t.CAPACITY_SHOW, t.CAPACITY_MEASURED, t.CAPACITY_RUN, t.CAPACITY_AGAIN, t.CAPACITY_HELP)
    measured.show(t, manager, "capacity", CAPACITY, texts, CapacityConfig, known, _result)


def _result(t: Words, result: CapacityResult) -> None:
    done = {name: t.CAPACITY_PARTS[name] for name in result.config.parts if result.panel(PARTS[name][-1])}
    part = inputs.select(t.CAPACITY_PART, "capacity_part", done, t.CAPACITY_PART_HELP)
    terms.prose(t, told.sentence(result, part, t.REPORT))
    panels = [one for one in result.panels if one.name in PARTS[part]]
    for panel in panels:
        st.markdown(f"**{t.REPORT[f'chart_capacity_{panel.name}']}**")
        views.chart(t, capacity_figure(panel, t.FIGURES), f"capacity_{panel.name}", capacity_alt(panel, t.FIGURES))
    terms.prose(t, t.REPORT[f"note_capacity_{part}"], small=True)
    dataset = t.DATASETS[result.config.dataset].title
    terms.prose(t, document.setting(result, t.REPORT, dataset), small=True)
    with st.expander(t.CAPACITY_TABLES):
        for panel in panels:
            head, rows = document.table(panel, t.REPORT, t.FIGURES)
            tables.table(
                t, [dict(zip(head, row, strict=True)) for row in rows], t.REPORT[f"chart_capacity_{panel.name}"]
            )
    views.limits(t, t.REPORT["limits"], t.REPORT["limits_capacity"].split("\n"))
    with st.expander(t.CAPACITY_COMMAND):
        st.code(record.command(result.config), language="bash", wrap_lines=True)
