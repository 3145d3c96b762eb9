"""Opens a saved result: reads the client's file, trusts it as little as the network, and shows what it holds."""

from types import ModuleType

import streamlit as st

from ldp_core import figures, tables
from ldp_core import takeaway as core
from pages._shared import (
    check_form,
    compare_form,
    cost,
    jobs,
    landing,
    map_view,
    next_test,
    takeaway,
    terms,
    viewed,
    views,
    widgets,
)

_PAGES = {
    "audit": ("../audit.py", viewed.JOB),
    "compare": ("../compare.py", compare_form.COMPARISON),
    "utility": ("../compare.py", cost.COST),
    "path": ("../compare.py", map_view.PATH),
    "check": ("../check.py", check_form.CHECK),
}
_UPLOAD, _DONE, _TOLD = "open_file", "open_done", "open_told"
_MEGABYTE = 2**20


def opener(t: ModuleType, manager: jobs.JobManager) -> None:
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
        page, key = _PAGES[job.kind]
        viewed.view_job(job.id, key)
        if job.kind == "audit":
            next_test.follow(job.id)
        st.session_state[_TOLD] = job.kind, job.id
        st.switch_page(page, query_params={key: job.id})


def _tell(t: ModuleType) -> None:
    """Say once that a file is open; what it holds may stand far from where it was picked."""
    kind, job_id = st.session_state.pop(_TOLD, ("", ""))
    if kind:
        st.toast(t.OPENED_TOAST)
    if kind not in ("", "audit", "check"):  # these pages bring their results into view themselves
        landing.show(job_id, f".st-key-opened_{kind}")


def opened_path(t: ModuleType, manager: jobs.JobManager) -> None:
    """Show a training path from a file, which has no comparison to stand in."""
    job = map_view.path_job(manager)
    if job is None or not job.opened or not job.result.levels:
        return
    st.subheader(t.OPENED_PATH)
    takeaway.opened_note(t, job)
    config = job.config
    epsilon = widgets.PAPERS[-1]
    steps = [tables.level_points(level, epsilon, config.clip_norm) for level in job.result.levels]
    figure = figures.map_figure(epsilon, config.clip_norm, steps[-1], t.FIGURES, steps[:-1])
    views.chart(figure, "opened_path", figures.map_alt(epsilon, steps[-1], t.FIGURES))
    takeaway.downloads(t, job)
