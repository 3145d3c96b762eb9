"""A comparison on the screen: on its way, its verdict, and what to take away; ``sections`` draws the charts."""

import html
from functools import partial
from types import ModuleType

import streamlit as st

from ldp_core import exports
from ldp_core.grid import CompareResult
from pages._shared import (
    compare_form,
    compare_words,
    jobs,
    map_view,
    pictures,
    progress,
    sections,
    statistics_view,
    takeaway,
    terms,
    views,
    wording,
)
from pages._shared.job import Job
from pages._shared.look import Look
from pages._shared.tables import table

POLL_SECONDS = 2.0


def panel(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Show a comparison; while it goes on, draw what it has found about every two seconds."""
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
    if not job.finished:
        progress.watch(t, manager, job)
    progress.left(t, job)
    path = map_view.path_job(manager)
    busy = not job.finished or (path is not None and not path.finished)
    st.fragment(partial(_found, t, manager, job), run_every=POLL_SECONDS if busy else None)()
    if job.finished and job.result is not None:
        _after(t, manager, job)


def preview(t: ModuleType) -> None:
    """Say what a run will show."""
    views.limits(t, t.CMP_BEFORE_TITLE, t.CMP_BEFORE)


def _found(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
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
        for sentence in found.sentences:
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
            if not job.opened and st.button(t.CMP_CONTINUE, key="continue_compare"):
                problem = compare_form.start(t, look.manager, compare_form.again(job))
                st.error(problem)


def _after(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Say how to read many cells, what was left out, and give the result away."""
    result: CompareResult = job.result
    if not any(cell.measurements for cell in result.cells):
        return
    with st.expander(t.CMP_SURE_TITLE):
        for sentence in compare_words.statistics(t, result):
            terms.prose(t, sentence)
    rows = statistics_view.data_rows(t, [(name, result.data(name)) for name in result.config.datasets])
    if rows:
        with st.expander(t.CMP_IMAGES_TITLE):
            table(rows, t.CMP_IMAGES_TITLE)
    if skipped := compare_words.skipped(t, result.config):
        with st.expander(t.CMP_SKIPPED_TITLE):
            terms.prose(t, "\n".join(f"- {line}" for line in skipped))
    if job.notes:
        with st.expander(t.CMP_NOTES_TITLE):
            st.html("<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in job.notes) + "</ul>")
    st.subheader(t.REPEAT_TITLE)
    terms.prose(t, t.CMP_REPEAT.format(seed=result.config.seed))
    st.code(exports.command(result.config), language="bash", wrap_lines=True)
    if result.config.datasets != ("digits",):
        st.caption(t.CMP_REPEAT_DIR)
    takeaway.downloads(t, job)
    st.caption(t.CMP_FIGURES)
