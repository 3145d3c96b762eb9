"""A study's page, and its end: a box that opens the client's file, trusts it as little as the network, and shows it."""

from collections.abc import Callable

import streamlit as st

from ldp_core import results as core
from ldp_core.words import Words
from pages import jobs, registry
from pages.frame import scroll_to, terms
from pages.state import current_run
from pages.widgets import views

_UPLOAD, _DONE, _TOLD = "open_file", "open_done", "open_told"
_MEGABYTE = 2**20


def page(t: Words, title: str, lead: str, show: Callable[[Words, jobs.JobManager], None]) -> None:
    """Show a study's page, with what stands at the end of each: the box that opens a result, and the glossary."""
    manager = jobs.manager()
    st.title(title)
    terms.prose(t, lead)
    show(t, manager)
    opener(t, manager)
    views.glossary(t)


def opener(t: Words, manager: jobs.JobManager) -> None:
    """Offer to open a saved result, and show it where results of its kind are shown."""
    _tell(t)
    with st.expander(t.OPEN_TITLE):
        terms.prose(t, t.OPEN_LEAD)
        limit = core.MOST_BYTES // _MEGABYTE
        upload = st.file_uploader(t.OPEN_FILE, "json", key=_UPLOAD, max_upload_size=limit)
        if upload is None or st.session_state.get(_DONE) == upload.file_id:
            return
        try:
            job = manager.open(core.read(upload.getvalue()))
        except core.UnreadableError as error:  # its sentence may quote the file
            st.error(t.OPEN_ERRORS[error.reason].format(limit=limit))
            return
        st.session_state[_DONE] = upload.file_id
        page = registry.pages()[job.kind]
        current_run.view_job(job.id, page.key)
        page.opened(job.id)
        st.session_state[_TOLD] = job.kind, job.id
        st.switch_page(registry.script(job.kind), query_params={page.key: job.id})


def _tell(t: Words) -> None:
    """Say once that a file is open; what it holds may stand far from where it was picked."""
    kind, job_id = st.session_state.pop(_TOLD, ("", ""))
    if kind:
        st.toast(t.OPENED_TOAST)
    if kind and not registry.pages()[kind].lands:
        scroll_to.show(job_id, f".st-key-opened_{kind}")
