"""Where a result stands, and what brings it into view: on a phone it is below or above the button that asked for it."""

import json

import streamlit as st

_SCRIPT = """<script data-name={name}>(() => {{
  const header = 64, taken = new AbortController();
  const once = {{signal: taken.signal, passive: true}};
  for (const hand of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(hand, () => taken.abort(), once);
  const land = (left) => {{
    if (taken.signal.aborted) return;
    const found = document.querySelector({selector});
    const top = found ? found.getBoundingClientRect().top : header;
    if (top < header - 1 || top > innerHeight / 2)
      document.querySelector('[data-testid=stMain]').scrollBy({{top: top - header, behavior: 'instant'}});
    if (left) setTimeout(land, 100, left - 1);
    else taken.abort();
  }};
  land(20);
}})();</script>"""
"""Runs when it is put on the page or changes: holds the place for two seconds, while the page is still being drawn, or
until the visitor scrolls. It jumps, so that nothing moves where no motion is wanted."""


def show(name: str, selector: str) -> None:
    """Scroll once to what a CSS selector finds, unless it is in view; again only for another name."""
    with st.container(key="landing"):
        st.html(_SCRIPT.format(name=json.dumps(name), selector=json.dumps(selector)), unsafe_allow_javascript=True)
