"""Plays the games of an audit of DP-SGD: trains models in both worlds, or draws from the exact law.

The first games choose the thresholds, the others are judged. Each group of models has random streams of its own, so
that the counts do not depend on the number of threads.
"""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.cache import write_atomically
from ldp_core.central_adversaries import adversary
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.game.setup import kind_of, loaded, one_thread_per_operation, resolve_device, versions
from ldp_core.game.trials import AHEAD, sampling_threads, worker_threads
from ldp_core.learning.private_training import FrozenFeatures, Task, Weights, initial, train
from ldp_core.randomness.streams import stream_generator
from ldp_core.statistics import central_law
from ldp_core.statistics.accountant import Sampled
from ldp_core.statistics.curve_test import Thresholds, counts_at
from ldp_core.studies.central.result import SIGNIFICANCE, CentralConfig, CentralResult, claimed
from ldp_core.study import Step, in_order
from ldp_core.types import TrialCounts

TOGETHER, CNN_TOGETHER = 50, 4
"""Models that are trained at once; of the clients' network fewer, whose patches fill the memory."""
SIDE = 8
"""Height and width to which images are thinned out for models of single layers."""
FEWEST_PUBLIC = 100
_WEIGHTS, _ATTACKER, _GAMES, _FEATURES = 0, 1, 2, 4
Array = NDArray[Any]


def central(
    config: CentralConfig,
    *,
    device: str = "cpu",
    threads: int | None = None,
    data_dir: Path | None = None,
    download: bool = False,
    resume: Path | None = None,
) -> Generator[Step[CentralResult], None, None]:
    """Audit DP-SGD; the scores of finished games are kept in the file ``resume``, and taken from it.

    Yields the state after the "attack" is ready and after some "games", both worlds together.
    """
    start = time.monotonic()
    _validate.choice("dataset", config.dataset, DATASETS)
    device = "cpu" if config.law else resolve_device(device)
    threads = sampling_threads() if threads is None else _validate.integer("threads", threads, 1, 1024)
    packages, total = versions(device), 2 * (config.games + config.threshold_games)
    counts = point = TrialCounts()

    def progress(stage: str, done: int, of: int = total) -> Step[CentralResult]:
        completed = counts.num_trials == 2 * config.games
        result = CentralResult(config, counts, point, completed, time.monotonic() - start, kind_of(device), packages)
        return Step(stage, done, of, result)

    yield progress("data", 0)
    claim = claimed(config)
    stop = threading.Event()
    with one_thread_per_operation():
        play: Callable[[int, bool, int, int], Array]
        if config.law:
            play = _law(config, claim)
        else:
            data = yield from loaded(progress, config.dataset, data_dir, download)
            yield progress("attack", 0)
            play = trainings(config, claim, data, device, stop.is_set)
        kept = _Kept(resume, config, kind_of(device))
        scores: dict[tuple[int, bool], list[Array]] = {
            (phase, world): [] for phase in (0, 1) for world in (True, False)
        }
        chosen: tuple[float, float] | None = None
        yield progress("games", 0)
        pool = worker_threads(threads)
        try:
            done = 0
            for phase, games in ((0, config.threshold_games), (1, config.games)):
                for world, group_scores in _played(phase, games, _together(config), play, kept, pool, threads, stop):
                    scores[phase, world].append(group_scores)
                    done += len(group_scores)
                    if phase == 1 and world is False:  # both worlds have played this group
                        assert chosen is not None
                        judged = [np.concatenate(scores[1, side]) for side in (True, False)]
                        counts, point = (counts_at(value, judged[0], judged[1]) for value in chosen)
                    yield progress("games", done)
                if phase == 0:
                    offered = Thresholds.of(np.concatenate(scores[0, True]), np.concatenate(scores[0, False]))
                    chosen = offered.most_right(), offered.strongest(config.delta, SIGNIFICANCE)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)
            kept.write()


def _together(config: CentralConfig) -> int:
    if config.law:
        return central_law.GAMES_TOGETHER
    return CNN_TOGETHER if config.model == "cnn" else TOGETHER


def _played(
    phase: int,
    games: int,
    together: int,
    play: Callable[[int, bool, int, int], Array],
    kept: _Kept,
    pool: ThreadPoolExecutor,
    threads: int,
    stop: threading.Event,
) -> Iterator[tuple[bool, Array]]:
    """Yield the scores of one group of games after another, the world "in" before the world "out"."""

    def play_group(group: tuple[int, bool]) -> tuple[bool, Array]:
        chunk, world = group
        if stop.is_set():
            raise InterruptedError
        number, scores = min(together, games - chunk * together), kept.get(phase, world, chunk)
        if scores is None or len(scores) != number:
            scores = play(phase, world, chunk, number)
            kept.put(phase, world, chunk, scores)
        return world, scores

    return in_order(pool, play_group, product(range(-(-games // together)), (True, False)), AHEAD * threads)


def _law(config: CentralConfig, claim: Sampled) -> Callable[[int, bool, int, int], Array]:
    actual = replace(claim, noise=claim.noise * config.noise_factor)

    def play(phase: int, world: bool, chunk: int, number: int) -> Array:
        return central_law.games(
            claim, world, number, config.seed, _GAMES + phase, chunk, rule=config.distinguisher, actual=actual
        )

    return play


def trainings(
    config: CentralConfig, claim: Sampled, data: ImageData, device: str, halted: Callable[[], bool] = bool
) -> Callable[[int, bool, int, int], Array]:
    """Return what trains a group of models and gives their scores; the attack is made on the CPU for any device.

    ``claim``: the DP-SGD that keeps the epsilon; ``halted``: asked in each step whether to give up.
    """
    task, held_out = task_of(config, claim, data)
    start = initial(task, 1, stream_generator(config.seed, 0, 0, _WEIGHTS))
    attacker = stream_generator(config.seed, 0, 0, _ATTACKER)
    direction = config.direction if config.adversary == "gradient" else ""
    plan = adversary(config.adversary, direction).plan(task, held_out, start, attacker).on(device)
    done = replace(plan.task, noise=plan.task.noise * config.noise_factor)
    begin = [layer.to(device) for layer in start]

    def play(phase: int, world: bool, chunk: int, number: int) -> Array:
        generator = stream_generator(config.seed, 2 * phase + int(world), chunk, _GAMES, device)
        canary = plan.note(number)
        first: Weights = [layer.expand(number, -1, -1).clone() for layer in begin]
        train(done, canary, number, world, first, generator, halted)
        scores: Array = canary.scores()[config.distinguisher].double().numpy(force=True)
        if not np.isfinite(scores).all():
            raise ValueError(
                f"learning rate must be one with which the training does not diverge, got {config.learning_rate:g}"
            )
        return scores

    return play


def task_of(config: CentralConfig, claim: Sampled, data: ImageData) -> tuple[Task, tuple[torch.Tensor, torch.Tensor]]:
    """Return the training as the server means it, and the held-out records, on the CPU.

    Raises ``ValueError`` if the data set has fewer records.
    """
    images, labels = data.train_images, data.train_labels
    if config.records > len(images):
        raise ValueError(f"records must be at most the {len(images):,} of {config.dataset}, got {config.records:,}")
    records = _records(config, data)
    task = Task(
        records(images[: config.records]),
        labels[: config.records],
        data.num_classes,
        config.model,
        claim.sampling_rate,
        claim.noise,
        claim.steps,
        config.clip_norm,
        config.learning_rate,
        (images.shape[1], images.shape[2]),
    )
    return task, (records(data.images[:1_000]), data.labels[:1_000])


def _records(config: CentralConfig, data: ImageData) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return what makes images into the records of a model."""
    if config.model == "cnn":
        return lambda images: _with_one(images.flatten(1))
    if config.model != "features":
        return records_of
    public, labels = data.train_images[config.records :], data.train_labels[config.records :]
    if len(public) < FEWEST_PUBLIC:
        raise ValueError(
            f"records must leave {FEWEST_PUBLIC} of the {len(data.train_images):,} pictures of {config.dataset} for "
            f"public features, got {config.records:,}"
        )
    frozen = FrozenFeatures(public, labels, data.num_classes, stream_generator(config.seed, 0, 0, _FEATURES))
    return lambda images: _with_one(frozen.of(images))


def records_of(images: torch.Tensor) -> torch.Tensor:
    """Return images as records: grey, every third pixel or so, a 1 appended; shape (n, 65)."""
    places = torch.arange(SIDE) * images.shape[-1] // SIDE
    return _with_one(images.mean(1)[:, places][:, :, places].flatten(1))


def _with_one(values: torch.Tensor) -> torch.Tensor:
    return torch.cat([values, torch.ones(len(values), 1)], dim=1)


class _Kept:
    """Scores of finished groups in a file, if one is named, for a run of the same settings and device later."""

    def __init__(self, path: Path | None, config: CentralConfig, device: str) -> None:
        self._path, self._lock, self._saved, self._waiting = path, threading.Lock(), time.monotonic(), False
        self._key = f"{zlib.crc32(json.dumps([asdict(config), device], sort_keys=True).encode()):08x}"
        self._found: dict[str, list[float]] = {}
        if path is not None and path.exists():
            try:
                report = json.loads(path.read_text())
                key, self._found = report["key"], dict(report["scores"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise ValueError(f"--resume must name a file that this command wrote, got {str(path)!r}") from error
            if key != self._key:
                raise ValueError(f"--resume must name a file of the same settings and seed, got {str(path)!r}")

    def get(self, phase: int, world: bool, chunk: int) -> Array | None:
        """Return the scores of a group that was played before."""
        scores = self._found.get(f"{phase} {int(world)} {chunk}")
        return None if scores is None else np.asarray(scores, dtype=np.float64)

    def put(self, phase: int, world: bool, chunk: int, scores: Array) -> None:
        """Keep the scores of a group; the file is written at most once a second, so that ``write`` must follow."""
        if self._path is None:
            return
        with self._lock:
            self._found[f"{phase} {int(world)} {chunk}"] = scores.tolist()
            self._waiting = True
            if time.monotonic() - self._saved > 1.0:
                self._write()

    def write(self) -> None:
        """Write what is not in the file yet."""
        with self._lock:
            if self._waiting:
                self._write()

    def _write(self) -> None:
        assert self._path is not None
        write_atomically(self._path, json.dumps({"key": self._key, "scores": self._found}, allow_nan=False).encode())
        self._waiting, self._saved = False, time.monotonic()
