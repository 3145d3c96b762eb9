"""Choose an attack and ε, run the test on this device, watch it, and read what it found."""

from typing import Any

import streamlit as st

from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.types import AuditConfig
from pages._shared import (
    attack_card,
    jobs,
    landing,
    next_test,
    opening,
    plan,
    prepared,
    result_view,
    settings,
    statistics_view,
    takeaway,
    terms,
    viewed,
    views,
    widgets,
    wording,
)
from pages._shared.language import words

t = words()
manager = jobs.manager()


def choose(label: str) -> tuple[dict[str, Any], AuditConfig | None]:
    """Show the settings, what they would take and show, and the buttons; return the settings as given and checked."""
    picker, control, start = st.container(), st.container(), st.container()
    with st.expander(t.ADVANCED):
        values = widgets.advanced(t)
    with picker:
        values["attack"] = widgets.attack_picker(t)
    with control:
        widgets.epsilon_control(t, values["epsilon"])
        terms.prose(t, wording.band(t, values["epsilon"]), small=True)
    config, problem = None, ""
    try:
        config = widgets.config_of(values)
        plan.check_size(config)
        problem = t.OWN_MISSING if values["dataset"] == "own" and values["own"] is None else ""
    except (ValueError, UnsupportedCombinationError, plan.TooLargeError) as error:
        problem = views.problem_sentence(t, error, values["distinguisher"])
    with start:
        if config and not problem:
            views.plan_lines(t, config, plan.plan(config, manager.values_per_second))
        pressed = st.button(label, key="run", type="primary", width="stretch", disabled=bool(problem))
        told = st.empty()
        expected = None if DISTINGUISHERS[values["distinguisher"]].cautious else widgets.expectation(t)
        if pressed and config:
            source = {"data_dir": values["data_dir"], "download": values["download"], "own": values["own"]}
            try:
                viewed.start_job(manager, config, expected=expected, **source)
                st.rerun()
            except jobs.QueueFullError:
                problem = t.QUEUE_FULL
        if problem:
            told.error(problem)
        if viewed.job_in_view() != prepared.ID:
            shown = st.button(t.PREPARED_SHOW, key="prepared", width="stretch", help=t.PREPARED_SHOW_HELP)
            if shown:
                viewed.view_job(prepared.ID)
                st.rerun()
        next_test.say(t)
    return values, config


def choose_again() -> None:
    """Show the settings beside a result."""
    st.subheader(t.NEXT_TITLE)
    choose(t.RUN_AGAIN)
    settings.link(part=True)


st.title(t.AUDIT_TITLE)
terms.prose(t, t.AUDIT_LEAD)
first = viewed.job_in_view() not in viewed.runs()
job, gone = viewed.find_job(manager, "audit")
if job is not None:
    next_test.take_over(job, first=first)
left, right = landing.columns(job)

if job is not None:
    with right:
        takeaway.opened_note(t, job)
        result_view.job_panel(t, manager, job)
    with left:  # a changed setting leaves the result beside it as it is, so only this part runs again
        st.fragment(choose_again)()
else:
    with right:  # the answer to a changed ε comes first
        if gone:
            st.error(t.UNKNOWN_JOB)
        st.subheader(t.PREVIEW_TITLE)
        terms.prose(t, wording.promise_sentence(t, widgets.epsilon_value()))
        card = st.container()
        views.theory_chart(t, widgets.epsilon_value())
        terms.prose(t, t.PREVIEW_TEXT)
        statistics_view.many_reports(t, widgets.epsilon_value())
        rest = st.container()
    with left:
        values, config = choose(t.RUN)
    with card:
        if config is not None:
            attack_card.show(t, config)
    with rest:
        if config is not None:
            statistics_view.formula(t, config)
        views.limits(t, t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
opening.opener(t, manager)
views.glossary(t)
