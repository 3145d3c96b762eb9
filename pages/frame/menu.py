"""The menu: a link to each page, at the top of a wide screen and, within the thumb's reach, at the bottom of a phone.

Each link names what is set on its page, so that following it is one step in the browser's history. (Streamlit's own
menu, tried in 1.67, leads to a bare address; the settings that are then named in it are a second step.)
"""

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.navigation.page import Page

from pages.frame import language
from pages.state import settings

_SCRIPT = """<script>(() => {{
  const show = (left) => {{
    const menu = document.querySelector('.st-key-menu'), links = [...(menu?.querySelectorAll('a') ?? [])];
    if (links.length < {pages} && left) return setTimeout(show, 50, left - 1);
    for (const link of links) link.removeAttribute('aria-current');
    links[{here}]?.setAttribute('aria-current', 'page');
    const here = links[{here}];
    if (here) menu.scrollLeft = here.offsetLeft - (menu.clientWidth - here.offsetWidth) / 2;
  }};
  show(200);
}})();</script>"""
"""Says which page is shown and, where the menu is wider than the window, brings it to the middle."""


def show(pages: Sequence[Page], here: Page, shared: Mapping[str, Sequence[str]]) -> None:
    """Show a link to each page.

    ``shared``: place of a page -> settings that it has in common with others.
    """
    with st.container(key="menu", horizontal=True, gap="small"):
        for page in pages:
            shares = shared.get(page.url_path, ())
            st.page_link(
                page, label=page.title, query_params=settings.address(page.url_path, shares) | language.chosen()
            )
    with st.container(key="menu_place"):
        st.html(
            _SCRIPT.format(pages=len(pages), here=pages.index(here) if here in pages else 0),
            unsafe_allow_javascript=True,
        )
