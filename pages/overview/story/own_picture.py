"""A fold of step 2: the client's own picture, whose update the worker computes; it is kept nowhere but in its job."""

from functools import partial

import streamlit as st

from ldp_core.studies.glimpse.run import CLASSES, Glimpse, GlimpseConfig
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.overview.story import path
from pages.state import press, viewed
from pages.state.viewed import Start
from pages.widgets import progress, start

MOST_MB = 20
_UPLOAD, _LABEL, _JOB = "story_upload", "story_label", "story_glimpse"


def show(t: Words, epsilon: float, seed: int) -> None:
    """Ask for a picture and its label, and show what the worker made of it."""
    manager = jobs.manager()
    terms.prose(t, t.GLIMPSE_TEXT)
    upload = st.file_uploader(t.GLIMPSE_UPLOAD, ["png", "jpg", "jpeg"], key=_UPLOAD, max_upload_size=MOST_MB)
    label = st.selectbox(
        t.GLIMPSE_LABEL, [None, *range(CLASSES)], key=_LABEL,
        format_func=lambda label: t.GLIMPSE_LABEL_GUESS if label is None else str(label),
    )  # fmt: skip
    held: dict[str, str] = st.session_state.setdefault(_JOB, {})
    begin = None if upload is None else viewed.begins(manager, Start(GlimpseConfig(label), own=upload.getvalue()), held)
    if told := press.button(t.GLIMPSE_START, "story_glimpse_start", begin, partial(start.not_begun, t)):
        st.error(told)
    if not held:
        return
    job = manager.get(held["job"])
    if job is None:
        terms.prose(t, t.GLIMPSE_GONE, small=True)
    elif not job.finished:
        progress.watch(t, manager, job)
    elif job.state == "failed":
        st.error(wording.failure(t, job.error))
    elif job.result is not None:
        _result(t, job, epsilon, seed)


def _result(t: Words, job: Job, epsilon: float, seed: int) -> None:
    """Show the picture's row; what is drawn of it stays in the job."""
    found: Glimpse = job.result
    if (epsilon, seed) not in job.drawn:
        job.drawn = {(epsilon, seed): path.row(found.image, found.update, epsilon, seed)}
    shown = job.drawn[epsilon, seed]
    st.html(path.boundary(t, shown, t.DEVICE_OWN_ALT.format(label=found.label)))
    labelled = t.GLIMPSE_LABELLED["guessed" if job.config.label is None else "given"]
    sure = wording.in_percent(t, found.sureness)
    sentences = [labelled.format(label=found.label, guess=found.guess, sure=sure), t.GLIMPSE_DIGITS]
    if found.inverted:
        sentences.append(t.GLIMPSE_INVERTED)
    terms.prose(t, t.SPACE.join(sentences))
    terms.prose(t, path.side(t, epsilon, shown.norm, near=shown.near))
