"""The menu: a link to each page, at the top of a wide screen and, within the thumb's reach, at the bottom of a phone.

Each link names what is set on its page, so that following it is one step in the browser's history. (Streamlit's own
menu, tried in 1.67, leads to a bare address; the settings that are then named in it are a second step.)
"""

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import Page

from pages._shared import language, settings


def show(pages: Sequence[Page]) -> None:
    """Show a link to each page."""
    with st.container(key="menu", horizontal=True, gap="small"):
        for page in pages:
            st.page_link(page, label=page.title, query_params=settings.address(page.url_path) | language.chosen())
