"""The glossary: terms underlined where they stand in prose, each with its sentence, and the whole list."""

import html
import re
from functools import lru_cache

import streamlit as st

from ldp_core.words import Words

_FIRST = "terms_first"
_APART = r"`[^`]*`|\$[^$\n]+\$|\[[^\]]*\]\([^)]*\)|<(?P<tag>a|code|svg|style)\b.*?</(?P=tag)>|<[^>]*>"
"""What no term is looked for in: code, formulas, links, and the tags of HTML."""
_EQUAL = re.compile(r"([εδ]) = (?=\S)")
_NUMBER = re.compile(r"\d[\d,.]*")


def begin() -> None:
    """Begin a page: no term has been shown on it."""
    st.session_state[_FIRST] = {}


def prose(t: Words, text: str, *, small: bool = False, more: str | None = None) -> None:
    """Show Markdown with each term underlined where the page shows it first.

    A term's sentence shows under the pointer, with focus, or at a touch. A fragment that draws itself again keeps its
    terms, whatever numbers changed. Only for texts of ours and numbers in them: HTML is not escaped. ``more`` stands
    behind a question mark.
    """
    shown = marked(t, text, st.session_state.setdefault(_FIRST, {}))
    (st.caption if small else st.markdown)(shown, help=more, unsafe_allow_html=True)


def marked(t: Words, text: str, first: dict[str, str] | None = None) -> str:
    """Return our own Markdown or HTML with each term marked where it first occurs.

    With ``first``, which text showed a term first, only what that text shows is marked; new terms are added to it.
    """
    pattern, names = _pattern(t)
    seen: set[str] = set()
    here = _NUMBER.sub("#", text)

    def mark(match: re.Match[str]) -> str:
        form = match["term"]
        name = names[_key(form)] if form else ""
        if not name or name in seen or (first is not None and first.setdefault(name, here) != here):
            return match[0]
        seen.add(name)
        sentence = html.escape(t.GLOSSARY[name])
        return f'<span class="ldp-term" tabindex="0" aria-description="{sentence}">{form}</span>'

    return pattern.sub(mark, bold(whole(text)))


def whole(text: str) -> str:
    """Return a text in which no line breaks within "ε = 1"."""
    return _EQUAL.sub("\\1\u00a0=\u00a0", text)


def bold(text: str) -> str:
    """Write as HTML what is bold in our own Markdown: its asterisks need a space or a letter beside them."""
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)


@lru_cache(maxsize=8)
def _pattern(t: Words) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds the forms of all terms, the longest first, and the term that each form stands for."""
    names = {_key(form): name for name, forms in t.GLOSSARY_FORMS.items() for form in forms}
    forms = "|".join(_whole(form) for form in sorted(names, key=len, reverse=True))
    return re.compile(f"{_APART}|(?P<term>{forms})", re.DOTALL), names


def _key(form: str) -> str:
    """Return a form as it reads within a sentence."""
    return form[0].lower() + form[1:]


def _whole(form: str) -> str:
    """Return a pattern for a form, also where it begins a sentence; Latin letters are no part of a longer word."""
    latin = "[A-Za-z]"
    before = f"(?<!{latin})" if re.match(latin, form[0]) else ""
    after = f"(?!{latin})" if re.match(latin, form[-1]) else ""
    return f"{before}(?i:{re.escape(form[0])}){re.escape(form[1:])}{after}"
