"""A test's panel: what was counted so far, then verdict first, numbers second, statistics third."""

import html
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from types import ModuleType

import streamlit as st

from ldp_core import figures, reports
from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import HONEST
from ldp_core.summary import has_law
from ldp_core.types import AuditConfig, AuditResult
from pages._shared import (
    attack_card,
    audit_words,
    jobs,
    next_test,
    pictures,
    prepared,
    progress,
    settings,
    sources,
    statistics_view,
    takeaway,
    terms,
    viewed,
    views,
    widgets,
    wording,
)
from pages._shared.job import MAX_PICTURED, Job
from pages._shared.plan import TooLargeError, fresh_seed


def job_panel(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Show a job; while it goes on, look again once a second."""
    if job.finished:
        _finished(t, manager, job)
    else:
        progress.watch(t, manager, job, audit_words.live, partial(_live, t, job))


def _live(t: ModuleType, job: Job) -> None:
    """Draw what was counted so far; before the first guess, what the promise allows."""
    result = job.result
    if result is None or not result.counts.num_trials:
        views.theory_chart(t, job.config.epsilon)
        return
    _charts(t, job, result)
    _selective_note(t, result)


def _finished(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
        return
    result = job.result
    if job.id == prepared.ID:
        _prepared_note(t, manager, job)
    progress.left(t, job, partial(_start, t, manager, job, job.config))
    verdict_box(t, manager, job)
    if result is None or not result.counts.num_trials:
        return
    _selective_note(t, result)
    _charts(t, job, result)
    st.subheader(t.WHY)
    terms.prose(t, audit_words.why(t, result))
    _pairs(t, job, result)
    attack_card.fold(t, result.config)
    views.limits(t, t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
    statistics_view.many_reports(t, result.config.epsilon)
    statistics_view.folds(t, result)
    st.subheader(t.REPEAT_TITLE)
    st.markdown(t.REPEAT_TEXT.format(seed=result.config.seed))
    st.code(reports.command(result.config), language="bash", wrap_lines=True)
    if result.config.dataset != "digits":
        st.caption(t.REPEAT_DIR)
    if not any(step.name == "repeat" for step in audit_words.next_steps(t, result)):
        _new_seed_button(t, manager, job)
    takeaway.downloads(t, job)


def _prepared_note(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    with st.container(border=True, key="prepared_note"):
        terms.prose(t, t.TITLED.format(title=t.PREPARED_TITLE, text=t.PREPARED_NOTE))
        st.button(t.PREPARED_RUN, key="prepared_run", on_click=_start, args=(t, manager, job, job.config))


def verdict_box(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    """Show the verdict first: symbol and words, never a colour alone."""
    verdict, tested, expected = audit_words.none(t), "", ""
    if job.result is not None:
        verdict, tested = audit_words.verdict(t, job.result), audit_words.tested(t, job.result)
        expected = audit_words.expectation(t, job.result, job.expected)
    source = pictures.uri(views.icon(verdict.state).encode(), "svg+xml")
    with st.container(border=True, key=f"verdict_{verdict.state}"):
        st.html(f'<div class="ldp-head" role="status"><img src="{source}" alt="">{html.escape(verdict.headline)}</div>')
        if tested:
            st.caption(tested)
        for text in (verdict.seen, verdict.epsilon, expected, verdict.meaning, verdict.stopped):
            if text:
                terms.prose(t, text)
        if job.result is not None and job.result.config.sampling == "projected":
            terms.prose(t, t.SAMPLING_NOTE, small=True)
        _next_steps(t, manager, job, verdict.steps)


def _next_steps(t: ModuleType, manager: jobs.JobManager, job: Job, steps: Sequence[audit_words.Step]) -> None:
    """Say what the client can do now, each beside what does it or sets it up."""
    with st.container(key="next_steps", gap="xsmall"):
        terms.prose(t, f"**{t.NEXT_STEPS_TITLE}**")
        for step in steps:
            terms.prose(t, step.sentence)
            if step.name == "repeat":
                _new_seed_button(t, manager, job)
            elif step.name == "again":
                st.button(step.label, key="next_again", on_click=_start, args=(t, manager, job, job.config))
            elif step.name == "vendor":
                epsilon = settings.spelled(job.config.epsilon)
                st.page_link("../check.py", label=step.label, query_params={widgets.EPSILON: epsilon})
            elif step.config is not None:
                st.button(
                    step.label, key=f"next_{step.name}", on_click=next_test.set_up, args=(step.config,), type="tertiary"
                )


def _selective_note(t: ModuleType, result: AuditResult) -> None:
    """Tell, where a score looks comfortable, that it may hide a leak."""
    if note := audit_words.selective_note(t, result):
        with st.container(border=True, key="selective_note"):
            terms.prose(t, t.TITLED.format(title=t.SELECTIVE_TITLE, text=t.SPACE.join((note, t.SELECTIVE_TRY))))


def _charts(t: ModuleType, job: Job, result: AuditResult) -> None:
    """Draw what the verdict judges: the measured ε beside the promised one, and the right guesses where they count.

    Who speaks up only when nearly sure is seldom right on the whole and may still leak all that ε allows, so its right
    guesses are not drawn.
    """
    if DISTINGUISHERS[result.config.distinguisher].cautious:
        _epsilon_chart(t, job, result, judged=True)
        return
    shares, epsilons = st.columns(2)
    judged = result.config.bound != "pooled"
    with epsilons if judged else shares:
        _share_chart(t, job, result)
    with shares if judged else epsilons:
        _epsilon_chart(t, job, result, judged=judged)


def _share_chart(t: ModuleType, job: Job, result: AuditResult) -> None:
    note = t.SHARE_NOTE_DEMO if result.config.mechanism not in HONEST else t.SHARE_NOTE
    note = note if has_law(result.config) else t.SHARE_NOTE_BLACK
    st.markdown(f"**{t.SHARE_TITLE}**")
    figure = figures.identification_figure(result, words=t.FIGURES)
    views.chart(figure, f"share_{job.id}", figures.identification_alt(result, t.FIGURES))
    terms.prose(t, note.format(confidence=audit_words.confidence(result.config)), small=True)


def _epsilon_chart(t: ModuleType, job: Job, result: AuditResult, *, judged: bool) -> None:
    st.markdown(f"**{t.EPSILON_TITLE}**")
    figure = figures.epsilon_figure(result, words=t.FIGURES)
    views.chart(figure, f"epsilon_{job.id}", figures.epsilon_alt(result, t.FIGURES))
    note = t.EPSILON_NOTE.format(confidence=audit_words.confidence(result.config))
    told = (note, t.EPSILON_NOTE_JUDGED if judged else "", audit_words.missing_points(t, result))
    terms.prose(t, t.SPACE.join(filter(None, told)), small=True)


def _pairs(t: ModuleType, job: Job, result: AuditResult) -> None:
    """Show the images of each pair with its angle and lengths."""
    words, clip = t.ATTACKS[result.config.attack], result.config.clip_norm
    sides = (words.first, words.second)
    cards = []
    for number, item in enumerate(result.measurements[:MAX_PICTURED], start=1):
        images = job.pictures[number - 1] if number <= len(job.pictures) else ()
        shown = "".join(
            f'<figure><img src="{pictures.uri(picture, "png")}" alt="{t.PAIR_ALT.format(side=side, number=number)}">'
            f"<figcaption>{caption}</figcaption></figure>"
            for side, picture, caption in zip("AB", images, sides, strict=False)
        )
        facts = t.PAIR_FACTS.format(
            angle=round(item.pair.angle_degrees),
            first=audit_words.length(t, item.pair.norm_first, clip),
            second=audit_words.length(t, item.pair.norm_second, clip),
        )
        cards.append(
            f'<div class="ldp-pair"><b>{t.PAIR.format(number=number)}</b><div>{shown}</div><span>{facts}</span></div>'
        )
    st.html(f'<div class="ldp-pairs">{"".join(cards)}</div>')
    gone = t.PICTURES_PREPARED if job.id == prepared.ID else t.PICTURES_GONE
    note = (
        t.PICTURES_NONE
        if not ADVERSARIES[result.config.attack].needs_images
        else t.PICTURES_NOTE
        if any(job.pictures)
        else gone
    )
    terms.prose(t, note, small=True)


def _new_seed_button(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    if job.opened or job.id == prepared.ID:  # nobody checked how long it takes; the note above has a button
        return
    st.button(t.NEW_SEED, key="new_seed", on_click=_repeat, args=(t, manager, job))


def _repeat(t: ModuleType, manager: jobs.JobManager, job: Job) -> None:
    _start(t, manager, job, replace(job.config, seed=fresh_seed()))


def _start(t: ModuleType, manager: jobs.JobManager, job: Job, config: AuditConfig) -> None:
    """Run a configuration with the images of an earlier job."""
    try:
        own = sources.own_images() if config.dataset == "own" else None
        viewed.start_job(manager, config, job.data_dir, download=sources.allowed(config), own=own)
    except jobs.QueueFullError:
        st.error(t.QUEUE_FULL)
    except TooLargeError as error:
        st.error(views.problem_sentence(t, error))
