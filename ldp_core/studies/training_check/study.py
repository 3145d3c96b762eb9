"""A check of a stranger's training function: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.training_check.result import TrainingCheckResult
from ldp_core.study import Request
from ldp_core.terminal import FAILED, NOT_REJECTED, REJECTED
from ldp_core.types import CLAIM_REJECTED

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class TrainingCheck(KeptStudy):
    """Whether a training function is the DP-SGD that it claims to be."""

    result = TrainingCheckResult
    timed = "games"

    def run(self, request: Request, cache: Cache, threads: int | None) -> Iterator[Any]:
        """Refuse: a page runs no stranger's code."""
        raise ValueError("a training function must be checked from the command line, got a request of a page")

    def code(self, result: TrainingCheckResult) -> int:
        return REJECTED if result.verdict == CLAIM_REJECTED else NOT_REJECTED if result.completed else FAILED
