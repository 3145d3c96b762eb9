"""The visitor's language: from the link, else from this session, else from the browser; nobody else is asked.

The browser knows a choice by its label. So when the language changes, every choice is pinned to its name before it is
drawn with other labels.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.navigation.page import Page

from ldp_core import words as texts
from ldp_core.words import Words
from pages.state import settings

PARAMETER = "lang"
_CHOSEN, _DRAWN = "language_chosen", "language_drawn"
_LINK = "other_language"
_SCRIPT = """<script data-page={page}>(() => {{
  document.documentElement.lang = {now};
  const others = {others}, mark = (left) => {{
    const links = document.querySelectorAll({link});
    links.forEach((link, number) => link.lang = link.hreflang = others[number]);
    if (links.length < others.length && left) setTimeout(mark, 50, left - 1);
  }};
  mark(200);
}})();</script>"""
"""Streamlit gives neither the page nor a link a language; a link is drawn some time after the script runs."""


def words() -> Words:
    """Return the texts of the visitor's language."""
    return texts.of(code())


def code() -> str:
    """Return the visitor's language; one that a link names and we do not have is passed over.

    Where the visitor went through the browser's history, the choice of a later page does not count.
    """
    browser = str(st.context.locale or "").partition("-")[0]
    chosen = None if settings.through_history() else st.session_state.get(_CHOSEN)
    candidates = (st.query_params.get(PARAMETER), chosen, browser)
    return next((name for name in candidates if name in texts.LANGUAGES), texts.DEFAULT)


def chosen() -> dict[str, str]:
    """Return what a link within the app names of the language: the visitor's choice, if there was one."""
    language = code() if st.query_params.get(PARAMETER) == code() else st.session_state.get(_CHOSEN)
    return {PARAMETER: language} if language else {}


@contextmanager
def switch(page: Page) -> Iterator[None]:
    """Draw a page in the visitor's language, with a link to each other language."""
    now, requested = code(), st.query_params.get(PARAMETER)
    changed = st.session_state.get(_DRAWN, now) != now
    if requested == now:
        st.session_state[_CHOSEN] = now
    elif settings.through_history():
        st.session_state.pop(_CHOSEN, None)
    if changed:
        for key, value in st.session_state.items():
            if isinstance(value, str | list):
                st.session_state[key] = value
    st.session_state[_DRAWN] = now
    place = st.container(key=_LINK)
    yield
    settings.mention(PARAMETER, st.session_state.get(_CHOSEN, ""))
    settings.link(anew=changed)
    others = [name for name in texts.LANGUAGES if name != now]
    script = {"page": page.url_path, "link": f".st-key-{_LINK} a", "now": now, "others": others}
    with place:
        for other in others:
            name = texts.of(other).LANGUAGE_NAME
            st.page_link(page, label=name, query_params=st.query_params.to_dict() | {PARAMETER: other})
        st.html(
            _SCRIPT.format(**{key: json.dumps(value) for key, value in script.items()}), unsafe_allow_javascript=True
        )
