"""A study's report on screen: what was found and the charts first, the rest in tabs."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ldp_core import record
from ldp_core.presentation.figures.described import screen
from ldp_core.presentation.report import Chart, Numbers, Part, Report, Table, Teller
from ldp_core.studies import study_of
from ldp_core.studies.reading import ToldStudy
from ldp_core.words import Words
from pages.frame import terms
from pages.widgets import inputs, tables, views


def report(t: Words, result: Any) -> Report:
    """Return what a result says in a language."""
    study = study_of(result.config)
    assert isinstance(study, ToldStudy)
    return study.report(result, Teller(t.REPORT, t.FIGURES))


def show(t: Words, result: Any, open_ones: int = 1) -> None:
    """Show a result: so many sentences and the charts, and below them in one fold what is beside them.

    The fold has tabs of the same names in the same order on every page: what else was found, the numbers, what the
    result does not tell, and how it is repeated.
    """
    told, name = report(t, result), study_of(result.config).name
    sections, sentences = told.sections, list(told.sentences)
    if chapters := [section for section in sections if section.name]:
        titles = {section.name: section.title for section in chapters}
        chosen = inputs.select(t.REPORT[f"{name}_chapter"], f"{name}_part", titles, t.REPORT[f"{name}_chapter_help"])
        sections, sentences = [section for section in sections if section.name in ("", chosen)], []
    for sentence in sentences[:open_ones]:
        terms.prose(t, sentence)
    drawn = [section for section in sections if any(isinstance(part, Chart) for part in section.parts)]
    for section in drawn:
        parts(t, [part for part in section.parts if isinstance(part, Chart | str)], name)
    numbers = [
        part
        for section in sections
        for part in section.parts
        if not section.aside and (part.rows if isinstance(part, Numbers | Table) else section not in drawn)
    ]
    names = [
        *([t.RESULT_MEANS] if sentences[open_ones:] else []),
        *([t.REPORT["numbers"]] if numbers else []),
        t.REPORT["limits"],
        t.REPORT["repeat"],
    ]
    with st.expander(t.MORE_SENTENCES):
        tabs = dict(zip(names, st.tabs(names), strict=True))
        if sentences[open_ones:]:
            with tabs[t.RESULT_MEANS]:
                for sentence in sentences[open_ones:]:
                    terms.prose(t, sentence)
        if numbers:
            with tabs[t.REPORT["numbers"]]:
                for part in numbers:
                    if isinstance(part, Table) and len(numbers) > 1:
                        st.markdown(f"**{part.title}**")
                    parts(t, [part], name)
        with tabs[t.REPORT["limits"]]:
            views.facts(t, t.REPORT[told.limits or f"limits_{name}"].split("\n"))
        with tabs[t.REPORT["repeat"]]:
            terms.prose(t, told.ran, small=True)
            command = record.command(result.config, getattr(result, "device", "cpu"))
            st.code(command, language="bash", wrap_lines=True)


def parts(t: Words, shown: Sequence[Part], name: str) -> None:
    """Show parts of a report; ``name`` is of the study."""
    for part in shown:
        if isinstance(part, str):
            terms.prose(t, part)
        elif isinstance(part, Numbers):
            tables.table(t, [dict(zip(t.ASSUMED_COLUMNS, row, strict=True)) for row in part.rows], t.REPORT["numbers"])
        elif isinstance(part, Table):
            tables.table(t, [dict(zip(part.head, row, strict=True)) for row in part.rows], part.title)
            terms.prose(t, part.note, small=True)
        else:
            st.markdown(f"**{part.title}**")
            views.chart(t, screen.drawn(part.describe(t.FIGURES)), f"{name}_{part.name}", part.alt)
            terms.prose(t, part.note, small=True)


def so_far(t: Words, result: Any) -> str:
    """Return the first chart of what was found so far, as SVG; "" before there is one."""
    from ldp_core.presentation.figures import inline

    charts = report(t, result).charts[:1]
    return "".join(inline.chart(one.name, one.describe, one.alt, t.FIGURES).svg for one in charts)


def so_far_alt(t: Words, result: Any) -> str:
    """Return what that chart shows; "" before there is one."""
    return next((one.alt for one in report(t, result).charts), "")
