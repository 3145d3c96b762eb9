"""Plays the games of a check: has a stranger's function train with and without one record, and tells the worlds apart.

The records are points with two labels. The one that is looked for is long, so that its gradient is clipped, and lies in
a direction in which the others are zero ("alone") or pull the other way ("against"); its gradient has one direction
whatever the parameters. What it moves is learned from trainings whose records are all alike.
"""

from __future__ import annotations

import math
import platform
import queue
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.random import PCG64, SeedSequence
from numpy.typing import NDArray

from ldp_core._version import VERSION
from ldp_core.checking.columns import Bare, signed
from ldp_core.studies.training_check.judge import PROBES, Seen, chosen
from ldp_core.studies.training_check.result import CANARIES, TrainingCheckConfig, TrainingCheckResult
from ldp_core.study import Step, in_order
from ldp_core.types import TrialCounts

Array = NDArray[Any]
FEATURES = 8
_LENGTH = 20.0
"""Of the canary's features, in clipping norms: its gradient is about 14 times as long as clipping lets it be."""
_WALK = 0.002
"""How far the noise may carry a parameter over all steps, in clipping norms: the models hardly move."""
_AHEAD = 3
_PROBE, _CHOOSE, _JUDGE = 0, 1, 2


class Trains(Protocol):
    """A training function, wherever it runs."""

    def train(self, records: NDArray[np.float32], seed: int, settings: dict[str, Any]) -> NDArray[np.float64]:
        """Return all iterates, or the final parameters in one row."""
        ...

    def stop(self) -> None:
        """Give up a training that runs in another thread."""
        ...


def settings_of(config: TrainingCheckConfig) -> dict[str, Any]:
    """Return what the function is told: the claim, and a learning rate with which the model hardly moves."""
    step = _WALK / (config.clip_norm * config.noise * config.clip_norm * math.sqrt(config.steps))
    return {
        "sampling_rate": config.sampling_rate,
        "noise": config.noise,
        "steps": config.steps,
        "clip_norm": config.clip_norm,
        "learning_rate": step * config.sampling_rate * config.records,
        "records": config.records,
        "classes": 2,
    }


def check_training(
    config: TrainingCheckConfig, trainers: Sequence[Trains]
) -> Generator[Step[TrainingCheckResult | None], None, None]:
    """Check a training function. Whoever stops iterating stops the check; the last result is valid.

    ``config``: what to ask; ``trainers``: of one function, which train at a time.
    Yields the state in "probe" and "games", in trainings.
    Raises ``LdpCoreError`` if the function fails.
    """
    start, versions = time.monotonic(), _versions()
    total = PROBES * 4 + 2 * (len(CANARIES) * config.threshold_games + config.games)
    yield Step("probe", 0, total, None)
    idle: queue.Queue[Trains] = queue.Queue()
    for trainer in trainers:
        idle.put(trainer)
    pool = ThreadPoolExecutor(len(trainers))
    settings = settings_of(config)

    def train(job: _Job) -> tuple[bool, Array]:
        trainer = idle.get()
        try:
            return job.inside, trainer.train(job.records, job.seed, dict(settings))
        finally:
            idle.put(trainer)

    def all_of(jobs: Iterable[_Job]) -> Iterator[tuple[bool, Array]]:
        """Return whether the record was in and the answer, in order, a few trainings ahead."""
        return in_order(pool, train, jobs, _AHEAD * len(trainers))

    try:
        seen = Seen([iterates for _, iterates in all_of(_probes(config))], config.steps)
        done, looks, bare = PROBES * 4, dict[tuple[str, bool], Array](), set[int]()
        for canary in CANARIES:
            constant, rows = Bare(), dict[bool, list[Array]]({True: [], False: []})
            for inside, iterates in all_of(_pairs(config, _CHOOSE, canary, config.threshold_games)):
                rows[inside].append(seen.looks(iterates))
                constant.add(inside, signed(iterates, iterates))
                done += 1
                yield Step("games", done, total, None)
            looks.update({(canary, inside): np.array(rows[inside]) for inside in rows})
            bare.update(constant.columns())
        judge = chosen(config, seen, looks)
        counts, guesses = TrialCounts(), dict[bool, int]()
        for inside, iterates in all_of(_pairs(config, _JUDGE, judge.canary, config.games)):
            done += 1
            guesses[inside] = int(judge.scores(seen.looks(iterates)[None])[0] >= judge.threshold)
            if len(guesses) == 2:
                counts += TrialCounts(guesses[True], 1 - guesses[True], guesses[False], 1 - guesses[False])
                guesses = {}
                result = TrainingCheckResult(
                    config, seen.access, seen.iterates, judge.canary, judge.rule, tuple(sorted(bare)),
                    counts, counts.num_first == config.games, time.monotonic() - start, versions,
                )  # fmt: skip
                yield Step("games", done, total, result)
    except BaseException:
        for trainer in trainers:
            trainer.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def canary_of(config: TrainingCheckConfig, canary: str = "alone") -> Array:
    """Return the record that is looked for, shape (FEATURES + 1,): its features, then label 1."""
    outweighs = max(1.0, config.sampling_rate * config.records / 2.0) if canary == "against" else 1.0
    return _record(config, _LENGTH * outweighs, 1.0)


def changed_of(config: TrainingCheckConfig, canary: str = "alone") -> Array | None:
    """Return what stands in the record's place in the other world, shape (FEATURES + 1,); None if nothing does."""
    turned = {"label": slice(-1, None), "features": slice(-1)}.get(config.neighbours)
    if turned is None:
        return None
    record = canary_of(config, canary)
    record[turned] = 1.0 - record[turned] if config.neighbours == "label" else -record[turned]
    return record


def others_of(config: TrainingCheckConfig, canary: str) -> Array:
    """Return the other records, shape (records, FEATURES + 1).

    ``alone``: zeros. ``against``: each pulls by the clipping norm the other way; in pairs that cancel the bias.
    """
    if canary == "alone":
        return np.zeros((config.records, FEATURES + 1), dtype=np.float32)
    both = np.stack([_record(config, math.sqrt(2.0), 0.0), _record(config, -math.sqrt(2.0), 1.0)])
    return np.asarray(both[np.arange(config.records) % 2])


def _record(config: TrainingCheckConfig, length: float, label: float) -> Array:
    size = length * config.clip_norm / math.sqrt(FEATURES)
    return np.array([*(size * (-1.0) ** place for place in range(FEATURES)), label], dtype=np.float32)


def _random(config: TrainingCheckConfig, *key: int) -> np.random.Generator:
    return np.random.Generator(PCG64(SeedSequence([config.seed, *key])))


def _seed(random: np.random.Generator) -> int:
    return int(random.integers(2**31))


class _Job(NamedTuple):
    """A training that is asked for, and whether the record that is looked for is in it."""

    inside: bool
    records: Array
    seed: int


def _probes(config: TrainingCheckConfig) -> list[_Job]:
    """Return trainings of records that are all alike, with both labels, four kinds in turn."""
    random, jobs = _random(config, _PROBE), []
    for _ in range(PROBES):
        seed = _seed(random)
        for record in (canary_of(config), others_of(config, "alone")[0]):
            for label in (1.0, 0.0):
                rows = np.tile(record, (config.records, 1))
                rows[:, -1] = label
                jobs.append(_Job(label == 1.0, rows, seed))
    return jobs


def _pairs(config: TrainingCheckConfig, phase: int, canary: str, number: int) -> Iterator[_Job]:
    """Yield games of both worlds in pairs, each pair in a random order: what follows time alone then tells nothing."""
    random = _random(config, phase, CANARIES.index(canary), 2)
    games = [_games(config, phase, canary, inside, number) for inside in (False, True)]
    for _ in range(number):
        first = int(random.integers(2))
        yield from (next(games[inside]) for inside in (first, 1 - first))


def _games(config: TrainingCheckConfig, phase: int, canary: str, inside: bool, number: int) -> Iterator[_Job]:
    """Yield trainings with the canary at a random place, or with what there is of it in the other world."""
    random = _random(config, phase, CANARIES.index(canary), int(inside))
    others, record = others_of(config, canary), canary_of(config, canary) if inside else changed_of(config, canary)
    for _ in range(number):
        rows = others if record is None else np.insert(others, int(random.integers(len(others) + 1)), record, axis=0)
        yield _Job(inside, rows, _seed(random))


def _versions() -> dict[str, str]:
    versions = {"ldp-core": VERSION, "python": platform.python_version()}
    return versions | {package: version(package) for package in ("numpy", "scipy")}
