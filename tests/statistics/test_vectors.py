"""The estimators against a file of fixed vectors that independent code computed (`python -m tests.vectors.make`).

The code behind the file is in turn held against exact fractions, and against the file.
"""

import itertools
import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ldp_core.statistics import estimates, intervals
from ldp_core.types import TrialCounts
from tests.helpers.binomial import balanced
from tests.vectors import exact, make

VECTORS: list[dict[str, Any]] = [json.loads(line) for line in make.FILE.read_text(encoding="utf-8").splitlines()]
TOLERANCE = 1e-9
"""Relative, for all that is stated. SciPy's inverse of the incomplete beta function reaches ``LIMIT``; its binomtest
stops the search 2e-12 away from the limit, so ``SCIPY`` is absolute."""
LIMIT = 2e-9
SCIPY = 1e-11


def found(vector: dict[str, Any]) -> Any:
    """Call the function of a vector; ``spoken_share`` and the like keep their names.

    The pooled bound knows the sums alone and refuses what no balanced game counts.
    """
    arguments = {name: value for name, value in vector.items() if name not in ("function", "expected", "scipy")}
    if counts := arguments.pop("counts", None):
        total, wrong_ones = sum(counts), counts[1] + counts[2]
        arguments["counts"] = balanced(wrong_ones, total) if vector.get("bound") == "pooled" else TrialCounts(*counts)
    if sizes := arguments.pop("sizes", None):
        arguments |= {"num_first": sizes[0], "num_second": sizes[1]}
    limits = vector["function"] in ("error_upper_limit", "identification_interval")
    return getattr(intervals if limits else estimates, vector["function"])(**arguments)


def agrees(value: Any, expected: Any, relative: float = TOLERANCE, absolute: float = 0.0) -> bool:
    """Compare numbers, None, or triples of them."""
    if isinstance(expected, list):
        return value is not None and all(
            agrees(*pair, relative, absolute) for pair in zip(value, expected, strict=True)
        )
    if value is None or expected is None:
        return value is expected
    return math.isclose(float(value), float(expected), rel_tol=relative, abs_tol=absolute)


def wrong(vectors: list[dict[str, Any]]) -> list[tuple[dict[str, Any], Any]]:
    """Return the vectors that are missed, each with what was found; 1e-14 is the noise of a logarithm near ln 1."""
    missed = []
    for vector in vectors:
        value, rate = found(vector), vector["function"] == "error_upper_limit"
        if not agrees(value, vector["expected"], LIMIT if rate else TOLERANCE, 0.0 if rate else 1e-14):
            missed.append((vector, value))
    return missed


@pytest.mark.parametrize("function", sorted({vector["function"] for vector in VECTORS}))
def test_every_fixed_vector_is_met(function: str) -> None:
    assert wrong([vector for vector in VECTORS if vector["function"] == function]) == []


def test_scipys_own_intervals_agree() -> None:
    vectors = [vector for vector in VECTORS if "scipy" in vector]
    assert len(vectors) > 80
    for vector in vectors:
        assert agrees(vector["expected"], vector["scipy"], 0.0, SCIPY), vector
        assert agrees(found(vector), vector["scipy"], 0.0, SCIPY), vector


@pytest.mark.parametrize("change", ["significance", "delta", "anytime", "bound"])
def test_a_bound_that_mistakes_an_argument_is_caught(change: str) -> None:
    changes: dict[str, Any] = {
        "significance": lambda value: value * (1 + 1e-6),
        "delta": lambda value: value + 1e-7,
        "anytime": lambda value: not value,
        "bound": lambda value: "pooled" if value == "clopper_pearson" else "clopper_pearson",
    }
    lies = [
        vector | {change: changes[change](vector[change])}
        for vector in VECTORS
        if vector["function"] == "epsilon_lower_bound" and float(vector["expected"]) > 0.0
    ]
    assert len(wrong(lies)) > len(lies) / 2


# The file again.


def small(vector: dict[str, Any]) -> bool:
    if vector["function"] == "trials_needed":
        return vector["epsilon"] not in {epsilon for epsilon, _, _ in make.NEEDS[2:]}
    return sum(vector.get("counts") or vector.get("sizes") or [vector.get("trials", 0)]) < 10**6


@pytest.mark.parametrize("kind", make.KINDS)
def test_the_file_is_what_its_generator_writes(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the vectors of a hundred million trials, which take a while; SciPy's own column is its own matter."""
    small_ones = [vector for vector in VECTORS if small(vector)]
    for name in ("ERRORS", "COUNTS", "SIZES"):
        monkeypatch.setattr(make, name, [each for each in getattr(make, name) if sum(each) < 10**6])
    monkeypatch.setattr(make, "NEEDS", make.NEEDS[:2])
    again = [json.loads(json.dumps(vector)) for vector in make.KINDS[kind]()]
    functions = {vector["function"] for vector in again}
    filed = [vector for vector in small_ones if vector["function"] in functions]
    assert len(again) == len(filed)
    for one, other in zip(again, filed, strict=True):
        assert {**one, "expected": 0, "scipy": 0} == {**other, "expected": 0, "scipy": 0}
        assert agrees(one["expected"], other["expected"], 1e-15)


# The code behind the file, against exact fractions.


def tail(errors: int, trials: int, rate: Fraction) -> Fraction:
    """Return the chance of at most so many errors, term by term."""
    return sum((math.comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(errors + 1)), Fraction(0))


def mean_ratio(errors: int, trials: int, rate: Fraction) -> Fraction:
    """Return the mixture: q^x (1-q)^(n-x) multiplied out, integrated from 0 to w, by the same at w, by w."""
    right = trials - errors
    integral = sum(
        (
            Fraction((-1) ** k * math.comb(right, k), errors + k + 1) * rate ** (errors + k + 1)
            for k in range(right + 1)
        ),
        Fraction(0),
    )
    return integral / (rate * rate**errors * (1 - rate) ** right)


SMALL = [(errors, trials) for trials in (1, 2, 5, 17) for errors in range(trials)]


@pytest.mark.parametrize("function", ["at_most", "mixture"])
def test_the_sums_behind_the_file_are_the_exact_ones(function: str) -> None:
    oracle = {"at_most": tail, "mixture": mean_ratio}[function]
    for (errors, trials), rate in itertools.product(SMALL, (Fraction(1, 50), Fraction(3, 10), Fraction(29, 30))):
        odds = Decimal((rate / (1 - rate)).numerator) / (rate / (1 - rate)).denominator
        value = exact.precise(getattr(exact, function))(Decimal(errors), Decimal(trials), odds)
        truth = oracle(errors, trials, rate)
        assert abs(Fraction(value) / truth - 1) < Fraction(1, 10**20), (errors, trials, rate)


@pytest.mark.parametrize("level", make.LEVELS)
@pytest.mark.parametrize("anytime", [False, True])
def test_the_roots_behind_the_file_lie_between_exact_neighbours(level: float, anytime: bool) -> None:
    """A ten-billionth (of 1 - w) below the limit the exact sum has not reached its threshold, as much above it has."""
    for errors, trials in SMALL:
        _, rest = map(Fraction, exact.upper_limit(errors, trials, Decimal(level), anytime))
        reached = [
            mean_ratio(errors, trials, rate) >= 1 / Fraction(level)
            if anytime
            else tail(errors, trials, rate) <= Fraction(level)
            for rate in (1 - rest * (1 + Fraction(1, 10**10)), 1 - rest * (1 - Fraction(1, 10**10)))
        ]
        assert reached == [False, True]


def test_a_fraction_of_an_error_lies_between_its_neighbours_and_meets_them() -> None:
    """Planning passes fractions: the series for those, taken at a whole number, is the sum for whole numbers."""
    whole, part = Decimal(3), Decimal(3) + Decimal("1e-20")
    for function, odds in itertools.product((exact.at_most, exact.mixture), map(Decimal, ("0.3", "0.9", "4"))):
        values = [exact.precise(function)(errors, Decimal(12), odds) for errors in (whole, part)]
        assert abs(values[0] / values[1] - 1) < Decimal("1e-18")


def test_the_independent_code_is_independent() -> None:
    for module in (exact, make):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        assert not re.search(r"(import|from) ldp_core", source)
