"""Choose an attack and ε, run the test on this device, watch it, and read what it found."""

import streamlit as st

from pages import jobs
from pages.audit import form, next_test, result, stage
from pages.frame import scroll_to, wording
from pages.frame.language import words
from pages.state import current_run
from pages.widgets import inputs, progress, views

t = words()
manager = jobs.manager()
first = current_run.job_in_view() not in current_run.runs()
job, gone = current_run.find_job(manager, "audit")
with st.container():  # what comes and goes stands within a part: what follows keeps its place, and is not made anew
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(t.AUDIT_TITLE, width="content")
        beside = st.container(key="old", horizontal=True, vertical_alignment="center", gap="small", width="content")
    if job is not None:
        next_test.take_over(job, first=first)
        scroll_to.show(job.id, ".st-key-stage")
    if gone:
        st.error(t.UNKNOWN_JOB)
    if job is not None and job.state == "failed":
        st.error(wording.failure(t, job.error))
shown = None if job is None or job.state == "failed" else job
begin, plan, going = form.bar(t, manager, shown, beside)
config = begin.config if begin is not None else None
seen = manager.seen_by(jobs.viewer())
drawn = stage.before(t, inputs.epsilon_value(), seen, plan) if shown is None else stage.still()
if shown is not None and not going:
    drawn = stage.after(t, shown, seen, config)
progress.on_stage(t, manager, shown, drawn, going=going)
result.tabs(t, manager, None if going else shown, begin, going=going)
views.glossary(t)
