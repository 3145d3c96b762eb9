"""Run every attack of the papers, compare them with the promise and each other, and see what ε costs."""

import streamlit as st

from pages import jobs, registry
from pages.compare import form as compare_form
from pages.compare import views as compare_views
from pages.frame import terms
from pages.frame.language import words
from pages.widgets import opening, stage, views

t = words()
manager = jobs.manager()

st.title(t.COMPARE_TITLE)
terms.prose(t, t.COMPARE_LEAD)
job = stage.in_view(t, manager, "compare", compare_form.COMPARISON)
config = compare_form.show(t, manager, job)
with st.container(key="stage"):
    compare_views.show(t, manager, job, config)
registry.show_ends(t, manager, "compare")
opening.opener(t, manager)
views.glossary(t)
