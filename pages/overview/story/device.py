"""Step 2: a picture, its update and the report, side by side, and the line that only the report crosses."""

from functools import lru_cache

import streamlit as st

from ldp_core import illustrate
from ldp_core.words import Words
from pages.frame import terms, wording
from pages.overview.story import own_picture, parts, path
from pages.widgets import hand, inputs

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
        own_picture.show(t, epsilon, seed)
    with experts:
        parts.for_experts(t, "device", text, _FORMULAS, seed, epsilon=epsilon, example=digit)


@lru_cache(maxsize=64)
def _row(digit: int, epsilon: float, seed: int) -> path.Row:
    example = illustrate.examples()[digit]
    return path.row(example.image, example.update, epsilon, seed)


def _again() -> None:
    st.session_state[_SEED] += 1
