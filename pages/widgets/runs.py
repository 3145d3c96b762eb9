"""The runs of this session: a table, one chart of several tests, and each run again, opened or repeated."""

from dataclasses import replace
from functools import partial

import streamlit as st

from ldp_core.presentation import figures
from ldp_core.randomness import streams
from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.state import callbacks, current_run
from pages.widgets import progress, sources, start, views
from pages.widgets.tables import table

_DIGITS = 5
_DRAWN, _KNOWN, _CHOSEN = "runs_drawn", "runs_known", "runs_chosen"


def section(t: Words, manager: jobs.JobManager) -> None:
    """Show the runs of this session, the latest first; nothing before the first one."""
    listed = [job for job_id in current_run.runs() if (job := manager.get(job_id)) is not None and _listed(job)]
    if not listed:
        return
    runs = dict(reversed(list(enumerate(listed, start=1))))
    with st.expander(t.RUNS_TITLE, key="runs"):
        terms.prose(t, t.RUNS_LEAD)
        going = [job for job in listed if not job.finished]
        for job in going:
            manager.attach(job, jobs.viewer())
        if going:  # they end in this order; the next one is followed once the page is drawn anew
            progress.follow(t, going[0])
        table(t, t.RUNS_COLUMNS, [_row(t, number, job) for number, job in runs.items()], t.RUNS_TITLE)
        _overlay(t, runs)
        _again(t, manager, runs)


def _listed(job: Job) -> bool:
    page = registry.pages().get(job.kind)
    return page is not None and page.row is not None


def _facts(t: Words, job: Job) -> registry.Row:
    describe = registry.pages()[job.kind].row
    assert describe is not None
    return describe(t, job)


def _row(t: Words, number: int, job: Job) -> tuple[str, ...]:
    config, facts = job.config, _facts(t, job)
    epsilon = getattr(config, "epsilon", None)
    epsilons = getattr(config, "epsilons", () if epsilon is None else (epsilon,))
    waits = not job.finished or job.state == "failed"
    return (
        str(number),
        t.RUNS_KINDS[job.kind],
        t.COMMA.join(map(wording.number, epsilons)) or "–",
        facts.what,
        facts.share,
        facts.promise,
        str(t.RUNS_STATES[job.state]) if waits else facts.state,
        _short(config.seed),
    )


def _short(seed: int) -> str:
    text = str(seed)
    return text if len(text) <= _DIGITS else f"{text[:_DIGITS]}…"


def _overlay(t: Words, runs: dict[int, Job]) -> None:
    """Draw the ticked tests together; a new one is ticked."""
    names = {job.id: _name(t, number, job) for number, job in runs.items() if _facts(t, job).drawn}
    if not names:
        return
    known = st.session_state.setdefault(_KNOWN, set())
    ticked = st.session_state.get(_DRAWN) or []
    st.session_state[_DRAWN] = [name for name in names if name in ticked or name not in known]
    known.update(names)
    chosen = st.pills(
        t.RUNS_DRAWN, list(names), selection_mode="multi", format_func=names.__getitem__, key=_DRAWN, wrap=True
    )
    results = [job.result for job in runs.values() if job.id in chosen]
    if results:
        views.chart(t, figures.overlay_chart(results, t.FIGURES), "overlay", figures.overlay_alt(results, t.FIGURES))
        terms.prose(t, t.RUNS_NOTE, small=True)


def _again(t: Words, manager: jobs.JobManager, runs: dict[int, Job]) -> None:
    """Show one run to open or to repeat."""
    names = {job.id: _name(t, number, job) for number, job in runs.items()}
    if st.session_state.get(_CHOSEN) not in names:
        st.session_state[_CHOSEN] = next(iter(names))
    chosen = st.selectbox(t.RUNS_CHOSEN, list(names), format_func=names.__getitem__, key=_CHOSEN)
    job = next(job for job in runs.values() if job.id == chosen)
    page = registry.pages()[job.kind]
    here = page.key if (page.place or job.study.folder) == "compare" else ""
    st.caption(t.RUNS_SEED.format(seed=job.config.seed))
    failures = []
    with st.container(horizontal=True, vertical_alignment="center", key="run_again"):
        st.page_link(registry.script(job.kind), label=t.RUNS_OPEN, query_params={page.key: job.id})
        again = (t.RUNS_SAME_SEED, "same_seed", job.config.seed), (t.RUNS_NEW_SEED, "other_seed", streams.fresh_seed())
        for label, key, seed in again if _facts(t, job).repeatable else ():
            repeated = sources.again(job, replace(job.config, seed=seed), here)  # too large to begin, from some files
            act = current_run.starts(manager, repeated)
            failures.append(callbacks.button(label, key, act, partial(start.not_begun, t)))
    for problem in filter(None, failures):
        st.error(problem)


def _name(t: Words, number: int, job: Job) -> str:
    _, what, epsilon, attack, *_ = _row(t, number, job)
    return str(t.RUNS_NAME.format(number=number, what=what, attack=attack, epsilon=epsilon))
