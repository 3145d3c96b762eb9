"""Choose an attack and ε, run the test on this device, watch it, and read what it found."""

from typing import Any

import streamlit as st

from ldp_core import workload
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.studies.audit import workload as plan
from ldp_core.types import AuditConfig
from ldp_core.words import Words
from pages import jobs
from pages.audit import attack_card, next_test, statistics
from pages.audit import result as result_view
from pages.audit import words as audit_words
from pages.frame import landing, terms, wording
from pages.frame.language import words
from pages.state import prepared, press, viewed
from pages.state.viewed import Start
from pages.widgets import downloads, inputs, opening, start, views

t = words()
manager = jobs.manager()


def plan_lines(t: Words, config: AuditConfig, facts: plan.Plan) -> None:
    """Say how long a run takes and that it can show enough; warn if it cannot."""
    line, warning = audit_words.plan_sentences(t, config, facts)
    terms.prose(t, line, small=True, more=t.PLAN_HELP.format(provable=wording.floor_number(facts.provable)))
    if warning:
        st.warning(warning)


def choose(label: str) -> tuple[dict[str, Any], AuditConfig | None]:
    """Show the settings, what they would take and show, and the buttons; return the settings as given and checked."""
    picker, control, below = st.container(), st.container(), st.container()
    with st.expander(t.ADVANCED):
        values = inputs.advanced(t)
    with picker:
        values["attack"] = inputs.attack_picker(t)
        if DISTINGUISHERS[values["distinguisher"]].cautious:
            rule = t.DISTINGUISHERS[values["distinguisher"]].title
            st.markdown(f"{t.DISTINGUISHER}{t.COLON}**{rule}**")
    with control:
        inputs.epsilon_control(t, values["epsilon"])
        terms.prose(t, wording.band(t, values["epsilon"]), small=True)
    config, problem = None, ""
    try:
        config = inputs.config_of(values)
        plan.check_size(config)
        problem = t.OWN_MISSING if values["dataset"] == "own" and values["own"] is None else ""
    except (ValueError, UnsupportedCombinationError, workload.TooLargeError) as error:
        problem = views.problem_sentence(t, error, values["distinguisher"])
    with below:
        if config and not problem:
            plan_lines(t, config, plan.plan(config, manager.values_per_second))
        run = st.container()
        expected = None if DISTINGUISHERS[values["distinguisher"]].cautious else inputs.expectation(t)
        with run:
            source = values["data_dir"], values["download"], values["own"]
            begin = Start(config, *source, expected) if config else None
            start.button(t, manager, begin, label, "run", problem=problem, type="primary", width="stretch")
        if viewed.job_in_view() != prepared.ID:
            show = viewed.shows(prepared.ID)
            press.button(t.PREPARED_SHOW, "prepared", show, fixed=True, width="stretch", help=t.PREPARED_SHOW_HELP)
        next_test.say(t)
    return values, config


st.title(t.AUDIT_TITLE)
terms.prose(t, t.AUDIT_LEAD)
first = viewed.job_in_view() not in viewed.runs()
job, gone = viewed.find_job(manager, "audit")
if job is not None:
    next_test.take_over(job, first=first)
left, right = landing.columns(job)

if job is not None:
    with right:
        downloads.opened_note(t, job)
        result_view.job_panel(t, manager, job)
    with left:
        st.subheader(t.NEXT_TITLE)
        choose(t.RUN_AGAIN)
else:
    with right:  # the answer to a changed ε comes first
        if gone:
            st.error(t.UNKNOWN_JOB)
        st.subheader(t.PREVIEW_TITLE)
        terms.prose(t, wording.promise_sentence(t, inputs.epsilon_value()))
        card = st.container()
        views.theory_chart(t, inputs.epsilon_value())
        terms.prose(t, t.PREVIEW_TEXT)
        statistics.many_reports(t, inputs.epsilon_value())
        rest = st.container()
    with left:
        values, config = choose(t.RUN)
    with card:
        if config is not None:
            attack_card.show(t, config)
    with rest:
        if config is not None:
            statistics.formula(t, config)
        views.limits(t, t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
opening.opener(t, manager)
views.glossary(t)
