"""The estimators against a file of fixed vectors, which code that knew nothing of ``ldp_core`` computed once.

It summed positive terms in 30 digits, and was itself held against exact fractions: `git show 2c67d19:tests/vectors`.
"""

import json
import math
from typing import Any

import pytest

from ldp_core.statistics import estimates, intervals
from ldp_core.types import TrialCounts
from tests.helpers.binomial import balanced
from tests.vectors import golden

FILE = golden.FILE.with_name("vectors.jsonl")
VECTORS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
TOLERANCE = 1e-9
"""Relative, for all that is stated. SciPy's inverse of the incomplete beta function reaches ``LIMIT``; its binomtest
stops the search 2e-12 away from the limit, so ``SCIPY`` is absolute."""
LIMIT = 2e-9
SCIPY = 1e-11


def found(vector: dict[str, Any]) -> Any:
    """Call the function of a vector; the pooled bound knows the sums alone and refuses what is not balanced."""
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
