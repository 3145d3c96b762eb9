"""Numbers: read as people mean them or not at all, and told with "at least" rounded down and "at most" rounded up."""

import ast
import contextlib
import copy
import math
import pickle
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.game.summary import summarize
from ldp_core.presentation.figures.single import epsilon_alt
from ldp_core.studies import STUDIES
from ldp_core.words import numbers
from ldp_core.words.numbers import ambiguous, read
from tests.helpers.places import ROOT
from tests.helpers.words import LANGUAGES
from tests.presentation.test_figures import run

MEANT = {
    "0,5": 0.5, "0.5": 0.5, "1,5": 1.5, ".5": 0.5, ",5": 0.5, "5.": 5, "1e5": 100_000, "1E5": 100_000, "2,5e-1": 0.25,
    "10000": 10_000, "10 000": 10_000, "10_000": 10_000, "10'000": 10_000, "1,000,000": 1_000_000, "0.125": 0.125,
    "0,125": 0.125, "1.000.000": 1_000_000, "1.234,5": 1_234.5, "1,234.5": 1_234.5, "1234,567": 1_234.567,
    "１，５": 1.5, "−3": -3, "-0,5": -0.5, "+4": 4, " 7 ": 7, "9007199254740991": 2**53 - 1,
}  # fmt: skip


@pytest.mark.parametrize("text", MEANT)
def test_a_number_is_read_as_it_was_meant(text: str) -> None:
    assert read(text) == MEANT[text]


@pytest.mark.parametrize("text", ["10.000", "1,000", "-1.500", "100.000", "１．０００"])
def test_one_that_is_two_is_refused(text: str) -> None:
    assert ambiguous(text)
    with pytest.raises(ValueError, match="a number must be written as"):
        read(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "1 5", "x", "1e", "e4", "nan", "inf", "1e400", "1.5.2", "1,00,000", "--1", "0x10", "1;2", "1" * 50],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    assert not ambiguous(text)
    with pytest.raises(ValueError, match="a number must be"):
        read(text)


@given(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_every_number_that_a_program_writes_is_read_back(value: float, comma: bool) -> None:
    text = repr(value).replace(".", ",") if comma else repr(value)
    if ambiguous(text):
        assert len(text.lstrip("-").rstrip("0123456789")) in (2, 3, 4)
    else:
        assert float(read(text)) == value


@given(st.text(max_size=12))
def test_any_text_is_a_finite_number_or_one_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert math.isfinite(read(text))


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_a_bound_is_rounded_to_its_side_and_by_less_than_one_place(value: float, decimals: int) -> None:
    exact, place = Fraction(repr(value)), Fraction(1, 10**decimals)
    assert 0 <= exact - Fraction(numbers.floored(value, decimals)) < place
    assert 0 <= Fraction(numbers.ceiled(value, decimals)) - exact < place


@given(st.floats(1e-6, 30.0), st.floats(1e-9, 1.0))
def test_a_bound_above_a_claim_reads_as_above_it(claim: float, more: float) -> None:
    value = claim + more
    assert Decimal(repr(claim)) < Decimal(numbers.at_least(value, claim)) <= Decimal(repr(value))


def test_no_sentence_of_a_test_rounds_its_bounds_to_the_wrong_side() -> None:
    for right in range(3_700, 3_760):
        result = run(right=right)
        summary = summarize(result)
        text = STUDIES["audit"].text(result)
        told = [Decimal(number) for number in re.findall(r"at least +(\d+\.\d+)", text + epsilon_alt(result))]
        assert len(told) >= 2
        assert all(0 <= Decimal(repr(summary.epsilon.lower)) - one < Decimal("0.01") for one in told), text
        promise = re.search(r"the promise allows at most +(\d+\.\d+)", text)
        assert Decimal(promise[1]) / 100 >= Decimal(repr(summary.theory_identification))


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
