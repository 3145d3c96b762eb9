"""Functions of this process, which are asked in forked copies of it: what the copies share is nobody's fault."""

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import ldp_core
from ldp_core.checking.subjects.python import Limits

Function = Callable[[NDArray[np.float32], int], NDArray[Any]]
QUICK: dict[str, Any] = {"dimension": 2, "reports": 12_000, "seed": 7, "significance": 1e-9}
UNJUDGED = {"repeats", "shared-noise", "restart", "state"}


def response(draw: Callable[[int], Any], epsilon: float = 1.0) -> Function:
    """Return randomized response with exactly this epsilon: the side of the first entry, by numbers from ``draw``."""

    def randomize(gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        side = 1.0 if gradient[0] > 0.0 else -1.0
        keeps = np.asarray(draw(num_reports)) < 1.0 / (1.0 + math.exp(-epsilon))
        return np.where(keeps, side, -side)[:, np.newaxis]

    return randomize


@pytest.mark.parametrize("workers", [1, pytest.param(8, marks=pytest.mark.nightly)])
def test_a_generator_that_was_made_before_is_told_and_blamed_for_nothing(workers: int) -> None:
    honest = response(np.random.default_rng(5).random)
    result = ldp_core.check(honest, 1.0, limits=Limits(workers=workers), **QUICK)
    assert result.verdict == "claim_not_rejected"
    assert {clause.name for clause in result.clauses if clause.finding == "copies"} == UNJUDGED
    assert not result.failed
    assert all(clause.passed is None for clause in result.clauses if clause.name in UNJUDGED)
    (sentence,) = {clause.sentence for clause in result.clauses if clause.finding == "copies"}
    assert "package.module:name" in sentence


def test_its_claim_is_judged_all_the_same() -> None:
    liar = response(np.random.default_rng(5).random, epsilon=3.0)
    assert ldp_core.check(liar, 1.0, limits=Limits(workers=2), **QUICK).verdict == "claim_rejected"


@pytest.mark.parametrize(
    "draw",
    [
        lambda count: np.random.random(count),  # noqa: NPY002
        lambda count: [random.random() for _ in range(count)],
        lambda count: torch.rand(count).numpy(),
        lambda count: np.random.default_rng().random(count),
    ],
    ids=["numpy", "python", "torch", "inside"],
)
def test_generators_that_every_program_shares_differ_between_the_copies(draw: Callable[[int], Any]) -> None:
    result = ldp_core.check(response(draw), 1.0, limits=Limits(workers=2), **QUICK)
    assert result.verdict == "claim_not_rejected"
    assert {clause.name for clause in result.clauses if clause.passed} >= UNJUDGED


def test_one_that_is_seeded_at_every_call_is_still_caught() -> None:
    liar = response(lambda count: np.random.default_rng(3).random(count))
    result = ldp_core.check(liar, 1.0, limits=Limits(workers=2), **QUICK)
    assert {clause.name for clause in result.failed} & {"repeats", "randomizes"}
