"""The card of the chosen attack: who must take part, what it changes, how realistic it is, how close it comes."""

import streamlit as st

from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.statistics import published, theory
from ldp_core.types import AuditConfig
from ldp_core.words import Words
from pages.audit import threat_model
from pages.frame import terms, wording


def show(t: Words, config: AuditConfig) -> None:
    """Show the card and, beside it, where the attack sits between device and server."""
    words, picture = st.columns([5, 6], vertical_alignment="center")
    with words:
        st.markdown(f"**{t.ATTACKS[config.attack].title}**")
        _facts(t, config)
    with picture:
        _picture(t, config)


def _facts(t: Words, config: AuditConfig) -> None:
    words = t.ATTACKS[config.attack]
    facts = (words.who, words.changes, words.realism, closeness(t, config))
    for title, text in zip(t.CARD_ROWS, facts, strict=True):
        terms.prose(t, f"**{title}**  \n{text}")


def _picture(t: Words, config: AuditConfig) -> None:
    view = DISTINGUISHERS[config.distinguisher].view
    st.markdown(threat_model.picture(t, ADVERSARIES[config.attack].access, view), unsafe_allow_html=True)


def closeness(t: Words, config: AuditConfig) -> str:
    """Return how close an attack comes to the promise: by the formula where the pair is known, else from the papers."""
    if DISTINGUISHERS[config.distinguisher].cautious:
        return str(t.CARD_SELECTIVE)
    if DISTINGUISHERS[config.distinguisher].view == "black":
        return str(t.CARD_BLACK)
    length = config.strength * config.clip_norm
    law = theory.cosine_identification(config.epsilon, 180.0, length, length, config.clip_norm)
    promise = wording.share(t, theory.worst_case_identification(config.epsilon))
    text: str = t.ATTACKS[config.attack].closeness.format(share=wording.share(t, law), promise=promise)
    if not ADVERSARIES[config.attack].needs_images or config.attack not in published.IDENTIFICATION:
        return text
    epsilon, right = published.nearest(config.attack, config.epsilon)
    promise = wording.share(t, theory.worst_case_identification(epsilon))
    paper = t.CARD_PAPER.format(share=wording.share(t, right), epsilon=wording.number(epsilon), promise=promise)
    return f"{text}{t.SPACE}{paper}"
