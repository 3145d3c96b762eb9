"""What is "at least" is never told rounded up, what is "at most" never rounded down."""

import re
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ldp_core.game.summary import summarize
from ldp_core.presentation.figures.single import epsilon_alt
from ldp_core.studies import STUDIES
from ldp_core.words import numbers
from tests.presentation.test_figures import run


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
        assert promise
        assert Decimal(promise[1]) / 100 >= Decimal(repr(summary.theory_identification))
