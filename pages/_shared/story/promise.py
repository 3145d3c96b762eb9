"""Step 4: the promise at every ε, with a suspicion beforehand, over many reports, and at common values."""

from functools import lru_cache
from types import ModuleType

import streamlit as st

from ldp_core import figures, theory
from pages._shared import tables, terms, views, wording
from pages._shared.story import parts

ROUNDS = (1, 3, 10, 100)
VALUES = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
SUSPICION, NEARLY_SURE = 10, 95
_BELIEF = "story_belief"
_FORMULAS = (
    r"\Pr[R(g) \in S] \le e^{\varepsilon}\,\Pr[R(g') \in S]",
    r"c = \tfrac{e^{\varepsilon}}{1 + e^{\varepsilon}}, \qquad "
    r"\pi \mapsto \tfrac{\pi e^{\varepsilon}}{\pi e^{\varepsilon} + 1 - \pi}",
)


def show(t: ModuleType, epsilon: float) -> None:
    """Show the curve beside who sees what, then belief and repetition, then the table of common values."""
    left, right = st.columns([7, 5], gap="large")
    with left:
        st.subheader(t.OVERVIEW_CURVE)
        terms.prose(t, t.OVERVIEW_CURVE_TEXT)
        views.drawn(_promise(t, epsilon))
    with right:
        st.subheader(t.VALUES_TITLE)
        terms.prose(t, t.VALUES_TEXT)
        tables.table(values(t), t.VALUES_TITLE)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(t.BELIEF_TITLE)
        terms.prose(t, t.BELIEF_TEXT)
        st.fragment(_belief)(t, epsilon)
    with right:
        st.subheader(t.ROUNDS_TITLE)
        numbers = {"reports": ROUNDS[2], "epsilon": wording.number(epsilon), "total": _together(epsilon, ROUNDS[2])}
        terms.prose(t, t.ROUNDS_TEXT.format(**numbers))
        tables.table(rounds(t, epsilon), t.ROUNDS_TITLE)
        views.drawn(_rounds(t, epsilon))
    st.fragment(parts.for_experts)(t, "promise", t.PROMISE_FORMULA_TEXT, _FORMULAS)


def rounds(t: ModuleType, epsilon: float) -> list[dict[str, str]]:
    """Return what several reports are promised together, and the right guesses that this allows."""
    lines = (
        (
            wording.count(number),
            t.ROUNDS_PROMISED.format(epsilon=_together(epsilon, number)),
            _percent(t, theory.rounds_identification(epsilon, number)),
        )
        for number in ROUNDS
    )
    return [dict(zip(t.ROUNDS_COLUMNS, line, strict=True)) for line in lines]


def values(t: ModuleType) -> list[dict[str, str]]:
    """Return what common values of ε mean: right guesses, a suspicion's growth, reports until nearly sure."""
    lines = (
        (
            wording.number(epsilon),
            _percent(t, theory.worst_case_identification(epsilon)),
            _percent(t, theory.posterior(SUSPICION / 100, epsilon)),
            wording.count(theory.rounds_until(epsilon, NEARLY_SURE / 100)),
        )
        for epsilon in VALUES
    )
    return [dict(zip(t.VALUES_COLUMNS, line, strict=True)) for line in lines]


def _belief(t: ModuleType, epsilon: float) -> None:
    before = st.slider(t.BELIEF_SLIDER, 5, 95, 10, 5, key=_BELIEF, persist_state="session", help=t.BELIEF_SLIDER_HELP)
    after = wording.at_most(t, theory.posterior(before / 100, epsilon))
    terms.prose(t, t.BELIEF_RESULT.format(before=before, share=after))
    views.drawn(figures.posterior_svg(before / 100, epsilon, t.FIGURES))


def _percent(t: ModuleType, chance: float) -> str:
    """Write a chance for a column, whose numbers shall all have one unit."""
    return wording.percent(t, figures.of_100(100.0 * chance, t.FIGURES))


def _together(epsilon: float, reports: int) -> str:
    """Write what so many reports are promised together."""
    return wording.number(reports * epsilon)


@lru_cache(maxsize=64)
def _promise(t: ModuleType, epsilon: float) -> str:
    return figures.promise_svg(epsilon, t.FIGURES)


@lru_cache(maxsize=64)
def _rounds(t: ModuleType, epsilon: float) -> str:
    return figures.rounds_svg(epsilon, t.FIGURES)
