"""A check on the screen: the verdict, the exam question by question, the leak on each pair, and what to keep."""

import html
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from ldp_core.checking import claims
from ldp_core.checking.claims import CheckConfig, CheckResult
from ldp_core.presentation.figures.check import evidence_alt, evidence_chart, evidence_of
from ldp_core.presentation.report import Chart
from ldp_core.randomness import streams
from ldp_core.studies.check import report
from ldp_core.words import Words
from pages import jobs
from pages.check import form as check_form
from pages.check import words as check_words
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import current_run, prepared
from pages.state.current_run import Start
from pages.state.look import once
from pages.widgets import downloads, pictures, progress, stage, start, told, views

_ICONS = {"rejected": "above", "broken": "above", "unusable": "above", "kept": "below", "none": "none"}
_OPEN = 2
"""Sentences that stand beside the headline."""
_ANSWERS = {"kept": "kept", "broken": "above", "unasked": "none", "waiting": "too_few"}


def panel(t: Words, manager: jobs.JobManager, job: Job, config: CheckConfig | None) -> None:
    """Show a check: what it has found so far, or whole."""
    downloads.opened_note(t, job)
    if job.finished:
        _finished(t, manager, job, config)
        return
    result = job.result or CheckResult(job.config, (), (), 0, False, 0.0, True, {})
    told.verdict(t, [check_words.live(t, result)], headline=False)
    alt = evidence_alt(result, evidence := evidence_of(result), t.FIGURES)
    way = Chart("evidence", "", partial(evidence_chart, job.config, evidence), alt, "")
    _beside(t, job, lambda: told.chart(t, way, f"evidence_{job.id}", titled=False, noted=False))
    told.tabs(t, partial(terms.prose, t, t.STAGE_LATER), partial(_limits, t))


def preview(t: Words, ways: Callable[[Words], None]) -> None:
    """Show a check that was made in advance; in tabs below, how to bring a program, and what no check tells."""
    job = prepared.job(prepared.CHECK)
    if job is not None:
        finding = once(job, ("finding", t), lambda: check_words.finding(t, job.result))
        _evidence(t, job, finding, (t.STAGE_PREPARED, check_words.tested(t, job.result)), notes=False)
    told.tabs(t, partial(ways, t), partial(_limits, t))


def _evidence(
    t: Words, job: Job, finding: check_words.Finding, sentences: Sequence[str], *, notes: bool = True
) -> None:
    """Show the verdict, what each pair of updates showed beside the claim, and the exam."""
    worth = "" if _ICONS[finding.state] == "above" else views.worth(t, [job.config.epsilon], job.config.delta)
    told.verdict(t, [finding.headline, *sentences], headline=True, icon=_ICONS[finding.state], worth=worth)
    if job.result is not None and (job.result.clauses or job.result.looks):
        _beside(t, job, partial(_chart, t, job, job.result, notes=notes))


def _beside(t: Words, job: Job, draw: Callable[[], None]) -> None:
    """Show a chart, and beside it the exam."""
    chart, exam = st.columns([7, 5], gap="large")
    with chart:
        draw()
    with exam:
        _exam(t, job)


def _limits(t: Words) -> None:
    st.markdown(f"**{t.CHECK_EXAM_TITLE}**")
    views.facts(t, [t.TITLED.format(title=clause.title, text=clause.question) for clause in t.CHECK_CLAUSES.values()])
    told.limits(t, "limits_check")


def _finished(t: Words, manager: jobs.JobManager, job: Job, config: CheckConfig | None) -> None:
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
        return
    result: CheckResult | None = job.result
    repeatable = check_words.repeatable(t, job.config)
    again = current_run.starts(manager, Start(job.config, key=check_form.CHECK)) if repeatable else None
    progress.left(t, job, again, partial(start.not_begun, t))
    with st.spinner(t.CHECK_PLAN_WAIT):  # which takes seconds for a check from a saved file
        finding = once(job, ("finding", t), lambda: check_words.finding(t, result))
    tested = [] if result is None else [check_words.tested(t, result)]
    with stage.paled(t, job, config), st.container(key=f"check_{finding.state}"):
        _evidence(t, job, finding, (*finding.sentences[:_OPEN], *tested))
    advise = partial(told.advise, t, finding.advice)
    if result is None or not (result.clauses or result.looks):
        advise()
        return
    why, numbers = partial(_why, t, finding.sentences[_OPEN:]), partial(_numbers, t, job, result)
    told.tabs(t, advise, why, numbers, keep=partial(_keep, t, manager, job, result))


def _why(t: Words, sentences: Sequence[str]) -> None:
    told.advise(t, sentences)
    _limits(t)


def _numbers(t: Words, job: Job, result: CheckResult) -> None:
    for chart in _charts(t, job, result)[1:]:
        told.chart(t, chart, f"{chart.name}_{job.id}")
    for make in (report.looks, report.tried):
        counted = once(job, (make.__name__, t), partial(make, result, told.teller(t)))
        if counted.rows:
            st.markdown(f"**{counted.title}**")
            told.parts(t, [counted], "check")


def _exam(t: Words, job: Job) -> None:
    """List the questions, what is broken first; what a clause quotes is a stranger's, so it is escaped."""
    listed = check_words.answers(t, job.result, ended=job.finished)
    broken = [answer for answer in listed if answer.state == "broken"]
    st.markdown(f"**{t.CHECK_EXAM_TITLE}**")
    if broken:
        st.html(_answers(t, broken))
    st.html(_answers(t, [answer for answer in listed if answer.state != "broken"], short=True))


def _answers(t: Words, listed: Sequence[check_words.Answer], *, short: bool = False) -> str:
    """Return answers as a list: each with its sentence, or as ticks whose sentence shows where the pointer is."""
    rows = []
    for answer in listed:
        icon = pictures.uri(views.icon(_ANSWERS[answer.state]).encode(), "svg+xml")
        label, sentence = html.escape(t.CHECK_ANSWERS[answer.state]), html.escape(answer.sentence or answer.question)
        title, more = html.escape(answer.title), "" if short else f": {label}"
        text = "" if short else f"<span>{sentence}</span>"
        hint, alt = (f' title="{sentence}"', label) if short else ("", "")
        rows.append(f'<li{hint}><img src="{icon}" alt="{alt}"><div><strong>{title}{more}</strong>{text}</div></li>')
    kind = "ldp-exam ldp-ticks" if short else "ldp-exam"
    return f'<ul class="{kind}" aria-label="{t.CHECK_EXAM_TITLE}">{"".join(rows)}</ul>'


def _chart(t: Words, job: Job, result: CheckResult, *, notes: bool = True) -> None:
    """Draw how the leak that is shown grew with the reports; without such a way, the leak on each pair."""
    for chart in _charts(t, job, result)[:1]:
        told.chart(t, chart, f"{chart.name}_{job.id}", titled=False, noted=notes)


def _charts(t: Words, job: Job, result: CheckResult) -> list[Chart]:
    charts: list[Chart] = once(job, ("charts", t), lambda: report.charts(result, told.teller(t)))
    return charts


def _keep(t: Words, manager: jobs.JobManager, job: Job, result: CheckResult) -> None:
    """Show the files, and the command that repeats a check of one of ours, or how to repeat one of a file."""
    downloads.downloads(t, job)
    config = result.config
    if not check_words.repeatable(t, config):
        terms.prose(t, t.REPORT["check_repeat_files"])
        return
    terms.prose(t, t.CHECK_REPEAT.format(seed=config.seed))
    st.code(claims.command(config).replace("MECHANISM", config.subject), language="bash", wrap_lines=True)
    if not job.opened:
        again = Start(replace(job.config, seed=streams.fresh_seed()), key=check_form.CHECK)
        start.button(t, manager, again, t.NEW_SEED, "new_seed", fixed=True)
