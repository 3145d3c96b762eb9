"""Leaks that single numbers do not show: a direction without noise, shared noise, last bits, copies in a frame."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.stats import binom

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.exam import check
from ldp_core.checking.exam._clauses_links import copied
from ldp_core.checking.exam._clauses_sample import Collector
from ldp_core.checking.subjects.calls import CalledSubject
from ldp_core.distinguishers.learned import features, kept_length
from ldp_core.private import GradientPair
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from tests.checking.test_exam import sphere
from tests.helpers.binomial import LEVEL

_Report = Callable[[NDArray[Any], NDArray[Any], np.random.Generator], NDArray[Any]]
_GRID = 2.0**-16


def honest(sent: NDArray[Any], reports: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    return reports


def direction(sent: NDArray[Any], reports: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    """One direction of all, the same in each report, has no noise."""
    bare = np.random.default_rng(99).normal(size=len(sent))
    bare /= np.linalg.norm(bare)
    return reports - np.outer((reports - sent) @ bare, bare)


def last_bits(sent: NDArray[Any], reports: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    """The last bit of each number tells a sign of the input, rightly in 95 of 100; those before it are random."""
    bits = (reports.view(np.int64) & ~(2**24 - 1)) | random.integers(0, 2**24, reports.shape)
    told = np.where(random.random((len(reports), 1)) < 0.95, sent[0] > 0.0, sent[0] <= 0.0)
    return np.asarray(((bits & ~1) | told).view(np.float64))


def halves(sent: NDArray[Any], reports: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    """Both halves of a report have the same noise."""
    noise = (reports - sent)[:, : len(sent) // 2]
    return sent + np.hstack((noise, noise))


def tabled(sent: NDArray[Any], reports: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
    """The noise is one of 4,096 vectors."""
    vectors = np.random.default_rng(7).laplace(scale=2.0 * np.sqrt(len(sent)), size=(4_096, len(sent)))
    return sent + np.round(vectors / _GRID)[random.integers(len(vectors), size=len(reports))] * _GRID


def framed(before: int, after: int) -> _Report:
    """Return a change to 30 of 100 reports that are nearly the input, between so many numbers that tell nothing."""

    def change(sent: NDArray[Any], reports: NDArray[Any], random: np.random.Generator) -> NDArray[Any]:
        near = sent + random.integers(-64, 65, reports.shape) * _GRID
        frame = random.integers(0, 256, (len(reports), before + after)) * 1.0
        inside = np.where(random.random((len(reports), 1)) < 0.3, near, reports)
        return np.hstack((frame[:, :before], inside, frame[:, before:]))

    return change


def subject(change: _Report, seed: int = 5) -> CalledSubject:
    random = np.random.default_rng(seed)

    def randomize(gradient: Any, num_reports: int) -> Any:
        sent = np.round(gradient / max(1.0, float(np.linalg.norm(gradient))) / _GRID) * _GRID
        noise = random.laplace(scale=2.0 * np.sqrt(len(sent)), size=(num_reports, len(sent)))
        return change(sent, sent + np.round(noise / _GRID) * _GRID, random)

    return CalledSubject(randomize, "numpy", lambda: subject(change, seed + 1))


@pytest.mark.parametrize(
    ("change", "dimension"),
    [
        *((direction, 64), (last_bits, 8), (honest, 8)),
        *((halves, 512), (framed(1, 0), 64), (framed(0, 3), 64), (tabled, 8), (honest, 512)),
    ],
)
def test_what_no_single_number_shows_is_rejected(change: _Report, dimension: int) -> None:
    config = CheckConfig("trace", 1.0, 3, dimension=dimension, reports=20_000)
    result = list(check(config, subject(change)))[-1].result
    assert result.failed == ()
    assert result.verdict == (CLAIM_NOT_REJECTED if change is honest else CLAIM_REJECTED)
    assert change is honest or result.reports_used < 10_000


def rounds(epsilon: float, seed: int = 7) -> CalledSubject:
    """A report of 150 rounds of LDP-SGD, each with its part of epsilon."""
    answer = sphere(np.random.default_rng(seed), epsilon / 150)

    def randomize(gradient: Any, num_reports: int) -> Any:
        return answer(gradient, 150 * num_reports).reshape(num_reports, -1)

    return CalledSubject(randomize, "numpy", lambda: rounds(epsilon, seed + 1))


@pytest.mark.few(1)
@pytest.mark.parametrize(("epsilon", "verdict"), [(30.0, CLAIM_REJECTED), (1.0, CLAIM_NOT_REJECTED)])
def test_rounds_in_one_report_are_judged_together(epsilon: float, verdict: str) -> None:
    """Single numbers show nothing of them: each round of the liar keeps the claim five times over."""
    config = CheckConfig("rounds", 1.0, 3, dimension=16, reports=20_000)
    result = list(check(config, rounds(epsilon)))[-1].result
    assert (result.failed, result.verdict) == ((), verdict)


def test_of_long_reports_sums_of_numbers_are_learned_from() -> None:
    reports = np.random.default_rng(1).normal(size=(5, 3_000))
    pair = GradientPair(torch.ones(7), -torch.ones(7), "any")
    inner, table = features(reports, pair)
    for place, edge in (
        (0, reports[:, :2_996]),
        (3, reports[:, 4:]),
    ):  # 428 parts from the first, or to the last number
        np.testing.assert_allclose(inner[:, place] * 7**0.5, edge.sum(axis=1))
    assert features(reports[:, :6], pair)[0].shape == (5, 0)
    folded = [reports[:, place :: kept_length(3_000)].sum(axis=1) for place in range(kept_length(3_000))]
    np.testing.assert_allclose(table[:, : len(folded)], np.transpose(folded), rtol=1e-4, atol=1e-4)


@pytest.mark.law
@pytest.mark.parametrize("kind", ["laplace", "cauchy", "few", "coin", "pareto"])
def test_noise_agrees_by_chance_no_more_often_than_stated(kind: str, law_seed: int) -> None:
    """At one in twenty, over laws of many and of few values, shared by both samples or not."""
    rng, runs, alarms = np.random.default_rng(law_seed), 200, 0
    draws: dict[str, Callable[[], NDArray[Any]]] = {
        "laplace": lambda: rng.laplace(size=(128, 2)),
        "cauchy": lambda: np.round(rng.standard_cauchy((128, 2)), 2),
        "few": lambda: rng.integers(0, 12, (128, 2)),
        "coin": lambda: rng.choice([-1.0, 1.0], (128, 2)),
        "pareto": lambda: np.round(rng.pareto(0.3, (128, 2))),
    }
    for _ in range(runs):
        samples = []
        for sign in (1.0, -1.0):
            collector = Collector(np.array([0.6, 0.0], np.float32), 128, np.eye(2))
            collector.add(sign * 0.6 * np.array([1.0, 0.0]) + draws[kind](), 128, turned=sign < 0.0)
            samples.append(collector.sample())
        alarms += copied(samples[0], samples[1]).p < 0.05 / 2
    assert binom.sf(alarms - 1, runs, 0.05) > LEVEL
