"""Point the check at a mechanism: one of ours, or somebody else's answers to a challenge."""

from collections.abc import Callable

import streamlit as st

from pages._shared import (
    check_files,
    check_form,
    check_view,
    jobs,
    landing,
    opening,
    settings,
    takeaway,
    terms,
    viewed,
    views,
)
from pages._shared.language import words

t = words()
manager = jobs.manager()


def choose(label: str) -> Callable[[], None]:
    """Show the two ways that this page has, and the settings of the one that was picked; see ``check_form.show``."""
    if check_form.way(t) == "files":
        return check_files.show(t, manager)
    return check_form.show(t, manager, label)


def choose_again() -> None:
    """Show the settings beside a result."""
    st.subheader(t.CHECK_AGAIN)
    tell = choose(t.CHECK_RUN)
    settings.link(part=True)
    tell()


st.title(t.CHECK_TITLE)
terms.prose(t, t.CHECK_LEAD)
check_form.ways(t)
job, gone = viewed.find_job(manager, "check", check_form.CHECK)
left, right = landing.columns(job)
tell = check_form.no_plan

if job is not None:
    with right:
        takeaway.opened_note(t, job)
        check_view.panel(t, manager, job)
    with left:  # a changed setting leaves the result beside it as it is, so only this part runs again
        st.fragment(choose_again)()
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
