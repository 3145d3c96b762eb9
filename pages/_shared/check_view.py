"""A check on the screen: the verdict, the exam question by question, the leak on each pair, and what to keep."""

import html
from dataclasses import replace
from functools import partial
from types import ModuleType

import streamlit as st

from ldp_core import claims, figures
from ldp_core.claims import CheckConfig, CheckResult
from pages._shared import check_form, check_words, jobs, pictures, plan, progress, takeaway, terms, views, wording
from pages._shared.job import Job
from pages._shared.look import once
from pages._shared.tables import table

_ICONS = {"rejected": "above", "broken": "above", "unusable": "above", "kept": "below", "none": "none"}
_ANSWERS = {"kept": "kept", "broken": "above", "unasked": "none", "waiting": "too_few"}


def panel(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Show a check; while it goes on, look again once a second."""
    if job.finished:
        _finished(t, manager, job)
    else:
        progress.watch(t, manager, job, check_words.live, partial(_live, t, job))


def preview(t: ModuleType) -> None:
    """Show what will be asked."""
    st.subheader(t.CHECK_PREVIEW_TITLE)
    terms.prose(t, t.CHECK_PREVIEW)
    questions = [t.TITLED.format(title=title, text=question) for title, question, _ in t.CHECK_CLAUSES.values()]
    views.limits(t, t.CHECK_EXAM_TITLE, questions)
    views.limits(t, t.RUN_LIMITS_TITLE, t.CHECK_LIMITS)


def _live(t: ModuleType, job: Job) -> None:
    _chart(t, job, job.result)
    _exam(t, job)


def _finished(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
        return
    result: CheckResult | None = job.result
    repeatable = check_words.repeatable(t, job.config)
    progress.left(t, job, partial(_queue, t, manager, job.config) if repeatable else None)
    with st.spinner(t.CHECK_PLAN_WAIT):  # which takes seconds for a check from a saved file
        once(job, ("finding", t), lambda: check_words.finding(t, result))
    _verdict(t, job, result)
    if result is None or not (result.clauses or result.looks):
        return
    st.subheader(t.CHECK_EXAM_TITLE)
    _exam(t, job)
    st.subheader(t.CHECK_TEST_TITLE)
    _chart(t, job, result)
    views.limits(t, t.RUN_LIMITS_TITLE, t.CHECK_LIMITS)
    if result.looks:
        with st.expander(t.CHECK_LOOKS_TITLE):
            table(once(job, ("looks", t), lambda: check_words.look_rows(t, result)), t.CHECK_LOOKS_TITLE)
    if result.pairs:
        with st.expander(t.CHECK_TRIED_TITLE):
            table(once(job, ("pairs", t), lambda: check_words.pair_rows(t, result)), t.CHECK_TRIED_TITLE)
    st.subheader(t.REPEAT_TITLE)
    _repeat(t, manager, job, result)
    takeaway.downloads(t, job)


def _verdict(t: ModuleType, job: Job, result: CheckResult | None) -> None:
    """Show the verdict: symbol and words, never a colour alone."""
    found = once(job, ("finding", t), lambda: check_words.finding(t, result))
    source = pictures.uri(views.icon(_ICONS[found.state]).encode(), "svg+xml")
    head = f'<div class="ldp-head" role="status"><img src="{source}" alt="">{html.escape(found.headline)}</div>'
    with st.container(border=True, key=f"check_{found.state}"):
        # the name of what was checked may come from a file
        tested = "" if result is None else f"<small>{html.escape(check_words.tested(t, result))}</small>"
        st.html(head + tested)
        for sentence in found.sentences:
            terms.prose(t, sentence)


def _exam(t: ModuleType, job: Job) -> None:
    """List the questions with their answers; what a clause quotes is a stranger's, so all of it is escaped."""
    listed = check_words.answers(t, job.result, ended=job.finished)
    rows = "".join(
        f'<li><img src="{pictures.uri(views.icon(_ANSWERS[answer.state]).encode(), "svg+xml")}" alt="">'
        f"<div><strong>{html.escape(answer.title)}: {html.escape(t.CHECK_ANSWERS[answer.state])}</strong>"
        f"<span>{html.escape(answer.sentence or answer.question)}</span></div></li>"
        for answer in listed
    )
    terms.prose(t, check_words.exam_count(t, listed), small=True)
    st.html(f'<ul class="ldp-exam" aria-label="{t.CHECK_EXAM_TITLE}">{rows}</ul>')


def _chart(t: ModuleType, job: Job, result: CheckResult | None) -> None:
    """Draw the leak on each pair beside the claim."""
    if result is None or not any(look.trials for look in result.looks):
        return
    figure = once(job, ("figure", t), lambda: figures.check_figure(result, t.FIGURES))
    alt = once(job, ("alt", t), lambda: figures.check_alt(result, t.FIGURES))
    views.chart(figure, f"check_{job.id}", alt)
    confidence = wording.number(100.0 * (1.0 - result.config.significance))
    chosen = t.CHECK_TEST_CHOSEN if result.version > 1 else ""
    terms.prose(t, t.SPACE.join((t.CHECK_TEST_NOTE.format(confidence=confidence), chosen)), small=True)


def _repeat(t: ModuleType, manager: jobs.JobManager, job: Job, result: CheckResult) -> None:
    """Show the command that repeats a check of one of ours, or how to repeat one of a file."""
    config = result.config
    if not check_words.repeatable(t, config):
        terms.prose(t, t.CHECK_REPEAT_FILES)
        return
    terms.prose(t, t.CHECK_REPEAT.format(seed=config.seed))
    st.code(claims.command(config).replace("MECHANISM", config.subject), language="bash", wrap_lines=True)
    if not job.opened:
        st.button(t.NEW_SEED, key="new_seed", on_click=_again, args=(t, manager, job))


def _again(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    _queue(t, manager, replace(job.config, seed=plan.fresh_seed()))


def _queue(t: ModuleType, manager: jobs.JobManager, config: CheckConfig) -> None:
    if problem := check_form.queue(t, manager, config):
        st.error(problem)
