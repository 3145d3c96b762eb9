"""Step 3: an update as an arrow, its reports on both sides of a circle or sphere, and the share on its own side."""

from functools import lru_cache

import plotly.graph_objects as go
import streamlit as st

from ldp_core import illustrate
from ldp_core.presentation import figures
from ldp_core.words import Words
from pages.frame import terms, wording
from pages.overview.story import parts
from pages.widgets import views

MOST, MANY, FIRST = 2_000, 200, 10
_LENGTH, _SPHERE, _SENT, _SEED = "story_length", "story_sphere", "story_sent", "story_seed"
_FIRST_SEED = 16
_CLIP, _NEARLY = 1.0, 0.95
_FORMULAS = (
    r"q = \tfrac12 + \tfrac{\min(n, L)}{2L}\,\tanh\tfrac{\varepsilon}{2}",
    r"n \ge L:\quad q = \tfrac{e^{\varepsilon}}{1 + e^{\varepsilon}}",
    r"n < L:\quad g \mapsto \pm L\,\tfrac{g}{n}, \quad \Pr[+] = \tfrac12 + \tfrac{n}{2L}",
)


def show(t: Words, epsilon: float) -> None:
    """Show the step; to be run as a fragment. The update's length, and with it the second coin, waits in a fold."""
    count = st.session_state.setdefault(_SENT, FIRST)
    seed = st.session_state.setdefault(_SEED, _FIRST_SEED)
    picture, control = st.columns([6, 6], gap="large")
    with control:
        above = st.container()
        with st.expander(t.RANDOMIZER_MORE):
            deep = st.toggle(t.RANDOMIZER_SPHERE, key=_SPHERE, persist_state="session")
            terms.prose(t, t.RANDOMIZER_MORE_TEXT)
            length = st.slider(
                t.RANDOMIZER_LENGTH, 0.0, 1.5, 1.0, 0.05, "%.2f", key=_LENGTH, persist_state="session",
                help=t.RANDOMIZER_LENGTH_HELP,
            )  # fmt: skip
    with above:
        with st.container(horizontal=True):
            full = count + MANY > MOST
            st.button(
                t.RANDOMIZER_ONE, key="story_one", type="primary", on_click=_send, args=(1,), disabled=count >= MOST
            )
            st.button(t.RANDOMIZER_MANY, key="story_many", on_click=_send, args=(MANY,), disabled=full)
            st.button(t.RANDOMIZER_RESET, key="story_reset", on_click=_reset)
        sent = _sent(epsilon, length, count, seed, deep)
        terms.prose(t, counted(t, sent, epsilon, length))
        if count >= MOST:
            st.caption(t.RANDOMIZER_FULL)
        views.drawn(_share(t, epsilon, length, count, seed, deep))
        terms.prose(t, t.RANDOMIZER_FINDING[_finding(epsilon, length)])
    with control:
        parts.for_experts(
            t, "randomizer", t.RANDOMIZER_FORMULA_TEXT, _FORMULAS, seed, epsilon=epsilon, norm=length, reports=count
        )
    with picture:
        if deep:
            alt = figures.half_circle_alt(sent, epsilon, length, _CLIP, t.FIGURES)
            views.chart(t, _sphere(t, epsilon, length, count, seed), "sphere", alt)
        else:
            views.drawn(_circle(t, epsilon, length, count, seed))


def counted(t: Words, sent: illustrate.SentReports, epsilon: float, length: float) -> str:
    """Say how many reports lie on the update's side, beside how many do in the long run."""
    share = wording.limit(t, illustrate.near_probability(epsilon, length, _CLIP))
    text: str = t.RANDOMIZER_COUNT if len(sent.points) else t.RANDOMIZER_NONE
    return text.format(near=wording.count(sent.num_near), sent=wording.count(len(sent.points)), share=share)


def _finding(epsilon: float, length: float) -> str:
    """Return which sentence holds: reports tell nothing, a hint, nearly all, or practically all."""
    share = illustrate.near_probability(epsilon, length, _CLIP)
    if not length or figures.opens(100.0 * share):
        return "open" if length else "none"
    return "near" if share >= _NEARLY else "full"


@lru_cache(maxsize=64)
def _sent(epsilon: float, length: float, count: int, seed: int, deep: bool) -> illustrate.SentReports:
    return illustrate.send(epsilon, length, count, seed, clip_norm=_CLIP, dimension=3 if deep else 2)


@lru_cache(maxsize=64)
def _circle(t: Words, epsilon: float, length: float, count: int, seed: int) -> str:
    return figures.half_circle_svg(_sent(epsilon, length, count, seed, False), epsilon, length, _CLIP, t.FIGURES)


@lru_cache(maxsize=64)
def _sphere(t: Words, epsilon: float, length: float, count: int, seed: int) -> go.Figure:
    return figures.sphere_figure(_sent(epsilon, length, count, seed, True), epsilon, length, _CLIP, t.FIGURES)


@lru_cache(maxsize=64)
def _share(t: Words, epsilon: float, length: float, count: int, seed: int, deep: bool) -> str:
    return figures.share_svg(_sent(epsilon, length, count, seed, deep), epsilon, length, _CLIP, t.FIGURES)


def _send(more: int) -> None:
    st.session_state[_SENT] += more


def _reset() -> None:
    """Begin anew with other reports."""
    st.session_state[_SENT] = 0
    st.session_state[_SEED] += 1
