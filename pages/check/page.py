"""Point the check at a mechanism: one of ours, somebody else's answers to a challenge, or what an app sends."""

import streamlit as st

from pages import jobs
from pages.check import form as check_form
from pages.check import view as check_view
from pages.frame import scroll_to, terms
from pages.frame.language import words
from pages.state import current_run
from pages.widgets import opening, views

t = words()
manager = jobs.manager()

st.title(t.CHECK_TITLE)
terms.prose(t, t.CHECK_LEAD)
job, gone = current_run.find_job(manager, "check", check_form.CHECK)
if gone:
    st.error(t.CHECK_GONE)
tell, config, stage = check_form.show(t, manager, job)
if job is not None and stage is None:
    scroll_to.show(job.id, ".st-key-stage")
with st.container(key="stage"):
    if stage is not None:
        stage()
    elif job is not None:
        check_view.panel(t, manager, job, config)
    else:
        check_view.preview(t, check_form.ways)
opening.opener(t, manager)
views.glossary(t)
tell()
