"""Step 2: a picture, its update and the report, side by side, and the line that only the report crosses."""

import html
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from ldp_core import illustrate
from ldp_core.presentation import figures
from ldp_core.studies.glimpse.run import CLASSES, Glimpse, GlimpseConfig
from ldp_core.words import Words
from pages import jobs
from pages.frame import terms, wording
from pages.jobs.job import Job
from pages.jobs.png import png_of
from pages.overview.story import parts
from pages.state import callbacks, current_run
from pages.state.current_run import Start
from pages.widgets import hand, inputs, pictures, progress, start


@dataclass(frozen=True, slots=True)
class Row:
    """An image, its update and a report of it as data URIs; the update's size and length; the report's side."""

    image: str
    update: str
    report: str
    count: int
    norm: float
    near: bool


def row(image: Any, update: illustrate.Vector, epsilon: float, seed: int) -> Row:
    """Draw an image (an array of bytes, one for each pixel), its update, and the report that a seed gives."""
    report, near = illustrate.randomize(update, epsilon, seed)
    pixels = (image, figures.update_pixels(update), figures.update_pixels(report))
    drawn = [pictures.uri(png_of(raster), "png") for raster in pixels]
    return Row(drawn[0], drawn[1], drawn[2], len(update), illustrate.norm_of(update), near)


def boundary(t: Words, shown: Row, image_alt: str) -> str:
    """Return the row as HTML: what is on the device, what crosses the line, and where randomness is added."""
    count = wording.count(shown.count)
    image = _figure(shown.image, image_alt, t.DEVICE_CAPTIONS[0])
    update = _figure(shown.update, t.DEVICE_UPDATE_ALT.format(count=count), t.DEVICE_CAPTIONS[1])
    device, network, server = (f"<strong>{name}</strong>" for name in t.DEVICE_ZONES)
    arrow = '<span class="ldp-arrow" aria-hidden="true">→</span>'
    randomness = f'<span class="ldp-random">{t.DEVICE_RANDOMNESS}</span>'
    zones = (
        f'<div class="ldp-zone ldp-home">{device}<div>{image}{arrow}{update}{arrow}{randomness}</div></div>',
        f'<div class="ldp-line"><span>{t.DEVICE_LINE}</span>{arrow}</div>',
        f'<div class="ldp-away"><div class="ldp-zone">{network}<div data-hand="report">{report(t, shown)}</div>',
        f"<span>{t.DEVICE_ATTACKER}</span>",
        f'</div><div class="ldp-zone">{server}<span>{t.DEVICE_SERVER}</span></div></div>',
    )
    return f'<div class="ldp-path">{"".join(zones)}</div>'


def report(t: Words, shown: Row) -> str:
    return _figure(shown.report, t.DEVICE_REPORT_ALT.format(count=wording.count(shown.count)), t.DEVICE_CAPTIONS[-1])


def _figure(source: str, alt: str, caption: str) -> str:
    return f'<figure><img src="{source}" alt="{html.escape(alt)}"><figcaption>{caption}</figcaption></figure>'


def side(t: Words, epsilon: float, norm: float, *, near: bool) -> str:
    """Say on which side a report lies, and how often it lies on the update's own side."""
    chance = illustrate.near_probability(epsilon, norm)
    share = t.DEVICE_SHARE.format(epsilon=wording.number(epsilon), share=wording.limit(t, chance))
    return f"{t.DEVICE_SIDE['near' if near else 'far']}{t.SPACE}{share}"


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
    begin = None
    if upload is not None:
        begin = current_run.begins(manager, Start(GlimpseConfig(label), own=upload.getvalue()), held)
    if failure := callbacks.button(t.GLIMPSE_START, "story_glimpse_start", begin, partial(start.not_begun, t)):
        st.error(failure)
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
    glimpse: Glimpse = job.result
    if (epsilon, seed) not in job.drawn:
        job.drawn = {(epsilon, seed): row(glimpse.image, glimpse.update, epsilon, seed)}
    shown = job.drawn[epsilon, seed]
    st.html(boundary(t, shown, t.DEVICE_OWN_ALT.format(label=glimpse.label)))
    labelled = t.GLIMPSE_LABELLED["guessed" if job.config.label is None else "given"]
    sure = wording.in_percent(t, glimpse.sureness)
    sentences = [labelled.format(label=glimpse.label, guess=glimpse.guess, sure=sure), t.GLIMPSE_DIGITS]
    if glimpse.inverted:
        sentences.append(t.GLIMPSE_INVERTED)
    terms.prose(t, t.SPACE.join(sentences))
    terms.prose(t, side(t, epsilon, shown.norm, near=shown.near))


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
    st.html(boundary(t, shown, t.DEVICE_IMAGE_ALT.format(label=example.label)))
    steps = inputs.epsilon_steps(epsilon)
    rows = [_row(digit, step, seed) for step in steps]
    sentences = [side(t, step, row.norm, near=row.near) for step, row in zip(steps, rows, strict=True)]
    hand.follow(
        inputs.EPSILON, "device", {"report": [report(t, row) for row in rows], "side": [*map(terms.bold, sentences)]}
    )
    terms.prose(t, t.DEVICE_FINDING)
    st.html(f'<p data-hand="side">{terms.bold(side(t, epsilon, shown.norm, near=shown.near))}</p>')
    text = t.DEVICE_FORMULA_TEXT.format(count=wording.count(shown.count))
    upload, experts = st.columns(2)
    with upload, st.expander(t.GLIMPSE_TITLE):
        _own_picture(t, epsilon, seed)
    with experts:
        parts.for_experts(t, "device", text, _FORMULAS, seed, epsilon=epsilon, example=digit)


@lru_cache(maxsize=64)
def _row(digit: int, epsilon: float, seed: int) -> Row:
    example = illustrate.examples()[digit]
    return row(example.image, example.update, epsilon, seed)


def _again() -> None:
    st.session_state[_SEED] += 1
