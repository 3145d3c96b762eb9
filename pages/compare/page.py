"""Run every attack of the papers, compare them with the promise and each other, and see what ε costs."""

import streamlit as st

from pages import jobs, registry
from pages.compare import form as compare_form
from pages.compare import views as compare_views
from pages.frame import terms
from pages.frame.language import words
from pages.state import viewed
from pages.widgets import downloads, opening, runs, views

t = words()
manager = jobs.manager()

st.title(t.COMPARE_TITLE)
terms.prose(t, t.COMPARE_LEAD)
job, gone = viewed.find_job(manager, "compare", compare_form.COMPARISON)
if gone:
    st.error(t.UNKNOWN_JOB)
compare_form.show(t, manager, job)
downloads.opened_note(t, job)
if job is not None:
    compare_views.panel(t, manager, job)
else:
    compare_views.preview(t)
runs.section(t, manager)
for page in registry.placed("compare").values():
    if page.ends is not None:
        page.ends(t, manager)
opening.opener(t, manager)
views.limits(t, t.RUN_LIMITS_TITLE, t.RUN_LIMITS)
views.glossary(t)
