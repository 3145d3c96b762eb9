"""The end of the story: what the other pages are for, in the words of the menu."""

import streamlit as st

from ldp_core.studies import STUDIES
from ldp_core.words import Words
from pages import registry
from pages.frame import terms

_IN_A_ROW = 4


def show(t: Words) -> None:
    """Show a link to each other page, and what it is for."""
    pages = {STUDIES[name].folder: page.title for name, page in registry.pages().items() if page.title}
    places = list(pages)
    for start in range(0, len(places), _IN_A_ROW):
        for place, column in zip(places[start : start + _IN_A_ROW], st.columns(_IN_A_ROW, gap="large"), strict=False):
            with column:
                with st.container(key=f"go_{place}"):
                    st.page_link(f"../{place}/page.py", label=getattr(t, pages[place]))
                terms.prose(t, t.OTHERS[place])
