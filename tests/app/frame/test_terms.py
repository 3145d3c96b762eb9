"""The glossary against the texts, and the marks against the glossary."""

import html
import re
from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from streamlit.testing.v1 import AppTest

from ldp_core.words import Words
from ldp_core.words.plurals import Plural
from pages.frame import terms
from tests.helpers.words import LANGUAGES, en

ART = (
    "gradient", "update", "report", "epsilon", "ε", "randomizer", "LDP-SGD", "promise", "attack", "attacker",
    "guessing rule", "white box", "black box", "clipping length", "length", "angle", "range", "confidence", "seed",
    "trade-off", "pair", "measurement", "leak", "estimate", "formula", "round", "client", "server", "model", "training",
    "held-out", "cell", "pass", "label", "loss", "strength", "norm", "distinguisher", "adversary", "trial", "sigma",
    "delta", "noise", "threshold", "significance", "nats", "composition", "mechanism",
)  # fmt: skip
"""What no screen may say without an entry."""


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


def circular(language: Words) -> list[str]:
    return [name for name, sentence in language.GLOSSARY.items() if name in terms_in(language, sentence)]


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


def test_every_term_of_art_on_a_screen_has_an_entry() -> None:
    whole = re.sub(r"\{[^}]*\}", "", " ".join(on_screen(en)))
    for word in ART:
        if re.search(rf"(?<![\w-]){word}s?(?![\w-])", whole, re.IGNORECASE):
            assert terms_in(en, word), word


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_no_term_explains_itself(language: Words) -> None:
    assert circular(language) == []


def test_a_circular_sentence_is_caught() -> None:
    assert circular(speaking({"seed": ("seed", "seeds")}, {"seed": "What seeds a run."})) == ["seed"]


def test_longest_form_is_marked_once_and_whole_words_only() -> None:
    text = "Clipping lengths and a clipping length; the length of reporting, a report, Reports."
    assert terms_in(en, text) == ["clipping length", "length", "report"]
    shown = terms.marked(en, text)
    assert ">Clipping lengths</span> and a clipping length; the <span" in shown
    assert " of reporting, a <span" in shown
    assert plain(shown) == text


@pytest.mark.parametrize(
    "text",
    [
        "`report`",
        "[a report](/audit)",
        "$\\varepsilon = report$",
        '<a href="/x">a report</a>',
        '<b title="report">x</b>',
    ],
)
def test_nothing_is_marked_within_code_links_and_tags(text: str) -> None:
    assert terms.marked(en, text) == text


def test_bold_survives_a_term_at_its_edge() -> None:
    assert re.fullmatch(r"<strong><span [^>]*>Report</span></strong>s it", terms.marked(en, "**Report**s it"))
    assert terms.marked(en, "**What to do.** x ** y") == "<strong>What to do.</strong> x ** y"


def test_terms_of_a_language_without_spaces() -> None:
    words = {"報告": "端末から出るもの。", "報告者": "送る人。"}
    language = speaking({"報告": ("報告",), "報告者": ("報告者",)}, words)
    assert terms_in(language, "この報告者は報告を送る。報告") == ["報告者", "報告"]


def test_a_term_is_marked_where_a_page_shows_it_first_whatever_numbers_change() -> None:
    first: dict[str, str] = {}
    once, again = "Of {number} reports, a seed.", "A seed, a report, an update."
    for number in ("7", "1,000"):  # a fragment draws itself again
        shown = terms.marked(en, once.format(number=number), first)
        assert re.findall(r">(\w+)</span>", shown) == ["reports", "seed"]
        assert re.findall(r">(\w+)</span>", terms.marked(en, again, first)) == ["update"]


def test_page_marks_each_term_once(open_page: Callable[..., AppTest]) -> None:
    at = open_page("overview")
    for _ in range(2):
        prose = " ".join(str(each.value) for each in (*at.markdown, *at.caption))
        shown = re.findall(r'tabindex="0" aria-description="([^"]*)"', prose)
        assert len(shown) == len(set(shown)) > 5
        at.run()


def test_sentence_cannot_leave_its_attribute() -> None:
    shown = terms.marked(speaking({"x": ("x",)}, {"x": 'a "b" <c>'}), "x")
    assert shown == '<span class="ldp-term" tabindex="0" aria-description="a &quot;b&quot; &lt;c&gt;">x</span>'
