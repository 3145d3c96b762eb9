"""The papers item by item: a section of the page that compares."""

import streamlit as st

from ldp_core import record
from ldp_core.presentation.report import Table
from pages.frame import terms
from pages.registry import StudyPage
from pages.state import prepared
from pages.state.look import ComparisonView
from pages.widgets import downloads, told


def show(look: ComparisonView) -> None:
    """Show the verdicts of the chosen paper, the command that repeats them, and the files with every number."""
    t, job = look.t, prepared.job(prepared.REPRODUCE)
    if job is None:
        return
    made = told.report(t, job.result)
    for sentence in made.sentences:
        terms.prose(t, sentence)
    sections = [section for section in made.sections if not section.aside]
    for tab, section in zip(st.tabs([paper.upper() for paper in job.result.config.papers]), sections, strict=True):
        with tab:
            tables = [part for part in section.parts if isinstance(part, Table)]
            told.parts(t, [section.title, *tables], "reproduce")
    downloads.downloads(t, job)
    st.code(record.command(job.config), language="bash", wrap_lines=True)


PAGE = StudyPage(key="reproduced", place="compare", sections={"items": show})
