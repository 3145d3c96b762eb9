"""Step 2: a picture, its update and the report, side by side, and the line that only the report crosses."""

from functools import lru_cache, partial

import streamlit as st

from ldp_core import illustrate
from ldp_core.studies.glimpse.run import CLASSES, Glimpse, GlimpseConfig
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.overview.story import parts, path
from pages.state import press, viewed
from pages.state.viewed import Start
from pages.widgets import hand, inputs, progress, start

MOST_MB = 20
_UPLOAD, _LABEL, _JOB = "story_upload", "story_label", "story_glimpse"


def _own_picture(t: Words, epsilon: float, seed: int) -> None:
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


_DIGIT, _SEED = "story_digit", "story_device_seed"
_FIRST_DIGIT, _FIRST_SEED = 3, 2
_FORMULAS = (
    r"g = \nabla_\theta\, \ell(\theta; x, y) \in \mathbb{R}^d, \qquad \lVert R(g) \rVert = 1",
    r"\Pr[\langle R(g), g\rangle > 0] = \tfrac12 + \tfrac{\min(\lVert g\rVert, L)}{2L}\tanh\tfrac{\varepsilon}{2}",
    r"\mathbb{E}\,|\cos\angle(R(g), g)| \approx \sqrt{\tfrac{2}{\pi d}}",
)


def show(t: Words, epsilon: float) -> None:
    """Show the step; to be run as a fragment."""
    examples = illustrate.examples()
    st.session_state.setdefault(_DIGIT, _FIRST_DIGIT)
    seed = st.session_state.setdefault(_SEED, _FIRST_SEED)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.pills(t.DEVICE_PICK, range(len(examples)), key=_DIGIT, required=True, persist_state="session", wrap=True)
        st.button(t.DEVICE_AGAIN, key="story_again", type="primary", on_click=_again)
    digit = st.session_state[_DIGIT]
    example, shown = examples[digit], _row(digit, epsilon, seed)
    st.html(path.boundary(t, shown, t.DEVICE_IMAGE_ALT.format(label=example.label)))
    steps = inputs.epsilon_steps(epsilon)
    rows = [_row(digit, step, seed) for step in steps]
    told = [path.side(t, step, row.norm, near=row.near) for step, row in zip(steps, rows, strict=True)]
    hand.follow(
        inputs.EPSILON, "device", {"report": [path.report(t, row) for row in rows], "side": [*map(terms.bold, told)]}
    )
    terms.prose(t, t.DEVICE_FINDING)
    st.html(f'<p data-hand="side">{terms.bold(path.side(t, epsilon, shown.norm, near=shown.near))}</p>')
    text = t.DEVICE_FORMULA_TEXT.format(count=wording.count(shown.count))
    own, experts = st.columns(2)
    with own, st.expander(t.GLIMPSE_TITLE):
        _own_picture(t, epsilon, seed)
    with experts:
        parts.for_experts(t, "device", text, _FORMULAS, seed, epsilon=epsilon, example=digit)


@lru_cache(maxsize=64)
def _row(digit: int, epsilon: float, seed: int) -> path.Row:
    example = illustrate.examples()[digit]
    return path.row(example.image, example.update, epsilon, seed)


def _again() -> None:
    st.session_state[_SEED] += 1
