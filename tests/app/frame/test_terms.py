"""The glossary against the texts, and the marks against the glossary."""

import html
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from ldp_core.words import Words
from ldp_core.words.plurals import Plural
from pages.frame import terms
from tests.helpers.words import LANGUAGES, en


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Plural):
        yield from value.forms
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from texts(part)


def on_screen(language: Words) -> list[str]:
    names = [name for name in dir(language) if name.isupper() and not name.startswith("GLOSSARY")]
    return [text for name in names for text in texts(getattr(language, name))]


def plain(text: str) -> str:
    """Return what a reader sees of Markdown that went through ``terms.marked``."""
    return html.unescape(re.sub(r"<[^>]*>", "", text))


def terms_in(language: Words, text: str) -> list[str]:
    """Return the glossary's terms that are marked in a text, in the order of their sentences."""
    sentences = {html.escape(sentence): name for name, sentence in language.GLOSSARY.items()}
    return [sentences[found] for found in re.findall(r'aria-description="([^"]*)"', terms.marked(language, text))]


def speaking(forms: dict[str, tuple[str, ...]], sentences: dict[str, str]) -> Words:
    language = ModuleType("made_up")
    language.GLOSSARY, language.GLOSSARY_FORMS = sentences, forms  # type: ignore[attr-defined]
    return language


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_every_term_is_on_a_screen_and_has_forms_of_its_own(language: Words) -> None:
    assert list(language.GLOSSARY) == list(language.GLOSSARY_FORMS)
    forms = [form for many in language.GLOSSARY_FORMS.values() for form in many]
    assert len(forms) == len(set(forms))
    used = {name for text in on_screen(language) for name in terms_in(language, text)}
    assert used == set(language.GLOSSARY)


def test_longest_form_is_marked_once_and_whole_words_only() -> None:
    text = "Clipping lengths and a clipping length; the length of reporting, a report, Reports."
    assert terms_in(en, text) == ["clipping length", "length", "report"]
    shown = terms.marked(en, text)
    assert ">Clipping lengths</span> and a clipping length; the <span" in shown
    assert " of reporting, a <span" in shown
    assert plain(shown) == text


@pytest.mark.parametrize("text", ["`report`", "$\\varepsilon = report$", '<a href="/x">a report</a>'])
def test_nothing_is_marked_within_code_links_and_tags(text: str) -> None:
    assert terms.marked(en, text) == text


def test_a_term_is_marked_where_a_page_shows_it_first_whatever_numbers_change() -> None:
    first: dict[str, str] = {}
    once, again = "Of {number} reports, a seed.", "A seed, a report, an update."
    for number in ("7", "1,000"):  # a fragment draws itself again
        shown = terms.marked(en, once.format(number=number), first)
        assert re.findall(r">(\w+)</span>", shown) == ["reports", "seed"]
        assert re.findall(r">(\w+)</span>", terms.marked(en, again, first)) == ["update"]


def test_sentence_cannot_leave_its_attribute() -> None:
    shown = terms.marked(speaking({"x": ("x",)}, {"x": 'a "b" <c>'}), "x")
    assert shown == '<span class="ldp-term" tabindex="0" aria-description="a &quot;b&quot; &lt;c&gt;">x</span>'
