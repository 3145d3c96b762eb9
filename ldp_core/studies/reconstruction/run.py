"""Rebuilding pictures from what is sent: a client sends, an attacker rebuilds, and the two pictures are compared.

All reports of a picture are made under one model that does not change: the worst case for the client. The attacker is
the server: it knows the model, the protection, and pictures of the same kind that are public. The pictures attacked
are held out from training.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core.cache import Cache
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.game.setup import Prepared, one_thread_per_operation, prepare, versions
from ldp_core.studies.reconstruction.attack import Attack
from ldp_core.studies.reconstruction.result import ReconstructionConfig, ReconstructionResult, ReportsResult
from ldp_core.study import Step


def reconstruct(
    config: ReconstructionConfig,
    *,
    data_dir: Path | None = None,
    download: bool = False,
    cache: Cache | None = None,
    halted: Callable[[], bool] = bool,
) -> Generator[Step[ReconstructionResult], None, None]:
    """Attack pictures one after the other.

    The numbers depend on the configuration and the data alone.
    Yields the state in "data", "download" and "training", then after some "pictures"; the last one has
    ``result.completed``.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, PUBLIC_DATASETS)
    empty = tuple(ReportsResult(count, 0) for count in config.counts)
    none: dict[str, float | None] = {"mean": None, "class_mean": None}
    result = ReconstructionResult(config, empty, none, 0, 0.0, False, 0.0, versions())

    def progress(stage: str, done: int, total: int) -> Step[ReconstructionResult]:
        return Step(stage, done, total, replace(result, seconds=time.monotonic() - start))

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        kept = Cache() if cache is None else cache
        ready: Prepared | None = None
        where: dict[str, Any] = {"data_dir": data_dir, "download": download}
        for stage, done, total, found in prepare(config.dataset, config.training, kept, **where):
            ready = found
            yield progress(stage, done, total)
        assert ready is not None
        attack = Attack(config, ready)
        yield progress("pictures", 0, attack.planned)
        for done in attack.run(halted):
            result = attack.result(result)
            yield progress("pictures", done, attack.planned)
