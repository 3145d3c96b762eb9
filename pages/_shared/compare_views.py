"""A comparison on the screen: on its way, its verdict, and what to take away; ``sections`` draws the charts."""

import html
from functools import partial
from types import ModuleType

import streamlit as st

from ldp_core import exports
from ldp_core.grid import CompareResult
from ldp_core.tables import View
from pages._shared import compare_form, compare_words, jobs, pictures, progress, sections, views, wording
from pages._shared.job import Job

POLL_SECONDS = 2.0


def panel(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Show a comparison; while it goes on, draw what it has found about every two seconds."""
    if job.state == "failed":
        st.error(job.error or t.BUG)
    if not job.finished:
        progress.watch(t, manager, job)
    path = sections.path_job(manager)
    busy = not job.finished or (path is not None and not path.finished)
    st.fragment(partial(_found, t, manager, job), run_every=POLL_SECONDS if busy else None)()
    if job.finished and job.result is not None:
        _after(t, manager, job)


def preview(t: ModuleType) -> None:
    """Say what a run will show."""
    views.limits(t.CMP_BEFORE_TITLE, t.CMP_BEFORE)


def _found(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    result: CompareResult | None = job.result
    if result is None or not any(cell.measurements for cell in result.cells):
        if job.finished and job.state != "failed":
            st.info(t.CMP_NOTHING)
        return
    if not job.finished:
        st.caption(t.CMP_SO_FAR)
    box = st.container()
    dataset, epsilon, view = sections.choose(t, result)
    with box:
        _verdict(t, manager, job, result, dataset, epsilon, view)
    sections.show(t, manager, job, result, dataset, epsilon, view)


def _verdict(
    t: ModuleType,
    manager: jobs.JobManager,
    job: Job,
    result: CompareResult,
    dataset: str,
    epsilon: float,
    view: View,
) -> None:
    found = sections.once(
        job, ("verdict", dataset, epsilon, view), lambda: compare_words.finding(t, result, dataset, epsilon, view)
    )
    if found is None:
        return
    source = pictures.uri(views.icon("at" if found.state == "none" else "above").encode(), "svg+xml")
    with st.container(border=True, key=f"found_{found.state}"):
        st.html(f'<div class="ldp-head" role="status"><img src="{source}" alt="">{html.escape(found.headline)}</div>')
        for sentence in found.sentences:
            st.markdown(sentence)
        if job.state == "cancelled":
            done = wording.count(sum(len(cell.measurements) for cell in result.cells))
            total = wording.count(len(result.cells) * result.config.num_measurements)
            st.markdown(t.CMP_STOPPED.format(done=done, total=total, seed=result.config.seed))
            if st.button(t.CMP_CONTINUE, key="continue_compare"):
                problem = compare_form.start(t, manager, compare_form.again(job))
                st.error(problem)


def _after(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Say how to read many cells, what was left out, and give the result away."""
    result: CompareResult = job.result
    if not any(cell.measurements for cell in result.cells):
        return
    with st.container(border=True):
        if "selective" not in result.config.white_rules or "white" not in result.config.tests:
            st.markdown(t.CMP_OWN_PROMISE.format(link="/audit?distinguisher=selective&attack=benign"))
        st.markdown(t.CMP_SHARED)
    if skipped := compare_words.skipped(t, result.config):
        with st.expander(t.CMP_SKIPPED_TITLE):
            st.markdown("\n".join(f"- {line}" for line in skipped))
    if job.notes:
        with st.expander(t.CMP_NOTES_TITLE):
            st.markdown("\n".join(f"- {line}" for line in job.notes))
    st.subheader(t.REPEAT_TITLE)
    st.markdown(t.CMP_REPEAT.format(seed=result.config.seed))
    st.code(exports.command(result.config), language="bash", wrap_lines=True)
    if result.config.datasets != ("digits",):
        st.caption(t.CMP_REPEAT_DIR)
    with st.container(horizontal=True):
        for label, write, ending, kind in (
            (t.CMP_CSV, exports.to_csv, "csv", "text/csv"),
            (t.CMP_JSON, partial(exports.to_json, notes=job.notes), "json", "application/json"),
        ):
            st.download_button(
                label, partial(write, result), f"ldp-compare-{job.id[:8]}.{ending}", kind,
                key=f"download_{ending}", on_click="ignore", help=t.CMP_DOWNLOAD_HELP,
            )  # fmt: skip
    st.caption(t.CMP_FIGURES)
