"""Run every attack of the papers, compare them with the promise and each other, and see what ε costs."""

import streamlit as st

from pages._shared import compare_form, compare_views, cost, jobs, views, widgets
from pages._shared.text import words

t = words()
manager = jobs.manager()

st.title(t.COMPARE_TITLE)
st.markdown(t.COMPARE_LEAD)
job, gone = widgets.find_job(manager, "compare", compare_form.COMPARISON)
if gone:
    st.error(t.UNKNOWN_JOB)
compare_form.show(t, manager, job)
if job is not None:
    compare_views.panel(t, manager, job)
else:
    compare_views.preview(t)
st.divider()
cost.section(t, manager)
views.limits(t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
views.glossary(t)
