"""Choose an attack and ε, run the test on this device, watch it, and read what it found."""

import streamlit as st

from pages._shared import jobs, plan, views, widgets, wording
from pages._shared.text import words

t = words()
manager = jobs.manager()
st.title(t.AUDIT_TITLE)
st.markdown(t.AUDIT_LEAD)

job_id = widgets.job_in_view()
job = manager.get(job_id)
choose, show = st.columns([5, 8], gap="large")

with choose:
    picker, control, start = st.container(), st.container(), st.container()
    with st.expander(t.ADVANCED):
        values = widgets.advanced(t)
    with picker:
        values["attack"] = widgets.attack_picker(t)
    with control:
        widgets.epsilon_control(t, values["epsilon"])
    config = problem = None
    try:
        config = widgets.config_of(values)
        plan.check_size(config)
    except (ValueError, plan.TooLargeError) as error:
        problem = views.problem_sentence(t, error)
with choose, start:
    if config is not None and problem is None:
        views.plan_lines(t, config, plan.plan(config, manager.values_per_second))
    label = t.RUN if job is None else t.RUN_AGAIN
    if st.button(label, key="run", type="primary", width="stretch", disabled=problem is not None) and config:
        try:
            job = manager.submit(config, values["data_dir"], download=values["download"])
            manager.attach(job, jobs.viewer())
            widgets.view_job(job.id)
            job.ended.wait(0.3)
            st.rerun()
        except jobs.QueueFullError:
            problem = t.QUEUE_FULL
    if problem:
        st.error(problem)

with show:
    if job is not None:
        widgets.view_job(job.id)
        views.job_panel(t, manager, job)
    else:
        if job_id:
            st.error(t.UNKNOWN_JOB)
            widgets.forget_job()
        st.subheader(t.PREVIEW_TITLE)
        st.markdown(wording.promise_sentence(t, values["epsilon"]))
        views.theory_chart(t, values["epsilon"])
        st.markdown(t.PREVIEW_TEXT)
        views.limits(t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
views.glossary(t)
