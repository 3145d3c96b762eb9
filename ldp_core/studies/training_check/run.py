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
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import islice
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.random import PCG64, SeedSequence
from numpy.typing import NDArray

from ldp_core._version import VERSION
from ldp_core.checking.columns import Bare, Learned, Ranks, Unlike, features, signed
from ldp_core.errors import MechanismContractError
from ldp_core.statistics.accountant import Sampled
from ldp_core.statistics.curve_test import Thresholds
from ldp_core.studies.training_check.result import (
    CANARIES,
    RULES,
    TAUGHT,
    TrainingCheckConfig,
    TrainingCheckResult,
    curve_of,
)
from ldp_core.study import Step
from ldp_core.types import TrialCounts

Array = NDArray[Any]
FEATURES = 8
_LENGTH = 20.0
"""Of the canary's features, in clipping norms: its gradient is about 14 times as long as clipping lets it be."""
_WALK = 0.002
"""How far the noise may carry a parameter over all steps, in clipping norms: the models hardly move."""
_PROBES, _AHEAD = 4, 3
_CLEAREST, _NOISIER = 8, 4.0
_PROBE, _CHOOSE, _JUDGE = 0, 1, 2
_LARGEST = 1e100
"""Numbers beyond it are cut off, so that squares and sums stay finite."""


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
    total = _PROBES * 4 + 2 * (len(CANARIES) * config.threshold_games + config.games)
    yield Step("probe", 0, total, None)
    idle: queue.Queue[Trains] = queue.Queue()
    for trainer in trainers:
        idle.put(trainer)
    pool = ThreadPoolExecutor(len(trainers))
    settings = settings_of(config)

    def train(job: _Job) -> tuple[bool, Array]:
        one = idle.get()
        try:
            return job.inside, one.train(job.records, job.seed, dict(settings))
        finally:
            idle.put(one)

    def all_of(jobs: Iterable[_Job]) -> Iterator[tuple[bool, Array]]:
        """Yield whether the record was in and the answer, in order, a few trainings ahead."""
        coming = iter(jobs)
        waiting = deque(pool.submit(train, job) for job in islice(coming, _AHEAD * len(trainers)))
        while waiting:
            found = waiting.popleft().result()
            waiting.extend(pool.submit(train, job) for job in islice(coming, 1))
            yield found

    try:
        seen = _Seen([found for _, found in all_of(_probes(config))], config.steps)
        done, looks, bare = _PROBES * 4, dict[tuple[str, bool], Array](), set[int]()
        for canary in CANARIES:
            constant, rows = Bare(), dict[bool, list[Array]]({True: [], False: []})
            for inside, found in all_of(_pairs(config, _CHOOSE, canary, config.threshold_games)):
                rows[inside].append(seen.looks(found))
                constant.add(inside, signed(found, found))
                done += 1
                yield Step("games", done, total, None)
            looks.update({(canary, inside): np.array(rows[inside]) for inside in rows})
            bare.update(constant.columns())
        judge = _chosen(config, seen, looks)
        counts, said = TrialCounts(), dict[bool, int]()
        for inside, found in all_of(_pairs(config, _JUDGE, judge.canary, config.games)):
            done += 1
            said[inside] = int(judge.scores(seen.looks(found)[None])[0] >= judge.threshold)
            if len(said) == 2:
                counts += TrialCounts(said[True], 1 - said[True], said[False], 1 - said[False])
                said = {}
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
    one = canary_of(config, canary)
    one[turned] = 1.0 - one[turned] if config.neighbours == "label" else -one[turned]
    return one


def others_of(config: TrainingCheckConfig, canary: str) -> Array:
    """Return the other records, shape (records, FEATURES + 1).

    ``alone``: zeros. ``against``: each pulls by the clipping norm the other way; in pairs that cancel the bias.
    """
    if canary == "alone":
        return np.zeros((config.records, FEATURES + 1), dtype=np.float32)
    both = np.stack([_record(config, math.sqrt(2.0), 0.0), _record(config, -math.sqrt(2.0), 1.0)])
    return np.asarray(both[np.arange(config.records) % 2])


def _record(config: TrainingCheckConfig, length: float, label: float) -> Array:
    one = length * config.clip_norm / math.sqrt(FEATURES)
    return np.array([*(one * (-1.0) ** place for place in range(FEATURES)), label], dtype=np.float32)


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
    random, found = _random(config, _PROBE), []
    for _ in range(_PROBES):
        seed = _seed(random)
        for one in (canary_of(config), others_of(config, "alone")[0]):
            for label in (1.0, 0.0):
                rows = np.tile(one, (config.records, 1))
                rows[:, -1] = label
                found.append(_Job(label == 1.0, rows, seed))
    return found


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
    others, one = others_of(config, canary), canary_of(config, canary) if inside else changed_of(config, canary)
    for _ in range(number):
        rows = others if one is None else np.insert(others, int(random.integers(len(others) + 1)), one, axis=0)
        yield _Job(inside, rows, _seed(random))


def _versions() -> dict[str, str]:
    found = {"ldp-core": VERSION, "python": platform.python_version()}
    return found | {package: version(package) for package in ("numpy", "scipy")}


class _Seen:
    """What one sees of a training: products with the canary's direction, less the others' direction; and all columns.

    ``probes``: answers to ``_probes``; ``steps``: claimed T.
    """

    def __init__(self, probes: list[Array], steps: int) -> None:
        self._shape = probes[0].shape
        self._check(probes)
        if 1 < len(probes[0]) <= steps:  # a judge of all iterates would hold for less than it sees
            raise MechanismContractError(
                f"a training must return all iterates, {steps + 1:,} rows with the start first, or its final "
                f"parameters alone, got {len(probes[0]):,} rows"
            )
        self.access = "final" if len(probes[0]) == 1 else "iterates"
        self.iterates = len(probes[0])
        ends = np.array([one[-1].clip(-_LARGEST, _LARGEST) for one in probes]).reshape(_PROBES, 2, 2, -1)
        with_canary, others = (ends[:, :, 0] - ends[:, :, 1]).mean(axis=0)
        spread = np.sqrt(ends.var(axis=0).mean(axis=(0, 1)))
        if self.iterates > 1:  # what is drawn anew in each row does not add up
            steps = np.mean([np.diff(one.clip(-_LARGEST, _LARGEST), axis=0).std(axis=0) for one in probes], axis=0)
            spread = np.maximum(spread, math.sqrt(self.iterates - 1) * steps)
        trusted = _trusted(with_canary, spread)
        with_canary, others = trusted * with_canary, trusted * others
        size = float(np.linalg.norm(with_canary))
        if not size > 0.0:
            raise MechanismContractError(
                "a training must move its parameters when records are sampled, got the same parameters for both labels"
            )
        if (length := float(others @ others)) > 0.0:
            with_canary = with_canary - (with_canary @ others / length) * others
        self._direction = with_canary / np.linalg.norm(with_canary)

    def looks(self, found: Array) -> Array:
        """Return the products, one for each step or one for the final parameters, then ``columns.features``."""
        self._check([found])
        found = found.clip(-_LARGEST, _LARGEST)
        along = found @ self._direction
        return np.concatenate([along if self.access == "final" else np.diff(along), features(found)])

    def _check(self, answers: list[Array]) -> None:
        for one in answers:
            if one.shape != self._shape:
                raise MechanismContractError(
                    f"all trainings must return parameters of one shape, got {self._shape} and {one.shape}"
                )


def _trusted(moved: Array, spread: Array) -> Array:
    """Return weights of columns: 1, less where one is far noisier than those that a record moves most clearly.

    ``moved``: by the record; ``spread``: of trainings that are alike; both of shape (m,). Without weights the noise of
    one column that is no parameter would drown what all others show.
    """
    noisy = np.flatnonzero(spread > 0.0)
    clearest = noisy[np.argsort(-np.abs(moved[noisy] / spread[noisy]))[:_CLEAREST]]
    usual = _NOISIER * float(np.median(spread[clearest])) if len(clearest) else math.inf
    return np.asarray(1.0 / np.maximum(1.0, spread / usual) ** 2)


@dataclass(frozen=True, slots=True)
class _Judge:
    """What says "in": canary, rule and threshold, the number of products, and the units in which they are taken."""

    canary: str
    rule: str
    threshold: float
    products: int
    centre: float
    unit: float
    learned: _Taught
    config: TrainingCheckConfig

    def scores(self, looks: Array) -> Array:
        """Return the scores of games, shape (games,), from what is seen of them."""
        columns, along = looks[:, self.products :], (looks[:, : self.products] - self.centre) / self.unit
        if self.rule == "columns":
            return self.learned.columns.scores(columns)
        if self.rule == "ranks":
            return self.learned.placed.scores(self.learned.ranks.places(columns))
        if self.rule == "unlike":
            return self.learned.unlike.scores(along)
        return scores(self.rule, along, self.config.claim, self.config.changed)


class _Taught(NamedTuple):
    """What was learned from other games: sums of columns, of the places of their numbers, and what no record does."""

    columns: Learned
    ranks: Ranks
    placed: Learned
    unlike: Unlike

    @classmethod
    def of(cls, inside: Array, outside: Array, along: Array) -> _Taught:
        """Learn from columns of games with and without the record, and from products of those without it."""
        ranks = Ranks.of(inside, outside)
        placed = Learned.of(ranks.places(inside), ranks.places(outside))
        return cls(Learned.of(inside, outside), ranks, placed, Unlike.of(along))


def scores(rule: str, products: Array, claim: Sampled, changed: bool = False) -> Array:
    """Return the scores of games: the larger, the likelier the record was in.

    ``rule``: in ``RULES``; ``products``: of each step, in claimed clipping norms, shape (games, steps); ``claim``: by
    which the likelihood ratio is computed; ``changed``: whether the record pulls the other way in the other world.
    """
    if rule == "sum":
        return np.asarray(products.sum(axis=1))
    if rule == "spread":
        return np.asarray(products.std(axis=1))
    if changed:
        return scores(rule, products, claim) - scores(rule, -products, claim)
    exponents = math.log(claim.sampling_rate) + (2.0 * products - 1.0) / (2.0 * claim.noise**2)
    rest = math.log1p(-claim.sampling_rate) if claim.sampling_rate < 1.0 else -math.inf
    return np.asarray(np.logaddexp(rest, exponents).sum(axis=1))


def _chosen(config: TrainingCheckConfig, seen: _Seen, looks: dict[tuple[str, bool], Array]) -> _Judge:
    """Return the judge that does best on the other games: whose limits are furthest below the claimed curve.

    Rules that are learned, are learned from their first half, and do what they do on the second.
    """
    claim, best, chosen = config.claim, -math.inf, None
    access, products = seen.access, max(1, seen.iterates - 1)
    for canary in CANARIES:
        inside, outside = (looks[canary, world] for world in (True, False))
        centre, spread = float(outside[:, :products].mean()), float(outside[:, :products].std())
        if config.changed:
            centre = (centre + float(inside[:, :products].mean())) / 2.0
        unit = spread / (claim.noise * (math.sqrt(claim.steps) if access == "final" else 1.0))
        half = config.threshold_games // 2
        unit = unit if unit > 0.0 else 1.0
        along = (outside[:half, :products] - centre) / unit
        learned = _Taught.of(inside[:half, products:], outside[:half, products:], along)
        for rule in RULES[access]:
            judge = _Judge(canary, rule, 0.0, products, centre, unit, learned, config)
            begin = half if rule in TAUGHT else 0
            offered = Thresholds.of(judge.scores(inside[begin:]), judge.scores(outside[begin:]), most=400)
            threshold, margin = offered.furthest_below(curve_of(claim, access, config.changed), config.significance)
            if margin > best:
                best, chosen = margin, replace(judge, threshold=threshold)
    assert chosen is not None
    return chosen
