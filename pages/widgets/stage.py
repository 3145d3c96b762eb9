"""One stage for every page: a bar with a few controls and the button, then the verdict, the charts, and tabs below."""

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import scroll_to, terms, wording
from pages.jobs.job import Job
from pages.state import callbacks, current_run, settings
from pages.state.current_run import Start
from pages.widgets import downloads, progress, start, told

MOST_CONTROLS = 4
_KEPT, _MOST_KEPT = "settings_of_runs", 50


@dataclass(frozen=True, slots=True)
class Bar:
    """Places of a page's bar.

    ``controls`` are of the settings most often changed, from the left, ``more`` of all others, which open over the
    page. ``act`` is that of the button, ``above`` of what stands above it, ``plan`` of a line on what a run takes.
    """

    controls: list[DeltaGenerator]
    more: DeltaGenerator
    act: DeltaGenerator
    above: DeltaGenerator
    plan: DeltaGenerator


def bar(t: Words, weights: Sequence[float]) -> Bar:
    """Show the bar of a page, with controls of some widths, ``MOST_CONTROLS`` at most."""
    assert len(weights) <= MOST_CONTROLS
    with st.container(border=True, key="bar", gap="small"):
        *controls, last = st.columns([*weights, 3.2], vertical_alignment="bottom")
        plan = st.container(key="plan")
    with last:
        above = st.container(key="above")
        row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    with row:
        act = st.container(key="act")
        return Bar(controls, st.popover(t.ADVANCED, key="more"), act, above, plan)


def action(
    t: Words,
    manager: jobs.JobManager,
    job: Job | None,
    begin: Start | None,
    label: str,
    key: str,
    place: Bar,
    problem: str = "",
    plan: str = "",
) -> bool:
    """Show the button that begins a run or, while one goes on, the one that stops it, and how far it is.

    ``begin``: None if what is set cannot be run, which ``problem`` explains; ``plan``: what a run would take. Returns
    whether a run goes on: it may end before the rest of the page is drawn, which then must follow it all the same.
    """
    if job is not None and begin is not None and _same(begin.config, job.config):
        _keep_settings(job.id)
    if job is not None and not job.finished:
        with place.act:
            progress.stop(t, manager, job, width="stretch")
        if registry.pages()[job.kind].stage is None:
            with place.plan:
                progress.line(t, manager, job)
        return True
    with place.act:
        look: dict[str, Any] = {"type": "primary", "width": "stretch"}
        failure = start.button(t, manager, begin, label, key, problem=problem, alone=True, **look)
    with place.plan:
        if failure := failure or problem:
            st.error(failure)
        elif plan:
            terms.prose(t, plan, small=True)
    return False


Shown = Callable[[Words, Any, told.Show | None], None]


def show(
    t: Words,
    manager: jobs.JobManager,
    study: str,
    key: str,
    settings: Callable[[Words, jobs.JobManager, Job | None], Any],
    before: Callable[[Words], None],
    result: Shown = told.show,
) -> None:
    """Show the bar of a study and below it the run in view, or what was known before one.

    ``settings``: shows the bar, given the run in view; returns the configuration that is set, None for none.
    """
    job = in_view(t, manager, study, key)
    config = settings(t, manager, job)
    with st.container(key="stage"):
        run(t, manager, job, result, config, before)


def in_view(t: Words, manager: jobs.JobManager, study: str, key: str) -> Job | None:
    """Return the run that the URL names; say so where it is gone."""
    job, gone = current_run.find_job(manager, study, key)
    if gone:
        st.error(t.UNKNOWN_JOB)
    return job


def run(
    t: Words, manager: jobs.JobManager, job: Job | None, result: Shown = told.show, config: Any = None,
    before: Callable[[Words], None] | None = None,
) -> None:  # fmt: skip
    """Show what a run has found, also while it goes on, or why it failed; pale where something else is set by now.

    ``config``: what is set; None where that is no matter. ``before``: shows what is known as long as nothing is found;
    None where no bar is, so that the run's progress and the button that stops it stand here.
    """
    job_result = None
    if job is not None:
        job_result = job.result if job.result is not None and job.study.has_data(job.result) else None
        if job.state == "failed":
            st.error(wording.failure(t, job.error))
        if before is None and not job.finished:
            progress.watch(t, manager, job)
        if before is not None and job.finished and not job.opened:  # an opened file has its own place
            scroll_to.show(job.id, ".st-key-stage")
        if job.state == "cancelled" and job_result is None and not job.left:
            st.info(t.STAGE_NOTHING)
        downloads.opened_note(t, job)
        progress.left(t, job)
    if job is not None and job_result is not None:
        with paled(t, job, config if job.finished else None):
            result(t, job_result, partial(downloads.downloads, t, job) if job.finished else None)
    elif before is not None:
        before(t)


def other(t: Words, sentence: str, act: callbacks.Act | None) -> None:
    """Say that a result is of other settings than those above, beside what sets its own again, where that is known."""
    st.html(f'<p class="ldp-old" role="status">{html.escape(sentence)}</p>', width="content")
    if act is not None:
        callbacks.button(t.STAGE_BACK, "set_back", act, fixed=True, type="tertiary", width="content")


def paled(t: Words, job: Job, config: Any) -> DeltaGenerator:
    """Return where a result is shown: pale, below what sets its settings again, where others are set by now."""
    old = config is not None and not _same(config, job.config)
    if old:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="old"):
            other(t, t.STAGE_OTHER, _sets_again(job.id))
    return st.container(key=f"{'pale' if old else 'bright'}_{job.kind}")


def _same(config: Any, other: Any) -> bool:
    """Return whether two runs are of the same settings, but for the seed."""
    return bool(replace(config, seed=other.seed) == other)


def _keep_settings(run: str) -> None:
    """Remember what is set as what a run is of; of the last ``_MOST_KEPT`` runs."""
    kept = _settings_of_runs()
    kept[run] = _set_now()
    while len(kept) > _MOST_KEPT:
        kept.pop(next(iter(kept)))


def _sets_again(run: str) -> callbacks.Act | None:
    """Return what sets again what a run is of; None where that is not known, or set already."""
    known, now = _settings_of_runs().get(run, {}), _set_now()
    changed = {name: value for name, value in known.items() if name in now and now[name] != value}
    return settings.puts(changed) if changed else None


def _set_now() -> dict[str, Any]:
    return {setting.held_as or setting.name: setting.value() for setting in settings.shown()}


def _settings_of_runs() -> dict[str, dict[str, Any]]:
    run_settings: dict[str, dict[str, Any]] = st.session_state.setdefault(_KEPT, {})
    return run_settings
