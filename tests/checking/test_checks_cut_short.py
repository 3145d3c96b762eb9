"""A check whose mechanism ends before its time: what was asked until then is judged."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig, from_json, to_json
from ldp_core.checking.exam import CheckProgress, check
from ldp_core.errors import MechanismUnavailableError
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED

CONFIG = CheckConfig("x", 1.0, 1, dimension=2, reports=10_000, significance=1e-6, scale=1.0)


class Mortal:
    """Adds Laplace noise to the clipped input, and ends after so many reports."""

    seeded, ordered, alike, notice = False, True, False, ""

    def __init__(self, lifetime: int, noise: float) -> None:
        self._left, self._noise, self._rng = lifetime, noise, np.random.default_rng(5)

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        self._left -= num_reports
        if self._left < 0:
            raise MechanismUnavailableError("it is gone")
        clipped = gradient * min(1.0, 1.0 / max(float(np.linalg.norm(gradient)), 1e-9))
        return np.round((clipped + self._rng.laplace(0.0, self._noise, (num_reports, 2))) * 1024) / 1024

    def restarted(self) -> "Mortal":
        return self

    def close(self) -> None:
        """Nothing to end."""


def end_of(lifetime: int, noise: float = 2.9) -> CheckProgress:
    for progress in check(CONFIG, Mortal(lifetime, noise)):
        last = progress
    return last


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "lifetime", [256, 300, 600, 1_000, 1_700, 2_000, 2_200, 2_400, 2_700, 2_840, 2_848, 5_000, 9_000]
)
def test_whenever_it_ends_the_clauses_until_then_are_those_of_a_whole_exam(lifetime: int) -> None:
    whole = {clause.name: clause for clause in end_of(100_000).result.clauses}
    last = end_of(lifetime)
    assert last.problem == "it is gone"
    assert not last.result.completed
    assert last.result.clauses
    for clause in last.result.clauses:
        assert clause.passed == whole[clause.name].passed, clause
    if last.stage == "exam":
        assert all(clause.passed is not None for clause in last.result.clauses)
        assert not last.result.looks
    else:
        assert len(last.result.clauses) == len(whole)
    assert from_json(to_json(last.result)).clauses == last.result.clauses


def test_what_was_shown_before_the_end_counts() -> None:
    """A liar is rejected after the same reports as if it had stayed, and an honest one is not."""
    stays = end_of(100_000, 0.05)
    assert stays.result.verdict == CLAIM_REJECTED
    leaves = end_of(stays.result.reports_used, 0.05)
    assert leaves.result.verdict == CLAIM_REJECTED
    assert leaves.result.completed
    earlier = end_of(9_000)
    assert earlier.result.verdict == CLAIM_NOT_REJECTED
    assert 2_848 < earlier.result.reports_used <= 9_000


def test_before_there_is_anything_to_show_it_is_an_error() -> None:
    for lifetime in (0, 255):
        with pytest.raises(MechanismUnavailableError, match="it is gone"):
            end_of(lifetime)
