"""The end of the story: what the other pages are for, in the words of the menu."""

from types import ModuleType

import streamlit as st

from pages._shared import terms


def show(t: ModuleType) -> None:
    """Show a link to each other page, and what it is for."""
    pages = (("audit", t.NAV_AUDIT), ("compare", t.NAV_COMPARE), ("check", t.NAV_CHECK))
    for column, (name, label) in zip(st.columns(len(pages), gap="large"), pages, strict=True):
        with column:
            with st.container(key=f"go_{name}"):
                st.page_link(f"../{name}.py", label=label)
            terms.prose(t, t.OTHERS[name])
