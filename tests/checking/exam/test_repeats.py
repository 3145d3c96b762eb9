"""Exact repeats: whoever sends a report again is caught, wherever it stands; few values alone are no fault."""

import itertools
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.stats import binom

from ldp_core.checking.claims import Clause
from ldp_core.checking.exam._clauses_repeats import _bets, again
from ldp_core.checking.exam._exam import _SampleDrawer, examine
from ldp_core.checking.subjects.python import Limits, load
from tests.checking.exam.test_wild_scales import response
from tests.checking.test_exam import Answer, Stub, config, failed, judged, sphere
from tests.helpers.binomial import LEVEL

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


def test_one_seed_in_two_workers_is_seen_in_each_and_after_each_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "seeded_vendor.py").write_text(SEEDED)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    asked = config(**_FEW)
    subject = load("seeded_vendor:Seeded", asked, limits=Limits(60.0, None, 2))
    try:
        found: dict[str, Clause] = {
            one.clause.name: one.clause for one in examine(asked, subject) if one.clause is not None
        }
    finally:
        subject.close()
    assert {"repeats": "again", "restart": "same"}.items() <= failed(found).items()


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
