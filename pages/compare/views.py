"""A comparison on the screen: on its way, its verdict, and what to take away; ``sections`` draws the charts."""

import html
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from ldp_core.game.sweep import CompareConfig, CompareResult
from ldp_core.studies.compare import report as compare_report
from ldp_core.words import Words
from pages import jobs
from pages.compare import form as compare_form
from pages.compare import sections
from pages.compare import words as compare_words
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import prepared
from pages.state.look import ComparisonView
from pages.widgets import runs, sources, stage, start, told, views
from pages.widgets.tables import values


def show(t: Words, manager: jobs.JobManager, job: Job | None, config: CompareConfig | None) -> None:
    """Show a comparison: the prepared one before a run has found something, and what one has found so far, or whole."""

    def found(t: Words, result: CompareResult, keep: told.Show | None) -> None:
        assert job is not None
        _found(t, manager, job, result, keep)

    stage.run(t, manager, job, found, config, partial(_example, manager))


def _example(manager: jobs.JobManager, t: Words) -> None:
    if (example := prepared.job(prepared.COMPARE)) is not None:
        with stage.paled(t, example, None):
            _found(t, manager, example, example.result, None)


def _found(t: Words, manager: jobs.JobManager, job: Job, result: CompareResult, keep: told.Show | None) -> None:
    """Show the verdict and the section that is looked at; in tabs below what follows, and the numbers.

    ``keep``: shows the files; None of the prepared example, and while a run goes on.
    """
    look = sections.look(t, manager, job, result)
    finding = look.once("verdict", lambda: compare_words.finding(t, result, look.dataset, look.epsilon, look.view))
    if finding is None:
        return
    strength, closest, *more, follows = finding.sentences
    example, going = job.id in prepared.IDS, keep is None and job.id not in prepared.IDS
    if going:
        told.verdict(t, [t.CMP_SO_FAR], headline=False)
    else:
        with st.container(key=f"found_{finding.state}"):
            icon = "at" if finding.state == "none" else "above"
            worth = "" if icon == "above" else views.worth(t, result.config.epsilons)
            sentences = [finding.headline, t.STAGE_PREPARED if example else closest]
            told.verdict(t, sentences, headline=True, icon=icon, worth=worth)
    if job.state == "cancelled":
        _stopped(look)
    numbers = sections.show(look)
    do = t.STAGE_LATER if going else told.ask(t) if example else follows
    why = partial(_why, look, [strength, *[closest] * example, *more])
    kept = partial(_keep, look, keep) if keep else None
    told.tabs(t, partial(terms.prose, t, do), why, partial(_numbers, look, numbers), keep=kept)
    if example:
        runs.section(t, manager)


def _stopped(look: ComparisonView) -> None:
    """Say how far a run came that was stopped, and offer the rest."""
    t, job, result = look.t, look.job, look.result
    done = sum(len(cell.measurements) for cell in result.cells)
    share = done / (len(result.cells) * result.config.num_measurements)
    facts = {
        "cells": wording.plural(t.CMP_PLAN_CELLS, len(result.cells)),
        "share": wording.percent(t, f"{100 * share:.0f}"),
        "seed": result.config.seed,
    }
    terms.prose(t, t.CMP_STOPPED.format(**facts))
    if not job.opened:
        again = sources.again(job, key=compare_form.COMPARISON)
        start.button(t, look.manager, again, t.CMP_CONTINUE, "continue_compare", fixed=True)


def _why(look: ComparisonView, sentences: Sequence[str]) -> None:
    """Show what a verdict means and how sure it is, what was left out, and what no test tells."""
    t = look.t
    for sentence in (*sentences, *compare_words.statistics(t, look.result)):
        terms.prose(t, sentence)
    if lines := compare_report.skipped(look.result, told.teller(t)):
        st.markdown(f"**{t.REPORT['skipped']}**")
        views.facts(t, lines)
    told.limits(t, "limits_audit")
    if look.job.notes:  # which may come from a file
        st.markdown(f"**{t.CMP_NOTES_TITLE}**")
        st.html("<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in look.job.notes) + "</ul>")


def _numbers(look: ComparisonView, numbers: Callable[[], None] | None) -> None:
    """Show the numbers of the section that is looked at, and of its images."""
    t, result = look.t, look.result
    if numbers is not None:
        numbers()
    if rows := told.teller(t).basis([(name, result.data(name)) for name in result.config.datasets]):
        st.markdown(f"**{t.CMP_IMAGES_TITLE}**")
        values(t, rows, t.CMP_IMAGES_TITLE)


def _keep(look: ComparisonView, files: told.Show) -> None:
    """Give a result away, say how it is repeated, and list this session's runs."""
    t = look.t
    files()
    told.repeat(t, look.result.config)
    st.caption(t.CMP_FIGURES)
    runs.section(t, look.manager)
