"""What a report, whose values keep the claim, tells by its form: type, sign of zeros, grid, digits."""

import math
import random
import shlex
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import ldp_core
from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.subjects.command import command
from ldp_core.checking.subjects.files import challenge_bytes, read_key, read_responses
from ldp_core.checking.subjects.python import Limits
from ldp_core.errors import ChallengeError, MechanismUnavailableError
from tests.helpers.words import report_of

Function = Callable[[NDArray[np.float32], int], NDArray[Any]]
QUICK: dict[str, Any] = {"dimension": 4, "reports": 12_000, "seed": 7, "significance": 1e-9}


def honest(gradient: NDArray[np.float32], count: int) -> NDArray[np.float64]:
    """Return one bit, and three numbers that have nothing to do with the input, on a grid."""
    generator = np.random.default_rng()
    keeps = generator.random(count) < 1.0 / (1.0 + math.exp(-1.0))
    side = 1.0 if gradient[0] > 0.0 else -1.0
    rest = generator.integers(-8, 9, (count, 3)) / 8.0 * generator.choice([-1.0, 1.0], (count, 3))
    return np.hstack((np.where(keeps, side, -side)[:, np.newaxis], rest))


def told(gradient: NDArray[np.float32]) -> bool:
    return bool(gradient[0] > 0.0)


def typed(gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
    return honest(gradient, count).astype(np.float32 if told(gradient) else np.float64)


def signed_zeros(gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
    found = np.abs(honest(gradient, count)) * np.where(honest(gradient, count)[:, :1] > 0.0, 1.0, -1.0)
    found[:, 1:] = 0.0 if told(gradient) else -0.0
    return found


def finer_grid(gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
    return honest(gradient, count) + (0.0 if told(gradient) else 2.0**-12)


def repeated(gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
    found = honest(gradient, count)
    found[:, 2] = found[:, 1] if told(gradient) else found[:, 2]
    return found


def not_a_number(gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
    found = honest(gradient, count)
    found[:, 3] = np.nan if gradient[0] > 0.9 else found[:, 3]
    return found


def long_double(gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
    return honest(gradient, count).astype(np.longdouble) + (2.0**-60 if told(gradient) else 0.0)


def long_integer(gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
    return 2**60 * honest(gradient, count).astype(np.int64) + told(gradient)


def test_an_honest_report_of_any_form_is_not_blamed() -> None:
    result = ldp_core.check(honest, 1.0, **QUICK)
    assert result.verdict == "claim_not_rejected"
    assert not result.failed


@pytest.mark.few(1)
@pytest.mark.parametrize("liar", [signed_zeros, finer_grid, repeated])
def test_a_form_that_tells_the_input_rejects_the_claim(liar: Function) -> None:
    assert ldp_core.check(liar, 1.0, **QUICK).verdict == "claim_rejected"


@pytest.mark.parametrize(("liar", "name"), [(typed, "shape-and-type"), (not_a_number, "finite")])
def test_reports_must_be_finite_numbers_of_one_type(liar: Function, name: str) -> None:
    failed = {clause.name: clause.sentence for clause in ldp_core.check(liar, 1.0, **QUICK | {"reports": 5_000}).failed}
    assert name in failed
    assert liar is not typed or "float32 and float64" in failed[name]


@pytest.mark.parametrize(("liar", "words"), [(long_double, "send float64"), (long_integer, "as two smaller ones")])
def test_what_cannot_be_compared_exactly_is_refused_and_not_rounded(liar: Function, words: str) -> None:
    with pytest.raises(MechanismUnavailableError, match=words):
        ldp_core.check(liar, 1.0, **QUICK)


@pytest.mark.parametrize(("text", "exact"), [("0.1000000000000000056", False), ("0.12345678901234567", True)])
def test_a_program_sends_no_digits_that_are_lost(tmp_path: Path, text: str, exact: bool) -> None:
    script = tmp_path / "program.py"
    script.write_text(f"import sys\nfor line in sys.stdin:\n    print({text!r}, flush=True)\n")
    with closing(command(shlex.split(f"{sys.executable} {script}"), CheckConfig("x", 1.0, 1, dimension=1))) as subject:
        if exact:
            assert subject.randomize(np.ones(1, np.float32), 1).tolist() == [[float(text)]]
        else:
            with pytest.raises(MechanismUnavailableError, match="send at most 17 digits"):
                subject.randomize(np.ones(1, np.float32), 1)


def test_a_file_holds_no_whole_numbers_that_are_lost(tmp_path: Path) -> None:
    config = CheckConfig("x", 1.0, 1, dimension=1, reports=5_000, adaptive=False)
    challenge, key = challenge_bytes(config)
    (tmp_path / "challenge.npz").write_bytes(challenge)
    reports = len(np.load(tmp_path / "challenge.npz")["order"])
    np.savez(tmp_path / "responses.npz", reports=np.full((reports, 1), 2**53 + 1))
    with pytest.raises(ChallengeError, match="whole numbers must be at most"):
        read_responses(tmp_path / "responses.npz", read_key(key))


SHORT = QUICK | {"dimension": 2}
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
    result = ldp_core.check(honest, 1.0, limits=Limits(workers=workers), **SHORT)
    assert result.verdict == "claim_not_rejected"
    assert {clause.name for clause in result.clauses if clause.finding == "copies"} == {"restart"}
    assert {clause.name for clause in result.clauses if clause.passed} >= FRESH - {"restart"}
    assert not result.failed
    (sentence,) = {clause.sentence for clause in result.clauses if clause.finding == "copies"}
    assert "package.module:name" in sentence
    assert any("Not judged" in said and "after a restart" in said for said in report_of(result).findings)


@pytest.mark.few(1)
@pytest.mark.parametrize("keyed", [True, False], ids=["hash-seeded", "fixed-dither"])
def test_noise_that_an_object_does_not_draw_anew_is_a_fault(keyed: bool) -> None:
    dither = np.random.default_rng(3).laplace(scale=4.0, size=2)

    def randomize(gradient: NDArray[np.float32]) -> NDArray[Any]:
        own = np.random.default_rng(list(gradient.tobytes())).laplace(scale=4.0, size=2)
        return np.round(np.clip(gradient, -1.0, 1.0) + (own if keyed else dither), 3)

    result = ldp_core.check(randomize, 1.0, **SHORT | {"reports": 5_000})
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
    result = ldp_core.check(response(draw), 1.0, limits=Limits(workers=2), **SHORT)
    assert result.verdict == "claim_not_rejected"
    assert {clause.name for clause in result.clauses if clause.passed} >= FRESH


@pytest.mark.few(1)
@pytest.mark.parametrize("shared", ["places", "sizes"])
def test_copies_that_share_one_generator_of_two_are_asked_about_no_restart(shared: str) -> None:
    """One is closed over and cannot be seeded anew; the other, numpy's own, is: nothing of the noise is used again."""
    rng = np.random.default_rng(5)

    def randomize(gradient: NDArray[np.float32]) -> NDArray[Any]:
        sent = gradient / max(1.0, float(np.linalg.norm(gradient)))
        if shared == "sizes":
            signs = np.random.choice([-1.0, 1.0], 2)  # noqa: NPY002
            return np.round((sent + rng.exponential(3.0, 2) * signs) * 1024.0) / 1024.0
        place = rng.integers(2)
        right = np.random.random() < 0.5 + sent[place] * np.tanh(0.5) / 2.0  # noqa: NPY002
        return np.eye(2)[place] * (1.0 if right else -1.0)

    result = ldp_core.check(randomize, 1.0, **SHORT)
    assert result.failed == ()
    assert {clause.finding for clause in result.clauses if clause.name == "restart"} == {"copies"}


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
    result = ldp_core.check(liar(kind), 1.0, **SHORT | {"reports": 60_000, "significance": 1e-3})
    assert "repeats" in {clause.name for clause in result.failed}
