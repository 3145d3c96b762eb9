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
from ldp_core.studies import STUDIES

Function = Callable[[NDArray[np.float32], int], NDArray[Any]]
QUICK: dict[str, Any] = {"dimension": 2, "reports": 12_000, "seed": 7, "significance": 1e-9}
FRESH = {"repeats", "shared-noise", "restart", "state"}


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
    assert {clause.name for clause in result.clauses if clause.finding == "copies"} == {"restart"}
    assert {clause.name for clause in result.clauses if clause.passed} >= FRESH - {"restart"}
    assert not result.failed
    (sentence,) = {clause.sentence for clause in result.clauses if clause.finding == "copies"}
    assert "package.module:name" in sentence
    assert any("Not judged" in said and "after a restart" in said for said in STUDIES["check"].sentences(result))


@pytest.mark.few(1)
@pytest.mark.parametrize("keyed", [True, False], ids=["hash-seeded", "fixed-dither"])
def test_noise_that_an_object_does_not_draw_anew_is_a_fault(keyed: bool) -> None:
    dither = np.random.default_rng(3).laplace(scale=4.0, size=2)

    def randomize(gradient: NDArray[np.float32]) -> NDArray[Any]:
        own = np.random.default_rng(list(gradient.tobytes())).laplace(scale=4.0, size=2)
        return np.round(np.clip(gradient, -1.0, 1.0) + (own if keyed else dither), 3)

    result = ldp_core.check(randomize, 1.0, **QUICK | {"reports": 5_000})
    assert {"randomizes", "repeats"} <= {clause.name for clause in result.failed}


@pytest.mark.few(1)
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
    assert {clause.name for clause in result.clauses if clause.passed} >= FRESH


def liar(kind: str) -> Function:
    """Return Laplace noise from a generator that was made before, used in a way that betrays what it hides."""
    rng, fixed = np.random.default_rng(5), np.random.default_rng(6).laplace(0.0, 3.0, 2)
    past = [rng.laplace(0.0, 3.0, 2)]

    def one(gradient: NDArray[np.float32]) -> NDArray[np.float64]:
        if kind == "antithetic":
            past.append(-past[-1] if len(past) % 2 else rng.laplace(0.0, 3.0, 2))
        elif kind == "half-reused":
            past.append(past[-1] if rng.random() < 0.5 else rng.laplace(0.0, 3.0, 2))
        else:
            past.append(fixed)
            rng.random()
        sent = gradient / max(1.0, float(np.linalg.norm(gradient)))
        return np.round((sent + past[-1]) * 4096.0) / 4096.0

    return lambda gradient, num_reports: np.array([one(gradient) for _ in range(num_reports)])


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["antithetic", "half-reused", "fixed"])
def test_one_copy_is_enough_to_see_noise_that_is_used_again(kind: str) -> None:
    result = ldp_core.check(liar(kind), 1.0, **QUICK | {"reports": 60_000, "significance": 1e-3})
    assert "repeats" in {clause.name for clause in result.failed}
