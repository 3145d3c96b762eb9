"""A test's panel: what was counted so far, then verdict first, numbers second, statistics third."""

from dataclasses import replace
from functools import partial

import streamlit as st

from ldp_core import record
from ldp_core.adversaries import ADVERSARIES
from ldp_core.randomness.streams import fresh_seed
from ldp_core.types import AuditConfig, AuditResult
from ldp_core.words import Words
from pages import jobs
from pages.audit import attack_card, cards, next_test
from pages.audit import words as audit_words
from pages.frame import terms
from pages.jobs.job import MAX_PICTURED, Job
from pages.state import callbacks, current_run, prepared
from pages.state.current_run import Start
from pages.widgets import downloads, inputs, opening, pictures, progress, sources, start, told


def tabs(t: Words, manager: jobs.JobManager, job: Job | None, begin: Start | None, *, going: bool) -> None:
    """Show the tabs, the same before a run and after it: what was known before stays, beside what was found.

    ``going``: whether a run goes on, beside which no other one is offered.
    """
    result = job.result if job is not None and job.result is not None and job.result.counts.num_trials else None
    if job is not None:
        downloads.opened_note(t, job)
        progress.left(t, job, current_run.starts(manager, sources.again(job)), partial(start.not_begun, t))
    config: AuditConfig | None = result.config if result is not None else None if begin is None else begin.config

    def do() -> None:
        if job is None:
            terms.prose(t, told.ask(t))
            if not going and (example := prepared.job()) is not None:
                act = next_test.runs(example.config, current_run.shows(prepared.ID))
                callbacks.button(t.PREPARED_SHOW, "prepared", act, fixed=True, help=t.PREPARED_SHOW_HELP)
            return
        if job.id == prepared.ID:
            with st.container(border=True, key="prepared_note"):
                terms.prose(t, t.TITLED.format(title=t.PREPARED_TITLE, text=t.PREPARED_NOTE))
                start.button(t, manager, sources.again(job), t.PREPARED_RUN, "prepared_run", fixed=True)
        _next_steps(t, manager, job)

    def why() -> None:
        if job is not None and result is not None:
            terms.prose(t, audit_words.why(t, result))
            _pairs(t, job, result)
            _selective_note(t, result)
        terms.prose(t, t.AUDIT_LEAD)
        cards.show(t, inputs.epsilon_value(), inputs.ATTACK.value())
        cards.run_all(t, manager, None if going else begin)
        if config is not None:
            attack_card.show(t, config)

    def figures() -> None:
        if job is not None and result is not None:
            _numbers(t, job)
            cards.folds(t, result)
        elif config is not None:
            cards.formula(t, config)

    def many() -> None:
        cards.many_reports(t, inputs.epsilon_value() if result is None else result.config.epsilon)
        told.limits(t, "limits_audit")

    def keep() -> None:
        if job is not None and result is not None:
            _keep(t, manager, job)
        opening.opener(t, manager)

    told.tabs(t, do, why, figures, many, keep)


def _numbers(t: Words, job: Job) -> None:
    """Show what was found, what was expected, and the numbers."""
    document = told.report(t, job.result)
    expected = audit_words.expectation(t, job.result, job.expected)
    told.advise(t, [*document.sentences, *([expected] if expected else [])])
    told.parts(t, document.sections[0].parts, "audit")


def _keep(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Show how to repeat a run, and its files."""
    if not any(step.name == "repeat" for step in audit_words.next_steps(t, job.result)):
        _new_seed_button(t, manager, job)
    downloads.downloads(t, job)
    told.repeat(t, job.config)


def _next_steps(t: Words, manager: jobs.JobManager, job: Job) -> None:
    """Say what the client can do now, each beside what does it or sets it up."""
    with st.container(key="next_steps", gap="xsmall"):
        for step in audit_words.next_steps(t, job.result):
            terms.prose(t, step.sentence)
            if step.name == "repeat":
                _new_seed_button(t, manager, job)
            elif step.name == "again":
                start.button(t, manager, sources.again(job), step.label, "next_again", fixed=True)
            elif step.name == "vendor":
                epsilon = record.spelled(job.config.epsilon)
                st.page_link("../check/page.py", label=step.label, query_params={inputs.EPSILON: epsilon})
            elif step.name == "stronger" and step.config is not None:
                _stronger(t, manager, job, replace(step.config, seed=fresh_seed()), step.label)
            elif step.config is not None:
                set_up = next_test.sets_up(step.config)
                callbacks.button(step.label, f"next_{step.name}", set_up, fixed=True, type="tertiary")


def _stronger(t: Words, manager: jobs.JobManager, job: Job, config: AuditConfig, label: str) -> None:
    """Show the button that runs a stronger test, beside the result that stays on the stage."""
    act = next_test.runs(config, current_run.starts(manager, sources.again(job, config)))
    if failure := callbacks.button(
        label, "next_stronger", act, partial(start.not_begun, t), fixed=True, type="primary"
    ):
        st.error(failure)


def _selective_note(t: Words, result: AuditResult) -> None:
    """Tell, where a score looks comfortable, that it may hide a leak."""
    if note := audit_words.selective_note(t, result):
        offered = any(step.name == "stronger" for step in audit_words.next_steps(t, result))
        how = t.SELECTIVE_TRY_ABOVE if offered else t.SELECTIVE_TRY
        with st.container(border=True, key="selective_note"):
            terms.prose(t, t.TITLED.format(title=t.SELECTIVE_TITLE, text=t.SPACE.join((note, how))))


def _pairs(t: Words, job: Job, result: AuditResult) -> None:
    """Show the images of each pair with its angle and lengths."""
    words, clip = t.ATTACKS[result.config.attack], result.config.clip_norm
    cards = []
    for number, item in enumerate(result.measurements[:MAX_PICTURED], start=1):
        images = job.pictures[number - 1] if number <= len(job.pictures) else ()
        labels = job.labels[number - 1] if number <= len(job.labels) else ()
        named = labels or ("?", "?")
        sides = [side.format(label=label) for side, label in zip((words.first, words.second), named, strict=True)]
        if len(images) > 1 and images[0] == images[1] and not labels:  # both updates came from one picture
            images, sides = images[:1], [t.COMMA.join(sides)]
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
    note = t.PICTURES_PREPARED if job.id == prepared.ID else t.PICTURES_GONE
    note = t.PICTURES_NOTE if any(job.pictures) else note
    note = note if ADVERSARIES[result.config.attack].needs_images else t.PICTURES_NONE
    terms.prose(t, note, small=True)


def _new_seed_button(t: Words, manager: jobs.JobManager, job: Job) -> None:
    if job.opened or job.id == prepared.ID:  # nobody checked how long it takes; the note above has a button
        return
    again = sources.again(job, replace(job.config, seed=fresh_seed()))
    start.button(t, manager, again, t.NEW_SEED, "new_seed", fixed=True)
