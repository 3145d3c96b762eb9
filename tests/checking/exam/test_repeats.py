"""Exact repeats: whoever sends a report again is caught; nobody honest is blamed, whatever the scale of the noise."""

import itertools
import math
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import binom

from ldp_core.checking.claims import Clause
from ldp_core.checking.claims._plan import EXAM_SHARE
from ldp_core.checking.exam._clauses_odds import mean_p
from ldp_core.checking.exam._clauses_repeats import _bets, again
from ldp_core.checking.exam._exam import _SampleDrawer, examine
from ldp_core.checking.subjects.python import Limits
from tests.checking.test_exam import SCALE, Answer, D, Stub, config, failed, judged, laplace, noise, signs, sphere
from tests.helpers.binomial import LEVEL
from tests.helpers.checking import load

_FEW = {"reports": 30_000}


def test_no_bet_gains_on_average_where_places_are_exchangeable() -> None:
    """Over all orders of two parts, every product is 1 on average: exact enumeration."""
    values = np.array([0, 0, 0, 1, 1, 2], np.intp)
    for parts in ((0, 0, 0, 1, 1, 1), (0, 0, 1, 1, 2, 2), (0, 1, 1, 1, 1, 1), (0, 1, 2, 3, 4, 5)):
        orders = np.array(list(itertools.permutations(parts)))
        products = np.exp([_bets(values, order) for order in orders])
        np.testing.assert_allclose(products.mean(axis=0), 1.0, rtol=1e-12)


def in_workers(workers: int, one: int = 0) -> Any:
    """So many processes that begin with one state and answer equal parts of a call, or reports in turn."""

    def make(rng: Generator) -> Answer:
        seed = int(rng.integers(2**60))
        each = [sphere(np.random.default_rng(seed)) for _ in range(workers)]

        def answer(gradient: NDArray[Any], count: int) -> NDArray[Any]:
            turns = np.arange(count) % workers if one else np.arange(count) * workers // count
            rows = np.empty((count, len(gradient)), np.float32)
            for number, inside in enumerate(each):
                if (mine := turns == number).any():
                    rows[mine] = inside(gradient, int(mine.sum()))
            return rows

        return answer

    return make


def now_and_then(share: float) -> Any:
    """A few reports are those of the call before."""

    def make(rng: Generator) -> Answer:
        inside, past = sphere(rng), list[NDArray[Any]]()

        def answer(gradient: NDArray[Any], count: int) -> NDArray[Any]:
            for row in inside(gradient, count):
                past.append(past[-5] if len(past) > 5 and rng.random() < share else row)
            return np.array(past[-count:])

        return answer

    return make


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize(
    "make", [in_workers(2), in_workers(3), in_workers(3, 1), now_and_then(0.03)], ids=["two", "three", "turns", "few"]
)
def test_whoever_sends_a_report_again_is_caught(make: Any, ordered: bool) -> None:
    assert failed(judged(Stub(make, ordered=ordered), config(**_FEW)))["repeats"] in ("same", "again")


SEEDED = """
import numpy as np
class Seeded:
    def __init__(self):
        self.rng = np.random.default_rng(5)
    def randomize(self, gradient, num_reports):
        return np.round((gradient + self.rng.laplace(0.0, 8.0, (num_reports, len(gradient)))) * 64) / 64
"""


def test_a_seed_in_two_workers_is_seen_in_each_and_at_restarts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "seeded_vendor.py").write_text(SEEDED)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    asked = config(**_FEW)
    with closing(load("seeded_vendor:Seeded", asked, limits=Limits(60.0, None, 2))) as subject:
        found: dict[str, Clause] = {
            one.clause.name: one.clause for one in examine(asked, subject) if one.clause is not None
        }
    assert {"repeats": "again", "restart": "same"}.items() <= failed(found).items()


_Draw = Callable[[Generator, tuple[int, int]], NDArray[np.float64]]


def times(make: Any, factor: float, kind: type = np.float64) -> Any:
    """Reports of another unit."""

    def changed(rng: Generator) -> Answer:
        inside = make(rng)
        return lambda gradient, count: (inside(gradient, count).astype(np.float64) * factor).astype(kind)

    return changed


def lengths(draw: Callable[[Generator, int], NDArray[np.float64]]) -> Any:
    """Directions of LDP-SGD, and a length that is drawn whatever the input."""

    def make(rng: Generator) -> Answer:
        inside = sphere(rng)
        return lambda gradient, count: inside(gradient, count).astype(np.float64) * draw(rng, count)[:, np.newaxis]

    return make


def lognormal(sigma: float) -> Any:
    return lengths(lambda rng, count: np.exp(sigma * rng.standard_normal(count) - sigma**2 / 2.0))


def response(categories: int) -> Any:
    """Randomized response at epsilon 1 about the sign of the first entry, over so many categories."""
    truth = math.e / (math.e + categories - 1.0)

    def make(rng: Generator) -> Answer:
        def answer(gradient: NDArray[Any], count: int) -> NDArray[np.int64]:
            true = int(gradient[0] > 0.0)
            others = (true + rng.integers(1, categories, count)) % categories
            return np.where(rng.random(count) < truth, true, others)[:, np.newaxis]

        return answer

    return make


def grid(draw: _Draw) -> Any:
    return noise(lambda rng, shape: 20.0 * draw(rng, shape), 2.0**-6)


HONEST: dict[str, tuple[Any, dict[str, float]]] = {
    "cauchy": (grid(lambda rng, shape: rng.standard_cauchy(shape)), {"scale": 1.0}),
    "cauchy-decimals": (noise(lambda rng, shape: rng.standard_cauchy(shape), 1e-3), {}),
    "student-1.5": (grid(lambda rng, shape: rng.standard_t(1.5, shape)), {"scale": 1.0}),
    "student-3": (grid(lambda rng, shape: rng.standard_t(3.0, shape)), {"scale": 1.0}),
    "pareto": (grid(lambda rng, shape: rng.choice([-1.0, 1.0], shape) * rng.pareto(0.3, shape)), {}),
    "lognormal-1": (lognormal(1.0), {"scale": SCALE}),
    "lognormal-3": (lognormal(3.0), {"scale": SCALE}),
    "seldom": (lengths(lambda rng, count: 200.0 * (rng.random(count) < 0.005)), {"scale": SCALE}),
    "1e-300": (times(sphere, 1e-300), {}),
    "1e300": (times(sphere, 1e300), {}),
    "laplace-1e-300": (times(noise(laplace, 2.0**-6), 1e-300), {}),
    "laplace-1e300": (times(noise(laplace, 2.0**-6), 1e300), {}),
    "integers": (times(noise(laplace, 2.0**-6), 64.0, np.int64), {"scale": 1.0 / 64.0}),
    "signs": (signs, {"scale": math.sqrt(D) / math.tanh(0.5)}),
    "response-2": (response(2), {}),
    "response-16": (response(16), {}),
    "response-100": (response(100), {}),
}


@pytest.mark.few(5)
@pytest.mark.parametrize("name", HONEST)
def test_whatever_the_scale_nobody_honest_is_blamed(name: str) -> None:
    make, stating = HONEST[name]
    for seed in range(2):
        assert not failed(judged(Stub(make, 100 + seed), config(reports=30_000, seed=seed, **stating)))


@pytest.mark.nightly
@pytest.mark.law
@pytest.mark.parametrize("dimension", [1, D, 64])
@pytest.mark.parametrize("name", HONEST)
def test_whatever_the_scale_alarms_are_no_more_than_stated(name: str, dimension: int, law_seed: int) -> None:
    make, stating = HONEST[name]
    stating = stating if dimension == D or stating.get("scale", 1.0) <= 1.0 else {}  # the others' scale is for D
    runs, alarms = 60, 0
    for seed in range(runs):
        asked = config(reports=60_000, seed=seed, significance=0.5, dimension=dimension, **stating)
        alarms += bool(failed(judged(Stub(make, 1_000 * law_seed + seed), asked)))
    assert binom.sf(alarms - 1, runs, EXAM_SHARE * 0.5) > LEVEL


@pytest.mark.parametrize("center", [0.0, 1e6])
def test_a_mean_that_single_values_make_is_not_judged(center: float) -> None:
    """Lognormal values whose mean is exp(4.5): samples of a thousand hardly ever reach it."""
    rng = np.random.default_rng(1)
    heavy = [np.exp(3.0 * rng.standard_normal(1_000)) + center for _ in range(50)]
    true = math.exp(4.5) + center
    assert sum(mean_p(values, true, true, None) < 1e-6 for values in heavy) == 0
    light = rng.laplace(size=1_000)
    assert mean_p(light, 1.0, 1.0, None) < 1e-6


@pytest.mark.nightly
@pytest.mark.law
@pytest.mark.parametrize("make", [response(2), response(16), response(100)], ids=["2", "16", "100"])
def test_few_values_are_blamed_no_more_often_than_stated(make: Any, law_seed: int) -> None:
    runs, level = 200, 0.05
    small = 0
    for seed in range(runs):
        desk = _SampleDrawer(config(seed=seed, **_FEW), Stub(make, 1_000 * law_seed + seed), None)
        list(desk.draw())
        small += again(desk.samples, seed).p < level
    assert binom.sf(small - 1, runs, level) > LEVEL
