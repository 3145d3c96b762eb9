"""A comparison on the screen: on its way, its verdict, and what to take away; ``sections`` draws the charts."""

import html
from collections.abc import Sequence
from functools import partial

import streamlit as st

from ldp_core.game.sweep import CompareResult
from ldp_core.presentation import figures, tables
from ldp_core.presentation.tables import Row
from ldp_core.studies.compare import exports
from ldp_core.words import Words
from pages import jobs
from pages.compare import form as compare_form
from pages.compare import sections
from pages.compare import words as compare_words
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state.look import Look
from pages.widgets import downloads, pictures, progress, start, views
from pages.widgets.tables import data_rows, table


def panel(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Show a comparison; while it goes on, how far it is, and what it had found when the page was drawn."""
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
    if not job.finished:
        progress.watch(t, manager, job)
    progress.left(t, job)
    _found(t, manager, job)
    if job.finished and job.result is not None:
        _after(t, manager, job)


def preview(t: Words) -> None:
    """Say what a run will show."""
    views.limits(t, t.CMP_BEFORE_TITLE, t.CMP_BEFORE)


def so_far(t: Words, result: CompareResult) -> str:
    """Return the first chart of what was found so far, drawn."""
    from ldp_core.presentation.figures import inline
    from ldp_core.presentation.figures.comparison import attacks_chart

    rows = _rows(result)
    return inline.chart("attacks", partial(attacks_chart, rows), figures.attacks_alt(rows, t.FIGURES), t.FIGURES).svg


def so_far_alt(t: Words, result: CompareResult) -> str:
    """Return what the picture of ``so_far`` shows; "" before the first measurement."""
    rows = _rows(result)
    return figures.attacks_alt(rows, t.FIGURES) if rows else ""


def _rows(result: CompareResult) -> Sequence[Row]:
    """Return the rows of the first data set and ε; none before the first measurement."""
    return tables.attacks_at(result, result.config.datasets[0], result.config.epsilons[0])


def _found(t: Words, manager: jobs.JobManager, job: Job) -> None:
    result: CompareResult | None = job.result
    if result is None or not any(cell.measurements for cell in result.cells):
        if job.finished and job.state != "failed":
            st.info(t.CMP_NOTHING)
        return
    if not job.finished:
        terms.prose(t, t.CMP_SO_FAR, small=True)
    look = sections.look(t, manager, job, result)
    _verdict(look)
    sections.show(look)


def _verdict(look: Look) -> None:
    t, job, result = look.t, look.job, look.result
    found = look.once("verdict", lambda: compare_words.finding(t, result, look.dataset, look.epsilon, look.view))
    if found is None:
        return
    source = pictures.uri(views.icon("at" if found.state == "none" else "above").encode(), "svg+xml")
    with st.container(border=True, key=f"found_{found.state}"):
        st.html(f'<div class="ldp-head" role="status"><img src="{source}" alt="">{html.escape(found.headline)}</div>')
        first = 2 if found.state == "none" else len(found.sentences)
        for sentence in found.sentences[:first]:
            terms.prose(t, sentence)
        if found.sentences[first:]:
            with st.expander(t.CMP_MEANS_TITLE):
                for sentence in found.sentences[first:]:
                    terms.prose(t, sentence)
        if job.state == "cancelled":
            done = sum(len(cell.measurements) for cell in result.cells)
            share = done / (len(result.cells) * result.config.num_measurements)
            facts = {
                "cells": wording.several(t.CMP_PLAN_CELLS, len(result.cells)),
                "share": wording.percent(t, f"{100 * share:.0f}"),
                "seed": result.config.seed,
            }
            terms.prose(t, t.CMP_STOPPED.format(**facts))
            if not job.opened:
                start.button(t, look.manager, compare_form.again(job), t.CMP_CONTINUE, "continue_compare", fixed=True)


def _after(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Say how to read many cells, what was left out, and give the result away."""
    result: CompareResult = job.result
    if not any(cell.measurements for cell in result.cells):
        return
    with st.expander(t.CMP_SURE_TITLE):
        for sentence in compare_words.statistics(t, result):
            terms.prose(t, sentence)
    rows = data_rows(t, [(name, result.data(name)) for name in result.config.datasets])
    if rows:
        with st.expander(t.CMP_IMAGES_TITLE):
            table(t, rows, t.CMP_IMAGES_TITLE)
    if skipped := compare_words.skipped(t, result.config):
        with st.expander(t.CMP_SKIPPED_TITLE):
            terms.prose(t, "\n".join(f"- {line}" for line in skipped))
    if job.notes:
        with st.expander(t.CMP_NOTES_TITLE):
            st.html("<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in job.notes) + "</ul>")
    with st.expander(t.REPEAT_TITLE, key="keep"):
        downloads.downloads(t, job)
        terms.prose(t, t.CMP_REPEAT.format(seed=result.config.seed))
        st.code(exports.command(result.config), language="bash", wrap_lines=True)
        if result.config.datasets != ("digits",):
            st.caption(t.CMP_REPEAT_DIR)
        st.caption(t.CMP_FIGURES)
