"""The frame of every page: navigation, style, footer."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import Page

from ldp_core.studies import STUDIES
from pages import jobs, registry
from pages.frame import language, present, terms
from pages.state import callbacks, current_run, settings
from pages.widgets import progress, views

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
# It says which page is shown and, where the menu is wider than the window, brings it to the middle. A comment: of this
# file, which Streamlit runs, a text that stands by itself is written on every page.


def show(pages: Sequence[Page], here: Page, shared: Mapping[str, Sequence[str]]) -> None:
    """Show a link to each page. ``shared``: place of a page -> settings that it has in common with others."""
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


t = language.words()
# With an entry in its menu the header shows the menu, and with it the switch from light to dark.
st.set_page_config(
    page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide", initial_sidebar_state="collapsed",
    menu_items={"About": t.ABOUT},
)  # fmt: skip
terms.begin()
study_pages = {STUDIES[name].folder: page for name, page in registry.pages().items() if page.title}
pages = [
    st.Page("../overview/page.py", title=t.NAV_OVERVIEW, url_path="home", default=True),
    *(
        st.Page(f"../{place}/page.py", title=getattr(t, page.title), url_path=place)
        for place, page in study_pages.items()
    ),
]
# The default page lives at the root; its name in the address is right too, and not "page not found".
alias = st.Page("../overview/page.py", title=t.NAV_OVERVIEW, url_path="overview", visibility="hidden")
page = st.navigation([*pages, alias], position="hidden")
settings.begin(page.url_path)
callbacks.begin(page.url_path)
current_run.take_in(jobs.manager())
show(pages, page, {"": ("epsilon",)} | {place: page.shares for place, page in study_pages.items()})
with language.switch(page):
    present.switch(t, page)
    refusals = st.container(key="refused")
    page.run()
    with refusals:
        views.refused(t)
    views.footer(t, str(st.get_option("server.address") or "0.0.0.0"), jobs.manager().cache.notice)
    views.come_back()
    progress.catch_up()
