"""Presenting (``?present=1``): larger letters, no menu, and arrow keys from one part of the page to the next."""

import json

import streamlit as st
from streamlit.navigation.page import Page

from ldp_core.words import Words
from pages.state import settings

_PARAMETER, _PLACE = "present", "present"
_STYLE = """<style>
html {font-size: 22px !important}
.stMainBlockContainer {max-width: 94vw; padding-top: 1.5rem}
.stMainBlockContainer :is(h1, h2, h4) {scroll-margin-top: 1rem}
.stApp :is(.st-key-menu, .st-key-other_language, [data-testid=stHeader]) {display: none}
.stApp .st-key-present {right: 1.5rem}
</style>"""
_SCRIPT = """<script data-on={on}>(() => {{
  globalThis.ldpPresenting?.abort();
  if (!{on}) return;
  const taken = globalThis.ldpPresenting = new AbortController();
  const step = (event) => {{
    const way = {{ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1}}[event.key];
    if (!way || event.target.closest?.('input, textarea, [role=slider], [role=tab], [role=radio], [role=listbox]'))
      return;
    const main = document.querySelector('[data-testid=stMain]');
    const tops = [...main.querySelectorAll('h2')].map((head) => head.getBoundingClientRect().top - 24);
    const next = way > 0 ? tops.find((top) => top > 8) ?? 0 : tops.findLast((top) => top < -8) ?? -main.scrollTop;
    event.preventDefault();
    main.scrollBy({{top: next, behavior: 'instant'}});
  }};
  addEventListener('keydown', step, {{signal: taken.signal}});
}})();</script>"""
"""A presenter's remote sends these keys. Within a field or a slider they keep their own meaning."""


def on() -> bool:
    """Return whether the page is presented: as the link says, else as in this session."""
    return st.query_params.get(_PARAMETER, st.session_state.get(_PARAMETER)) == "1"


def switch(t: Words, page: Page) -> None:
    """Show the link that begins or ends presenting, and present the page where that is asked for."""
    now = on()
    st.session_state[_PARAMETER] = "1" if now else "0"
    settings.mention(_PARAMETER, "1" if now else "")
    with st.container(key=_PLACE):
        others = {name: text for name, text in st.query_params.to_dict().items() if name != _PARAMETER}
        label = t.PRESENT_END if now else t.PRESENT
        st.page_link(page, label=label, query_params=others | {_PARAMETER: "0" if now else "1"}, help=t.PRESENT_HELP)
        if now:
            st.html(_STYLE)
        st.html(_SCRIPT.format(on=json.dumps(now)), unsafe_allow_javascript=True)
