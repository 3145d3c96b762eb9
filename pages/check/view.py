"""A check on the screen: the verdict, the exam question by question, the leak on each pair, and what to keep."""

import html
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from ldp_core.checking import claims
from ldp_core.checking.claims import CheckResult
from ldp_core.presentation import figures
from ldp_core.randomness import streams
from ldp_core.studies.check import report
from ldp_core.words import Words
from pages import jobs
from pages.check import form as check_form
from pages.check import words as check_words
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import viewed
from pages.state.look import once
from pages.state.viewed import Start
from pages.widgets import downloads, pictures, progress, start, told, views

_ICONS = {"rejected": "above", "broken": "above", "unusable": "above", "kept": "below", "none": "none"}
_ANSWERS = {"kept": "kept", "broken": "above", "unasked": "none", "waiting": "too_few"}


def panel(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Show a check: how far it is, or what it found."""
    if job.finished:
        _finished(t, manager, job)
    else:
        progress.watch(t, manager, job)


def preview(t: Words) -> None:
    """Show what will be asked."""
    st.subheader(t.CHECK_PREVIEW_TITLE)
    terms.prose(t, t.CHECK_PREVIEW)
    questions = [t.TITLED.format(title=asked.title, text=asked.question) for asked in t.CHECK_CLAUSES.values()]
    views.limits(t, t.CHECK_EXAM_TITLE, questions)
    views.limits(t, t.RUN_LIMITS_TITLE, t.CHECK_LIMITS)


def live(t: Words, job: Job) -> str:
    """Return what was found so far as HTML: the sentence, and the questions with their answers."""
    said, listed = check_words.live(t, job.result), check_words.answers(t, job.result, ended=False)
    return "".join((*map(progress.sentence, (said, check_words.exam_count(t, listed))), _answers(t, listed)))


def _finished(t: Words, manager: jobs.JobManager, job: Job) -> None:
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
        return
    result: CheckResult | None = job.result
    repeatable = check_words.repeatable(t, job.config)
    again = viewed.starts(manager, Start(job.config, key=check_form.CHECK)) if repeatable else None
    progress.left(t, job, again, partial(start.not_begun, t))
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
            told.parts(t, [once(job, ("looks", t), lambda: report.looks(result, check_words.teller(t)))], "check")
    if result.pairs:
        with st.expander(t.CHECK_TRIED_TITLE):
            told.parts(t, [once(job, ("pairs", t), lambda: report.tried(result, check_words.teller(t)))], "check")
    with st.expander(t.REPEAT_TITLE, key="keep"):
        downloads.downloads(t, job)
        _repeat(t, manager, job, result)


def _verdict(t: Words, job: Job, result: CheckResult | None) -> None:
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


def _exam(t: Words, job: Job) -> None:
    """List the questions, those without a fault folded; what a clause quotes is a stranger's, so it is escaped."""
    listed = check_words.answers(t, job.result, ended=job.finished)
    broken = [answer for answer in listed if answer.state == "broken"]
    rest = [answer for answer in listed if answer.state != "broken"]
    if broken:
        st.html(_answers(t, broken))
    if rest:
        states = [answer.state for answer in rest]
        with st.expander(t.CHECK_EXAM_REST.format(kept=states.count("kept"), unasked=states.count("unasked"))):
            st.html(_answers(t, rest))


def _answers(t: Words, listed: Sequence[check_words.Answer]) -> str:
    rows = "".join(
        f'<li><img src="{pictures.uri(views.icon(_ANSWERS[answer.state]).encode(), "svg+xml")}" alt="">'
        f"<div><strong>{html.escape(answer.title)}: {html.escape(t.CHECK_ANSWERS[answer.state])}</strong>"
        f"<span>{html.escape(answer.sentence or answer.question)}</span></div></li>"
        for answer in listed
    )
    return f'<ul class="ldp-exam" aria-label="{t.CHECK_EXAM_TITLE}">{rows}</ul>'


def _chart(t: Words, job: Job, result: CheckResult | None) -> None:
    """Draw the leak on each pair beside the claim."""
    if result is None or not any(look.trials for look in result.looks):
        return
    figure = once(job, ("figure", t), lambda: figures.check_figure(result, t.FIGURES))
    alt = once(job, ("alt", t), lambda: figures.check_alt(result, t.FIGURES))
    views.chart(t, figure, f"check_{job.id}", alt)
    confidence = wording.number(100.0 * (1.0 - result.config.significance))
    terms.prose(t, t.SPACE.join((t.CHECK_TEST_NOTE.format(confidence=confidence), t.CHECK_TEST_CHOSEN)), small=True)


def _repeat(t: Words, manager: jobs.JobManager, job: Job, result: CheckResult) -> None:
    """Show the command that repeats a check of one of ours, or how to repeat one of a file."""
    config = result.config
    if not check_words.repeatable(t, config):
        terms.prose(t, t.REPORT["check_repeat_files"])
        return
    terms.prose(t, t.CHECK_REPEAT.format(seed=config.seed))
    st.code(claims.command(config).replace("MECHANISM", config.subject), language="bash", wrap_lines=True)
    if not job.opened:
        again = Start(replace(job.config, seed=streams.fresh_seed()), key=check_form.CHECK)
        start.button(t, manager, again, t.NEW_SEED, "new_seed", fixed=True)
