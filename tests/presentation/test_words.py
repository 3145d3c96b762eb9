"""Each text once: whatever a page names is there in every language, and whatever is there is named."""

import ast
import copy
import pickle
import re
from collections.abc import Iterator

import pytest

from ldp_core.words import numbers
from tests.helpers.places import ROOT
from tests.helpers.words import LANGUAGES


def pages() -> Iterator[str]:
    for path in [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]:
        yield path.read_text(encoding="utf-8")


def asked() -> set[str]:
    """Return the texts that pages ask for as attributes."""
    found = set()
    for source in pages():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", getattr(node.value, "attr", "")) == "t":
                found.add(node.attr)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_that_a_page_names_is_there(language: str) -> None:
    assert [name for name in sorted(asked()) if not hasattr(LANGUAGES[language], name)] == []


def test_a_language_writes_numbers_in_its_own_way() -> None:
    inner = numbers.text("{share} %", ",.")
    outer = numbers.text("{share} of {many:,} at {epsilon}, seed {seed}: {command}, {version}, {half:.1f}", ",.")
    written = outer.format(
        share=inner.format(share="73.1"), many=1_234_567, epsilon="0.5", seed=7, command="--epsilon 0.5",
        version="2.14.1", half=0.5,
    )  # fmt: skip
    assert written == "73,1 % of 1.234.567 at 0,5, seed 7: --epsilon 0.5, 2.14.1, 0,5"
    thousand = numbers.text("{count}", ",.").format(count="1,234")
    assert (thousand, outer.__class__(thousand, ",.").format()) == ("1.234", "1.234"), "and once only"
    assert copy.deepcopy(thousand) == pickle.loads(pickle.dumps(thousand)) == "1.234"
    assert numbers.text("{share}", numbers.ENGLISH).format(share="1,234.5") == "1,234.5"
    assert [numbers.written(text, ",.") for text in ("-0.5", "1e-05", "1.5e-05", "12", "1.2.3", "0.5°")] == [
        "-0,5", "1e-05", "1,5e-05", "12", "1.2.3", "0.5°",
    ]  # fmt: skip
    several = ("49.20–51.30", "0.5, 1, 1,024", "57.5 (53–60.1)", "-0.5–0.5", "0.5,1,2", "127.0.0.1, 1", "v 0.5, 1")
    assert [numbers.written(text, ",.") for text in several] == [
        "49,20–51,30", "0,5, 1, 1.024", "57,5 (53–60,1)", "-0,5–0,5", "0.5,1,2", "127.0.0.1, 1", "v 0.5, 1",
    ]  # fmt: skip


BANNED = {
    "en": r"\b(safe|secure|anonymous|guarantee|verified|lies|fakes|corrupt|gradient pair)",
    "ja": r"安全|安心|保証|匿名|検証済|証明済|証明され|証明しま|確実に|嘘|うそ|偽|破損|改ざん|壊",
}
"""Words that promise more than a test can show, or that blame what only adds randomness."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_promises_too_much(language: str) -> None:
    texts = LANGUAGES[language]
    whole = " ".join(str(getattr(texts, name)) for name in dir(texts) if name.isupper()).lower()
    assert re.findall(BANNED[language], whole) == []
    assert re.findall(BANNED["ja"], "約束は証明されました。安全です。") == ["証明され", "安全"]
