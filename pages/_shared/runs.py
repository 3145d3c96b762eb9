"""The runs of this session: a table, one chart of several tests, and each run again, opened or repeated."""

from dataclasses import replace
from functools import partial
from types import ModuleType

import streamlit as st

from ldp_core import exports, figures, theory
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import HONEST
from ldp_core.summary import summarize
from ldp_core.types import AuditResult
from pages._shared import (
    audit_words,
    check_form,
    check_words,
    compare_form,
    jobs,
    plan,
    sources,
    terms,
    viewed,
    views,
    wording,
)
from pages._shared.job import Job
from pages._shared.look import once
from pages._shared.tables import table

POLL_SECONDS = 2.0
_DIGITS = 5
_DRAWN, _KNOWN, _CHOSEN = "runs_drawn", "runs_known", "runs_chosen"
_PAGES = {
    "audit": ("../audit.py", viewed.JOB),
    "compare": ("../compare.py", compare_form.COMPARISON),
    "check": ("../check.py", check_form.CHECK),
}


def section(t: ModuleType, manager: jobs.JobManager) -> None:
    """Show the runs of this session, the latest first; nothing before the first one."""
    if not _found(manager):
        return
    busy = any(not job.finished for job in _found(manager).values())
    st.subheader(t.RUNS_TITLE)
    terms.prose(t, t.RUNS_LEAD)
    st.fragment(partial(_show, t, manager, busy=busy), run_every=POLL_SECONDS if busy else None)()


def _found(manager: jobs.JobManager) -> dict[int, Job]:
    """Return tests, comparisons and checks by their number in this session, the latest first."""
    found = [job for job_id in viewed.runs() if (job := manager.get(job_id)) is not None and job.kind in _PAGES]
    return dict(reversed(list(enumerate(found, start=1))))


def _show(t: ModuleType, manager: jobs.JobManager, *, busy: bool) -> None:
    found = _found(manager)
    if busy and all(job.finished for job in found.values()):
        st.rerun()
    for job in found.values():
        if not job.finished:
            manager.attach(job, jobs.viewer())
    table([_row(t, number, job) for number, job in found.items()], t.RUNS_TITLE)
    _overlay(t, found)
    _again(t, manager, found)


def _row(t: ModuleType, number: int, job: Job) -> dict[str, str]:
    config, share, promise = job.config, "–", "–"
    if job.kind == "audit":
        attack, epsilons = t.FIGURES[f"name_{config.attack}"], (config.epsilon,)
        if _drawable(job):
            summary = summarize(job.result)
            found = summary.identification
            assert found is not None
            share = t.RUNS_SHARE.format(
                point=f"{100 * found.point:.1f}", lower=f"{100 * found.lower:.1f}", upper=f"{100 * found.upper:.1f}"
            )
            promise = t.RUNS_PROMISE.format(promise=f"{100 * summary.theory_identification:.1f}")
    elif job.kind == "check":
        attack, epsilons = check_words.subject(t, config.subject), (config.epsilon,)
    else:
        attack, epsilons = wording.several(t.CMP_ATTACKS_COUNT, len(config.attacks)), config.epsilons
        share = t.RUNS_SEE if job.finished and job.result is not None else share
        allowed = (f"{100 * theory.worst_case_identification(epsilon):.1f}" for epsilon in epsilons)
        promise = t.RUNS_PROMISE.format(promise=t.COMMA.join(allowed))
    values = (
        str(number),
        t.RUNS_KINDS[job.kind],
        t.COMMA.join(map(wording.number, epsilons)),
        attack,
        share,
        promise,
        _state(t, job),
        _short(config.seed),
    )
    return dict(zip(t.RUNS_COLUMNS, values, strict=True))


def _short(seed: int) -> str:
    """Return a seed, or how a long one begins."""
    text = str(seed)
    return text if len(text) <= _DIGITS else f"{text[:_DIGITS]}…"


def _state(t: ModuleType, job: Job) -> str:
    """Return a run's headline, or how far it is."""
    if not job.finished or job.state == "failed":
        return str(t.RUNS_STATES[job.state])
    if job.kind == "audit":
        return str(t.HEADLINES["none"] if job.result is None else audit_words.verdict(t, job.result).headline)
    if job.kind == "check":
        return str(t.CHECK_HEADLINES[once(job, "state", lambda: check_words.state(job.result))])
    if job.result is None or not any(cell.measurements for cell in job.result.cells):
        return str(t.HEADLINES["none"])
    broken = once(job, "rejected", lambda: exports.rejected_cells(job.result))
    state = "none" if not broken else "demo" if job.config.mechanism not in HONEST else "above"
    return str(t.CMP_HEADLINES[state])


def _drawable(job: Job) -> bool:
    """Return whether a run has a share of right guesses that means something."""
    result: AuditResult | None = job.result
    return (
        job.finished
        and job.kind == "audit"
        and result is not None
        and result.counts.num_trials > 0
        and not DISTINGUISHERS[result.config.distinguisher].cautious
    )


def _overlay(t: ModuleType, found: dict[int, Job]) -> None:
    """Draw the ticked tests together; a new one is ticked."""
    names = {job.id: _name(t, number, job) for number, job in found.items() if _drawable(job)}
    if not names:
        return
    known = st.session_state.setdefault(_KNOWN, set())
    ticked = st.session_state.get(_DRAWN) or []
    st.session_state[_DRAWN] = [name for name in names if name in ticked or name not in known]
    known.update(names)
    chosen = st.pills(
        t.RUNS_DRAWN, list(names), selection_mode="multi", format_func=names.__getitem__, key=_DRAWN, wrap=True
    )
    results = [job.result for job in found.values() if job.id in chosen]
    if results:
        views.chart(figures.overlay_figure(results, t.FIGURES), "overlay", figures.overlay_alt(results, t.FIGURES))
        terms.prose(t, t.RUNS_NOTE, small=True)


def _again(t: ModuleType, manager: jobs.JobManager, found: dict[int, Job]) -> None:
    """Show one run to open or to repeat."""
    names = {job.id: _name(t, number, job) for number, job in found.items()}
    if st.session_state.get(_CHOSEN) not in names:
        st.session_state[_CHOSEN] = next(iter(names))
    chosen = st.selectbox(t.RUNS_CHOSEN, list(names), format_func=names.__getitem__, key=_CHOSEN)
    job = next(job for job in found.values() if job.id == chosen)
    page, name = _PAGES[job.kind]
    st.caption(t.RUNS_SEED.format(seed=job.config.seed))
    problem = ""
    with st.container(horizontal=True, vertical_alignment="center", key="run_again"):
        st.page_link(page, label=t.RUNS_OPEN, query_params={name: job.id})
        again = (t.RUNS_SAME_SEED, "same_seed", job.config.seed), (t.RUNS_NEW_SEED, "other_seed", plan.fresh_seed())
        for label, key, seed in again if check_words.repeatable(t, job.config) else ():
            if st.button(label, key=key):
                problem = _repeat(t, manager, job, seed)
    if problem:
        st.error(problem)


def _repeat(t: ModuleType, manager: jobs.JobManager, job: Job, seed: int) -> str:
    """Queue a run again and draw the page anew; return a sentence if it cannot be queued."""
    name = _PAGES[job.kind][1]
    config = replace(job.config, seed=seed)
    own = sources.own_images() if "own" in getattr(config, "datasets", (getattr(config, "dataset", ""),)) else None
    here = name if job.kind == "compare" else ""
    try:
        viewed.start_job(manager, config, job.data_dir, download=sources.allowed(config), own=own, key=here)
    except jobs.QueueFullError:
        return str(t.QUEUE_FULL)
    except plan.TooLargeError as error:  # the run may come from a file
        return views.problem_sentence(t, error)
    st.rerun()


def _name(t: ModuleType, number: int, job: Job) -> str:
    row = _row(t, number, job)
    columns = t.RUNS_COLUMNS
    return str(t.RUNS_NAME.format(number=number, what=row[columns[1]], attack=row[columns[3]], epsilon=row[columns[2]]))
