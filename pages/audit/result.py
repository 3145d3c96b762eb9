"""A test's panel: what was counted so far, then verdict first, numbers second, statistics third."""

import html
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from ldp_core import reports
from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import has_law
from ldp_core.mechanisms import HONEST
from ldp_core.presentation import figures
from ldp_core.randomness.streams import fresh_seed
from ldp_core.types import AuditConfig, AuditResult
from ldp_core.words import Words
from pages import jobs
from pages.audit import attack_card, next_test, statistics
from pages.audit import words as audit_words
from pages.frame import terms, wording
from pages.jobs.job import MAX_PICTURED, Job
from pages.state import prepared, press, settings, viewed
from pages.state.viewed import Start
from pages.widgets import downloads, inputs, pictures, progress, sources, start, views


def job_panel(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Show a job: how far it is, with what the promise allows, or what it found."""
    if job.finished:
        _finished(t, manager, job)
    else:
        progress.watch(t, manager, job)
        views.theory_chart(t, job.config.epsilon)


def live(t: Words, job: Job) -> str:
    """Return what was counted so far as HTML; "" before the first guess."""
    return progress.sentence(audit_words.live(t, job.result))


def so_far(t: Words, result: AuditResult) -> str:
    """Return what the verdict will judge, as it is so far."""
    from ldp_core.presentation.figures import inline

    name = "epsilon" if _by_epsilon(result) else "identification"
    return next((chart.svg for chart in inline.audit_charts(result, t.FIGURES) if chart.name == name), "")


def so_far_alt(t: Words, result: AuditResult) -> str:
    """Return what the picture of ``so_far`` shows; "" before the first guess."""
    if not result.counts.num_trials:
        return ""
    return (figures.epsilon_alt if _by_epsilon(result) else figures.identification_alt)(result, t.FIGURES)


def _by_epsilon(result: AuditResult) -> bool:
    return DISTINGUISHERS[result.config.distinguisher].cautious or result.config.bound != "pooled"


def _finished(t: Words, manager: jobs.JobManager, job: Job) -> None:
    if job.state == "failed":
        st.error(wording.failure(t, job.error))
        return
    result = job.result
    if job.id == prepared.ID:
        _prepared_note(t, manager, job)
    progress.left(t, job, viewed.starts(manager, _same(job, job.config)), partial(start.not_begun, t))
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
    statistics.many_reports(t, result.config.epsilon)
    statistics.folds(t, result)
    st.subheader(t.REPEAT_TITLE)
    with st.expander(t.REPEAT_COMMAND):
        st.markdown(t.REPEAT_TEXT.format(seed=result.config.seed))
        st.code(reports.command(result.config), language="bash", wrap_lines=True)
        if result.config.dataset != "digits":
            st.caption(t.REPEAT_DIR)
    if not any(step.name == "repeat" for step in audit_words.next_steps(t, result)):
        _new_seed_button(t, manager, job)
    downloads.downloads(t, job)


def _prepared_note(t: Words, manager: jobs.JobManager, job: Job) -> None:
    with st.container(border=True, key="prepared_note"):
        terms.prose(t, t.TITLED.format(title=t.PREPARED_TITLE, text=t.PREPARED_NOTE))
        start.button(t, manager, _same(job, job.config), t.PREPARED_RUN, "prepared_run", fixed=True)


def verdict_box(t: Words, manager: jobs.JobManager, job: Job) -> None:
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


def _next_steps(t: Words, manager: jobs.JobManager, job: Job, steps: Sequence[audit_words.Step]) -> None:
    """Say what the client can do now, each beside what does it or sets it up."""
    with st.container(key="next_steps", gap="xsmall"):
        terms.prose(t, f"**{t.NEXT_STEPS_TITLE}**")
        for step in steps:
            terms.prose(t, step.sentence)
            if step.name == "repeat":
                _new_seed_button(t, manager, job)
            elif step.name == "again":
                start.button(t, manager, _same(job, job.config), step.label, "next_again", fixed=True)
            elif step.name == "vendor":
                epsilon = settings.spelled(job.config.epsilon)
                st.page_link("../check/page.py", label=step.label, query_params={inputs.EPSILON: epsilon})
            elif step.config is not None:
                set_up = next_test.sets_up(step.config)
                press.button(step.label, f"next_{step.name}", set_up, fixed=True, type="tertiary")


def _selective_note(t: Words, result: AuditResult) -> None:
    """Tell, where a score looks comfortable, that it may hide a leak."""
    if note := audit_words.selective_note(t, result):
        offered = any(step.name == "stronger" for step in audit_words.next_steps(t, result))
        how = t.SELECTIVE_TRY_ABOVE if offered else t.SELECTIVE_TRY
        with st.container(border=True, key="selective_note"):
            terms.prose(t, t.TITLED.format(title=t.SELECTIVE_TITLE, text=t.SPACE.join((note, how))))


def _charts(t: Words, job: Job, result: AuditResult) -> None:
    """Draw what the verdict judges: the measured ε beside the promised one, and the right guesses where they count.

    Who speaks up only when surest is seldom right on the whole and may still leak all that ε allows, so its right
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


def _share_chart(t: Words, job: Job, result: AuditResult) -> None:
    note = t.SHARE_NOTE_DEMO if result.config.mechanism not in HONEST else t.SHARE_NOTE
    note = note if has_law(result.config) else t.SHARE_NOTE_BLACK
    st.markdown(f"**{t.SHARE_TITLE}**")
    figure = figures.identification_figure(result, words=t.FIGURES)
    views.chart(t, figure, f"share_{job.id}", figures.identification_alt(result, t.FIGURES))
    terms.prose(t, note.format(confidence=audit_words.confidence(result.config)), small=True)


def _epsilon_chart(t: Words, job: Job, result: AuditResult, *, judged: bool) -> None:
    st.markdown(f"**{t.EPSILON_TITLE}**")
    figure = figures.epsilon_figure(result, words=t.FIGURES)
    views.chart(t, figure, f"epsilon_{job.id}", figures.epsilon_alt(result, t.FIGURES))
    note = t.EPSILON_NOTE.format(confidence=audit_words.confidence(result.config))
    told = (note, t.EPSILON_NOTE_JUDGED if judged else "", audit_words.missing_points(t, result))
    terms.prose(t, t.SPACE.join(filter(None, told)), small=True)


def _pairs(t: Words, job: Job, result: AuditResult) -> None:
    """Show the images of each pair with its angle and lengths."""
    words, clip = t.ATTACKS[result.config.attack], result.config.clip_norm
    cards = []
    for number, item in enumerate(result.measurements[:MAX_PICTURED], start=1):
        images = job.pictures[number - 1] if number <= len(job.pictures) else ()
        labels = job.labels[number - 1] if number <= len(job.labels) else ()
        sides = [words.first, words.second]
        if labels:
            sides = [t.PAIR_LABELLED.format(side=side, label=label) for side, label in zip(sides, labels, strict=True)]
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


def _new_seed_button(t: Words, manager: jobs.JobManager, job: Job) -> None:
    if job.opened or job.id == prepared.ID:  # nobody checked how long it takes; the note above has a button
        return
    again = _same(job, replace(job.config, seed=fresh_seed()))
    start.button(t, manager, again, t.NEW_SEED, "new_seed", fixed=True)


def _same(job: Job, config: AuditConfig) -> Start:
    """Return a run of a configuration with the images of an earlier job."""
    own = sources.own_images() if config.dataset == "own" else None
    return Start(config, job.data_dir, sources.allowed(config), own)
