"""Step 4: the promise at every ε, with a suspicion beforehand, over many reports, and at common values."""

from functools import lru_cache

import streamlit as st

from ldp_core.presentation import figures
from ldp_core.statistics import theory
from ldp_core.statistics.known_epsilons import KNOWN, REGISTRY, KnownEpsilon
from ldp_core.words import Words
from pages.frame import terms, wording
from pages.overview.story import parts
from pages.widgets import tables, views


def known(t: Words, entry: KnownEpsilon) -> tuple[str, ...]:
    """Return the row of a known system in the words of a language."""
    statistic, per = t.KNOWN[entry.key]
    epsilon = t.KNOWN_PER.format(epsilon=f"{entry.epsilon:g}", per=per)
    if entry.delta:
        epsilon += t.KNOWN_DELTA.format(delta=_power(entry.delta))
    return (
        f"{t.KNOWN_WHO[entry.who]}{t.COMMA}{entry.year}",
        statistic,
        epsilon,
        t.KNOWN_MODELS[entry.model],
        entry.original,
    )


def _power(value: float) -> str:
    """Write a small number with a power of ten.

    >>> _power(1e-10), _power(7e-9)
    ('10⁻¹⁰', '7 × 10⁻⁹')
    """
    factor, _, exponent = f"{value:.0e}".partition("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if factor == "1" else f"{factor} × 10{raised}"


ROUNDS = (1, 3, 10, 100)
VALUES = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
SUSPICION = 10
_BELIEF = "story_belief"
_FORMULAS = (
    r"\Pr[R(g) \in S] \le e^{\varepsilon}\,\Pr[R(g') \in S]",
    r"c = \tfrac{e^{\varepsilon}}{1 + e^{\varepsilon}}, \qquad "
    r"\pi \mapsto \tfrac{\pi e^{\varepsilon}}{\pi e^{\varepsilon} + 1 - \pi}",
)


def show(t: Words, epsilon: float) -> None:
    """Show the curve, and a click away the common values, belief, repetition, known systems, and what is left open."""
    titles = t.OVERVIEW_CURVE, t.VALUES_TITLE, t.BELIEF_TITLE, t.ROUNDS_TITLE, t.KNOWN_TITLE, t.LIMITS_TITLE
    curve, common, belief, many, systems, limits = st.tabs(titles)
    with curve:
        text, chart = st.columns([5, 7], gap="large")
        with text:
            terms.prose(t, t.OVERVIEW_CURVE_TEXT)
            st.fragment(parts.for_experts)(t, "promise", t.PROMISE_FORMULA_TEXT, _FORMULAS)
        with chart:
            views.drawn(_promise(t, epsilon))
    with common:
        tables.table(t, t.VALUES_COLUMNS, values(t), t.VALUES_TITLE)
    with belief:
        terms.prose(t, t.BELIEF_TEXT)
        st.fragment(_belief)(t, epsilon)
    with systems:
        terms.prose(t, t.KNOWN_TEXT)
        tables.table(t, t.KNOWN_COLUMNS, [known(t, entry) for entry in KNOWN], t.KNOWN_TITLE)
        terms.prose(t, t.KNOWN_SOURCES.format(registry=REGISTRY), small=True)
    with limits:
        views.facts(t, t.LIMITS)
    with many:
        numbers = {
            "reports": ROUNDS[2],
            "epsilon": wording.number(epsilon),
            "total": wording.number(epsilon * ROUNDS[2]),
            "share": wording.at_most(t, theory.rounds_identification(epsilon, ROUNDS[2])),
        }
        terms.prose(t, t.ROUNDS_TEXT.format(**numbers))
        tables.table(t, t.ROUNDS_COLUMNS, rounds(t, epsilon), t.ROUNDS_TITLE)
        views.drawn(_rounds(t, epsilon))


def rounds(t: Words, epsilon: float) -> list[tuple[str, ...]]:
    """Return what several reports are promised together, and the right guesses that this allows."""
    return [
        (
            wording.count(number),
            wording.limit_in_percent(t, theory.rounds_identification(epsilon, number)),
            t.ROUNDS_PROMISED.format(epsilon=wording.number(number * epsilon)),
        )
        for number in ROUNDS
    ]


def values(t: Words) -> list[tuple[str, ...]]:
    """Return what common values of ε mean: right guesses, a suspicion's growth, reports until nearly sure."""
    return [
        (
            wording.number(epsilon),
            wording.limit_in_percent(t, theory.worst_case_identification(epsilon)),
            wording.limit_in_percent(t, theory.posterior(SUSPICION / 100, epsilon)),
            wording.count(theory.rounds_until(epsilon, theory.NEARLY_SURE)),
        )
        for epsilon in VALUES
    ]


def _belief(t: Words, epsilon: float) -> None:
    before = st.slider(t.BELIEF_SLIDER, 5, 95, 10, 5, key=_BELIEF, persist_state="session", help=t.BELIEF_SLIDER_HELP)
    after = wording.at_most(t, theory.posterior(before / 100, epsilon))
    terms.prose(t, t.BELIEF_RESULT.format(before=before, share=after))
    views.drawn(figures.posterior_svg(before / 100, epsilon, t.FIGURES))


@lru_cache(maxsize=64)
def _promise(t: Words, epsilon: float) -> str:
    return figures.promise_svg(epsilon, t.FIGURES)


@lru_cache(maxsize=64)
def _rounds(t: Words, epsilon: float) -> str:
    return figures.rounds_svg(epsilon, t.FIGURES)
