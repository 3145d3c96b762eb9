"""The frame of every page: navigation, style, footer."""

from pathlib import Path

import streamlit as st

from pages._shared import jobs, views
from pages._shared.text import words

t = words()
st.set_page_config(page_icon=str(Path(__file__).with_name("icon.svg")), layout="wide")
st.html(views.STYLE)
page = st.navigation(
    [
        st.Page("../overview.py", title=t.NAV_OVERVIEW, url_path="home", default=True),
        st.Page("../audit.py", title=t.NAV_AUDIT, url_path="audit"),
        st.Page("../compare.py", title=t.NAV_COMPARE, url_path="compare"),
        # The default page lives at the root; its name in the address is right too, and not "page not found".
        st.Page("../overview.py", title=t.NAV_OVERVIEW, url_path="overview", visibility="hidden"),
    ],
    position="top",
)
page.run()
views.footer(t, str(st.get_option("server.address") or "0.0.0.0"), jobs.manager().cache.notice)
