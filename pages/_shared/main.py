"""The frame of every page: navigation, style, footer."""

from pathlib import Path

import streamlit as st

from pages._shared import jobs, language, menu, settings, terms, views

t = language.words()
# With an entry in its menu the header shows the menu, and with it the switch from light to dark.
st.set_page_config(
    page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide", initial_sidebar_state="collapsed",
    menu_items={"About": t.ABOUT},
)  # fmt: skip
terms.begin()
pages = [
    st.Page("../overview.py", title=t.NAV_OVERVIEW, url_path="home", default=True),
    st.Page("../audit.py", title=t.NAV_AUDIT, url_path="audit"),
    st.Page("../compare.py", title=t.NAV_COMPARE, url_path="compare"),
    st.Page("../check.py", title=t.NAV_CHECK, url_path="check"),
]
# The default page lives at the root; its name in the address is right too, and not "page not found".
alias = st.Page("../overview.py", title=t.NAV_OVERVIEW, url_path="overview", visibility="hidden")
page = st.navigation([*pages, alias], position="hidden")
settings.begin(page.url_path)
menu.show(pages)
with language.switch(page):
    page.run()
    views.footer(t, str(st.get_option("server.address") or "0.0.0.0"), jobs.manager().cache.notice)
    views.come_back()
