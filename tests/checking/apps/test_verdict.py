"""Replies that follow time, not the data: their sender is blamed no more often than said, and a liar among them is."""

import io
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from ldp_core.checking.apps.judge import Claim, Pair
from ldp_core.checking.apps.recorded import Recorded
from ldp_core.checking.apps.verdict import Worlds, judged
from tests.helpers.binomial import at_most

pytestmark = pytest.mark.law
Array = NDArray[np.float64]
COURSES: dict[str, Callable[[Array], Array]] = {
    "a time stamp": lambda times: 1e9 + times + 0.1 * np.sin(times),
    "a counter": lambda times: times,
    "durations that warm up": lambda times: 5.0 * np.exp(-times / 300.0) + 0.1 * np.sin(7.0 * times),
    "turns": lambda times: times % 2.0,
}


class Sender:
    """Updates of five numbers so far apart, in deviations, and a metric that follows time alone."""

    names = ("arrays.0",) * 5 + ("metrics.time",)
    metrics, mods, fixed, network, at_once, workers = ("metrics.time",), None, (), None, 0, 1

    def __init__(self, apart: float, course: str, seed: int) -> None:
        self._apart, self._course, self._random, self._asked = apart, COURSES[course], np.random.default_rng(seed), 0

    def take(self, worlds: Worlds, *, alone: bool = False) -> Array:
        found = self._random.normal(size=(len(worlds), 6))
        found[:, 0] += self._apart * worlds
        found[:, 5] = self._course(np.arange(self._asked, self._asked + len(worlds), dtype=float))
        self._asked += len(worlds)
        return found

    def file(self, count: int) -> bytes:
        """So many replies of each data set, drawn in a random order, as they come."""
        worlds, content = np.random.default_rng(1).permutation(np.repeat([0, 1], count)), io.BytesIO()
        rows = self.take(worlds)
        np.savez(content, first=rows[worlds == 0], second=rows[worlds == 1])
        return content.getvalue()

    def paired(self, begin: Worlds) -> Pair | None:
        return None

    def others(self, worlds: Worlds) -> list[Array]:
        return []


@pytest.mark.parametrize("course", COURSES)
def test_what_follows_time_alone_is_no_evidence_and_hides_no_lie(course: str) -> None:
    claim, level, tries = Claim(1.0, 1e-5, (1.0, 9.69)), 0.05, 30
    for replies in (400, 1_000):
        asked = [Sender(claim.mu, course, seed) for seed in range(tries)]
        files = [Recorded(Sender(claim.mu, course, seed).file(replies // 2)) for seed in range(tries)]
        found, read = (
            [judged(one, claim, replies=replies, significance=level, seed=seed) for seed, one in enumerate(sources)]
            for sources in (asked, files)
        )
        assert all(at_most(sum(one.rejected for one in each), tries, level) for each in (found, read))
    assert max(one.distance for one in found) < 1.0, "time is no part of the update"
    assert judged(Sender(3.0 * claim.mu, course, 0), claim, replies=2_000, significance=1e-3, seed=0).rejected
