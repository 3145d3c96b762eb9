"""Point the check at a mechanism: one of ours, or somebody else's answers to a challenge."""

from collections.abc import Callable

import streamlit as st

from pages import jobs
from pages.check import files as check_files
from pages.check import form as check_form
from pages.check import view as check_view
from pages.frame import landing, terms
from pages.frame.language import words
from pages.state import viewed
from pages.widgets import downloads, opening, views

t = words()
manager = jobs.manager()


def choose(label: str) -> Callable[[], None]:
    """Show the two ways that this page has, and the settings of the one that was picked; see ``check_form.show``."""
    if check_form.way(t) == "files":
        return check_files.show(t, manager)
    return check_form.show(t, manager, label)


st.title(t.CHECK_TITLE)
terms.prose(t, t.CHECK_LEAD)
check_form.ways(t)
job, gone = viewed.find_job(manager, "check", check_form.CHECK)
left, right = landing.columns(job)

if job is not None:
    with right:
        downloads.opened_note(t, job)
        check_view.panel(t, manager, job)
    with left:
        st.subheader(t.CHECK_AGAIN)
        tell = choose(t.CHECK_RUN)
else:
    with left:
        tell = choose(t.CHECK_RUN)
    with right:
        if gone:
            st.error(t.CHECK_GONE)
        check_view.preview(t)
opening.opener(t, manager)
views.glossary(t)
tell()
