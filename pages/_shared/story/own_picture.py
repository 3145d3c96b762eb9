"""A fold of step 1: the client's own picture, whose update the worker computes; it is kept nowhere but in its job."""

from types import ModuleType

import streamlit as st

from ldp_core import figures
from ldp_core.glimpse import CLASSES, Glimpse, GlimpseConfig
from pages._shared import jobs, progress, terms, wording
from pages._shared.job import Job
from pages._shared.story import path

MOST_MB = 20
_UPLOAD, _LABEL, _JOB = "story_upload", "story_label", "story_glimpse"
_SHORT_SECONDS = 0.3


def show(t: ModuleType, epsilon: float, seed: int) -> None:
    """Ask for a picture and its label, and show what the worker made of it."""
    manager = jobs.manager()
    terms.prose(t, t.GLIMPSE_TEXT)
    upload = st.file_uploader(t.GLIMPSE_UPLOAD, ["png", "jpg", "jpeg"], key=_UPLOAD, max_upload_size=MOST_MB)
    label = st.selectbox(
        t.GLIMPSE_LABEL, [None, *range(CLASSES)], key=_LABEL,
        format_func=lambda label: t.GLIMPSE_LABEL_GUESS if label is None else str(label),
    )  # fmt: skip
    if st.button(t.GLIMPSE_START, key="story_glimpse_start", disabled=upload is None) and upload is not None:
        try:
            job = manager.submit(GlimpseConfig(label), own=upload.getvalue())
            manager.attach(job, jobs.viewer())
            st.session_state[_JOB] = job.id
            job.ended.wait(_SHORT_SECONDS)
        except jobs.QueueFullError:
            st.error(t.QUEUE_FULL)
    if _JOB not in st.session_state:
        return
    viewed = manager.get(st.session_state[_JOB])
    if viewed is None:
        terms.prose(t, t.GLIMPSE_GONE, small=True)
    elif not viewed.finished:
        progress.watch(t, manager, viewed)
    elif viewed.state == "failed":
        st.error(wording.failure(t, viewed.error))
    elif viewed.result is not None:
        _result(t, viewed, epsilon, seed)


def _result(t: ModuleType, job: Job, epsilon: float, seed: int) -> None:
    """Show the picture's row; what is drawn of it stays in the job."""
    found: Glimpse = job.result
    if (epsilon, seed) not in job.drawn:
        job.drawn = {(epsilon, seed): path.row(found.image, found.update, epsilon, seed)}
    shown = job.drawn[epsilon, seed]
    st.html(path.boundary(t, shown, t.DEVICE_OWN_ALT.format(label=found.label)))
    labelled = t.GLIMPSE_LABELLED["guessed" if job.config.label is None else "given"]
    sure = wording.percent(t, figures.of_100(100.0 * found.sureness, t.FIGURES))
    sentences = [labelled.format(label=found.label, guess=found.guess, sure=sure), t.GLIMPSE_DIGITS]
    if found.inverted:
        sentences.append(t.GLIMPSE_INVERTED)
    terms.prose(t, t.SPACE.join(sentences))
    terms.prose(t, path.side(t, epsilon, shown.norm, near=shown.near))
