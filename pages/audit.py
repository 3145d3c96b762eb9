"""Choose an attack and ε, run the test on this device, watch it, and read what it found."""

from typing import Any

import streamlit as st

from pages._shared import jobs, plan, views, widgets, wording
from pages._shared.text import words

t = words()
manager = jobs.manager()


def choose(label: str) -> dict[str, Any]:
    """Show the settings, what they would take and show, and the button; return the settings."""
    picker, control, start = st.container(), st.container(), st.container()
    with st.expander(t.ADVANCED):
        values = widgets.advanced(t)
    with picker:
        values["attack"] = widgets.attack_picker(t)
    with control:
        widgets.epsilon_control(t, values["epsilon"])
    config, problem = None, ""
    try:
        config = widgets.config_of(values)
        plan.check_size(config)
        problem = t.OWN_MISSING if values["dataset"] == "own" and values["own"] is None else ""
    except (ValueError, plan.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
    with start:
        if config and not problem:
            views.plan_lines(t, config, plan.plan(config, manager.values_per_second))
        pressed = st.button(label, key="run", type="primary", width="stretch", disabled=bool(problem))
        if pressed and config:
            try:
                widgets.start_job(manager, config, values["data_dir"], download=values["download"], own=values["own"])
                st.rerun()
            except jobs.QueueFullError:
                problem = t.QUEUE_FULL
        if problem:
            st.error(problem)
    return values


st.title(t.AUDIT_TITLE)
st.markdown(t.AUDIT_LEAD)
job, gone = widgets.find_job(manager, "audit")
left, right = st.columns([5, 8], gap="large")

if job is not None:
    with right:
        views.job_panel(t, manager, job)
    with left:  # a changed setting leaves the result beside it as it is, so only this part runs again
        st.fragment(choose)(t.RUN_AGAIN)
else:
    with left:
        chosen = choose(t.RUN)
    with right:
        if gone:
            st.error(t.UNKNOWN_JOB)
        st.subheader(t.PREVIEW_TITLE)
        st.markdown(wording.promise_sentence(t, chosen["epsilon"]))
        views.theory_chart(t, chosen["epsilon"])
        st.markdown(t.PREVIEW_TEXT)
        views.limits(t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
views.glossary(t)
