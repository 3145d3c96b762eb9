"""The frame of every page: navigation, style, footer."""

from pathlib import Path

import streamlit as st

from ldp_core.studies import STUDIES
from pages import jobs, registry
from pages.frame import language, menu, present, terms
from pages.state import press, settings, viewed
from pages.widgets import progress, views

t = language.words()
# With an entry in its menu the header shows the menu, and with it the switch from light to dark.
st.set_page_config(
    page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide", initial_sidebar_state="collapsed",
    menu_items={"About": t.ABOUT},
)  # fmt: skip
terms.begin()
own = {STUDIES[name].folder: page for name, page in registry.pages().items() if page.title}
pages = [
    st.Page("../overview/page.py", title=t.NAV_OVERVIEW, url_path="home", default=True),
    *(st.Page(f"../{place}/page.py", title=getattr(t, page.title), url_path=place) for place, page in own.items()),
]
# The default page lives at the root; its name in the address is right too, and not "page not found".
alias = st.Page("../overview/page.py", title=t.NAV_OVERVIEW, url_path="overview", visibility="hidden")
page = st.navigation([*pages, alias], position="hidden")
settings.begin(page.url_path)
press.begin(page.url_path)
viewed.take_in(jobs.manager())
menu.show(pages, page, {"": ("epsilon",)} | {place: page.shares for place, page in own.items()})
with language.switch(page):
    present.switch(t, page)
    told = st.container(key="refused")
    page.run()
    with told:
        views.refused(t)
    views.footer(t, str(st.get_option("server.address") or "0.0.0.0"), jobs.manager().cache.notice)
    views.come_back()
    progress.catch_up()
