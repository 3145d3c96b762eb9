"""Steps 1 to 5 for one configuration."""

import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from ldp_core.cache import Cache
from ldp_core.datasets import ImageData
from ldp_core.distinguishers.white import CosineSimilarity
from ldp_core.errors import HaltedError
from ldp_core.facts import DataFacts
from ldp_core.game.cells import Cell, run_cells
from ldp_core.game.setup import (
    client_state,
    craft_pair,
    devices_of,
    kind_of,
    one_thread_per_operation,
    prepare,
    resolve_device,
    tallied,
    versions,
)
from ldp_core.game.summary import expected_identification
from ldp_core.game.trials import sampling_threads
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import GradientPair
from ldp_core.randomness.coins import FIRST_COINS
from ldp_core.study import Step
from ldp_core.types import AuditConfig, AuditResult, MeasurementResult, TrialCounts


@dataclass(frozen=True, slots=True)
class AuditProgress(Step[AuditResult]):
    """Bytes of "download", passes of "training", measurements of "crafting", or "trials".

    Args:
        pair: the pair in work, once some of its trials are counted. Private: it is shown on the client's own screen,
            and never kept.
    """

    pair: GradientPair | None = field(default=None, repr=False, compare=False)


def audit(
    config: AuditConfig,
    cache: Cache,
    *,
    device: str = "cpu",
    threads: int | None = None,
    data_dir: Path | None = None,
    download: bool = False,
    images: ImageData | None = None,
    halted: Callable[[], bool] = bool,
) -> Generator[AuditProgress, None, None]:
    """Run a test: load, train, and for each measurement craft a pair and run its trials.

    Whoever stops iterating stops the run; the last yielded result is valid.

    ``device``: "cpu", "cuda" (every card), one card such as "cuda:1", or "auto"; ``threads``: without a number, all
    cores; ``images``: the client's own, for the data set "own"; ``halted``: returns whether nobody wants the rest,
    asked where a step takes long.
    Yields the state after each step; the last one has ``result.completed``.
    Raises ``ValueError`` if an argument is wrong or a pair cannot be made; ``LdpCoreError`` if data, cache or device
    fail.
    """
    start = time.monotonic()
    device = resolve_device(device)
    if config.sampling == "projected":
        device = "cpu"
    threads = sampling_threads(devices_of(device), threads)
    packages = versions(device)
    planned = config.num_trials * config.num_measurements
    finished: list[MeasurementResult] = []
    facts: DataFacts | None = None

    def progress(
        stage: str, done: int, total: int, current: MeasurementResult | None = None, pair: GradientPair | None = None
    ) -> AuditProgress:
        measurements = (*finished, current) if current else tuple(finished)
        completed = sum(item.counts.num_trials for item in measurements) == planned
        seconds = time.monotonic() - start
        result = AuditResult(config, measurements, completed, seconds, kind_of(device), packages, facts)
        return AuditProgress(stage, done, total, result, pair)

    with one_thread_per_operation():
        yield progress("data", 0, 0)
        ready = yield from prepare(
            progress, config.dataset, config.training, cache, data=images, data_dir=data_dir, download=download
        )
        client, facts = client_state(ready.data, ready.model, config.clip_norm, halted), ready.facts
        for measurement in range(config.num_measurements):
            yield progress("crafting", measurement, config.num_measurements)
            try:
                pair = craft_pair(config, client, measurement, devices_of(device)[0])
            except HaltedError:
                yield progress("crafting", measurement, config.num_measurements)
                return
            current = MeasurementResult(pair.geometry, TrialCounts(), expected_identification(config, pair.geometry))
            with closing(tallied([(config, pair)], client, measurement, device, threads)) as steps:
                for tallies in steps:
                    current = replace(current, counts=tallies.counts(0))
                    counted = (current, pair) if tallies.done else ()
                    yield progress("trials", measurement * config.num_trials + tallies.done, planned, *counted)
            finished.append(current)


def values_per_second(threads: int, seconds: float = 0.1) -> float:
    """Probe how many values of reports this machine randomizes per second, to foretell a run's time."""
    gradient = torch.ones(10_000)
    pair = GradientPair(gradient, -gradient)
    start = time.perf_counter()
    with closing(
        run_cells([Cell(LdpSgd(1.0), CosineSimilarity(), pair, FIRST_COINS)], 10**6, seed=0, threads=threads)
    ) as steps:
        for tallies in steps:
            elapsed = time.perf_counter() - start
            if elapsed > seconds and tallies.done:
                break
    return tallies.done * pair.dimension / elapsed
