"""Run every attack of the papers, compare them with the promise and each other, and see what ε costs."""

import streamlit as st

from pages._shared import compare_form, compare_views, cost, jobs, opening, runs, takeaway, terms, viewed, views
from pages._shared.language import words

t = words()
manager = jobs.manager()

st.title(t.COMPARE_TITLE)
terms.prose(t, t.COMPARE_LEAD)
job, gone = viewed.find_job(manager, "compare", compare_form.COMPARISON)
if gone:
    st.error(t.UNKNOWN_JOB)
compare_form.show(t, manager, job)
takeaway.opened_note(t, job)
if job is not None:
    compare_views.panel(t, manager, job)
else:
    compare_views.preview(t)
runs.section(t, manager)
st.divider()
cost.section(t, manager)
opening.opened_path(t, manager)
opening.opener(t, manager)
views.limits(t, t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
views.glossary(t)
