"""Numbers as people type them: each is read as it was meant, or not at all."""

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldp_core.words.numbers import ambiguous, read

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
