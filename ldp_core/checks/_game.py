"""The privacy test: every pair, every rule, in rounds after each of which the claim may fall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from ldp_core.checks._pairs import pairs
from ldp_core.claims import CheckConfig, Look, Subject, TrialPlan, plan_of
from ldp_core.distinguishers.learned import Examples, Learned, features, learn
from ldp_core.distinguishers.white_box import CosineSimilarity, Selective
from ldp_core.errors import MechanismContractError
from ldp_core.estimates import ANYTIME_SHARE
from ldp_core.private import GradientPair, Private
from ldp_core.types import TrialCounts

_CHUNK_VALUES = 2**22
_EXAMPLE_VALUES = 2**23
"""Values of the reports of a pair that are kept to learn from: 64 MB of float64."""
_STREAM = 2
_PARTS = 4
"""Rounds in which the reports of a pair double."""
_LARGEST = np.float64(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class Played:
    """How far the privacy test is. The verdict may be taken at the ends of rounds alone: where ``asked == used``.

    Args:
        looks: at the end of the last whole round; none before the first.
        used: reports asked for until then, of all pairs together.
        bad: those of them that are not finite.
        asked: reports asked for so far; those beyond ``used`` are of the round in work.
    """

    looks: tuple[Look, ...] = ()
    used: int = 0
    bad: int = 0
    asked: int = 0


def round_ends(plan: TrialPlan) -> tuple[int, ...]:
    """Return how many trials of each pair are done after each round.

    >>> from ldp_core.claims import plan_of, CheckConfig
    >>> round_ends(plan_of(CheckConfig("x", 1.0, 0, reports=10_000)))[-1] == plan_of(
    ...     CheckConfig("x", 1.0, 0, reports=10_000)
    ... ).trials
    True
    """
    ends = {plan.stages[0], plan.trials}
    for start, end in zip(plan.stages, (*plan.stages[1:], plan.trials), strict=True):
        ends |= {start + (end - start) * part // _PARTS for part in range(1, _PARTS + 1)}
    return tuple(sorted(ends))


def trial_requests(config: CheckConfig) -> Iterator[tuple[str, int, int]]:
    """Yield for each round and pair how many reports of the first and of the second input are asked for.

    Each trial sends one of the two with probability 1/2, whatever was sent before.
    """
    rng = np.random.default_rng([config.seed, _STREAM])
    done = 0
    for end in round_ends(plan_of(config)):
        for name in pairs(config):
            first = int(rng.binomial(end - done, 0.5))
            yield name, first, end - done - first
        done = end


def play(config: CheckConfig, subject: Subject, length: int | None = None) -> Iterator[Played]:
    """Play all rounds; yield after each of at most ``_CHUNK_VALUES`` values of reports, and at the end of each round.

    Args:
        config: of the check.
        subject: the mechanism.
        length: of the reports before; without it, any one length will do.

    Raises:
        MechanismContractError: if what comes is no report.
        LdpCoreError: if the mechanism cannot be reached any more.
    """
    games = {name: _Game(config, name, pair, length) for name, pair in pairs(config).items()}
    last, played = list(games)[-1], Played()
    for name, num_first, num_second in trial_requests(config):
        steps, threads = games[name].play(subject, num_first, num_second), ThreadpoolController()
        while (asked := _next(steps, threads)) is not None:
            played = replace(played, asked=played.asked + asked)
            yield played
        if name == last:
            looks = tuple(look for game in games.values() for look in game.looks())
            played = Played(looks, played.asked, sum(game.bad for game in games.values()), played.asked)
            yield played


def _next(steps: Iterator[int], threads: ThreadpoolController) -> int | None:
    with threads.limit(limits=1):  # on a busy machine, small products on several threads take ten times as long
        return next(steps, None)


class _Game(Private):
    """One pair: its rules, what they counted, and the reports kept to learn from."""

    def __init__(self, config: CheckConfig, name: str, pair: GradientPair, length: int | None) -> None:
        self._config, self._name, self._pair = config, name, pair
        self._plan = plan_of(config)
        self._fixed = {rule.name: TrialCounts() for rule in (CosineSimilarity, Selective)}
        self._learned: list[tuple[Learned, int, TrialCounts]] = []
        self._kept: tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]] = ([], [])
        self._done = 0
        self._length, self.bad = length, 0

    def play(self, subject: Subject, num_first: int, num_second: int) -> Iterator[int]:
        """Ask for reports of both inputs, judge them, and learn where a stage begins; yield the size of each chunk."""
        for side, number in enumerate((num_first, num_second)):
            gradient = (self._pair.first, self._pair.second)[side].numpy()
            size = max(1, _CHUNK_VALUES // max(self._pair.dimension, self._length or 0))
            for start in range(0, number, size):
                asked = min(size, number - start)
                self._judge(side, self._reports(subject, gradient, asked))
                yield asked
        self._done += num_first + num_second
        if self._done in self._plan.stages:
            self._learn()

    def looks(self) -> Iterator[Look]:
        """Yield what every rule counted so far."""
        plan = self._plan
        if self._length == self._pair.dimension:
            for rule, counts in self._fixed.items():
                yield Look(self._name, rule, 0, counts, self._done == plan.trials)
        for start, end, (_, trained, counts) in zip(
            plan.stages, (*plan.stages[1:], plan.trials), self._learned, strict=False
        ):
            yield Look(self._name, Learned.name, trained, counts, counts.num_trials == end - start)

    def _reports(self, subject: Subject, gradient: NDArray[np.float32], number: int) -> NDArray[np.float64]:
        reports: NDArray[Any] = subject.randomize(gradient, number)
        if self._length is None:
            self._length = reports.shape[1]
        if reports.shape != (number, self._length):
            raise MechanismContractError(
                f"reports must have shape {(number, self._length)} as before, got {tuple(reports.shape)}"
            )
        with np.errstate(over="ignore"):
            reports = reports.astype(np.float64)
        self.bad += number - int(np.isfinite(reports).all(axis=1).sum())
        values: NDArray[np.float64] = np.nan_to_num(reports, nan=0.0, posinf=_LARGEST, neginf=-_LARGEST)
        return values.clip(-_LARGEST, _LARGEST)

    def _judge(self, side: int, reports: NDArray[np.float64]) -> None:
        if reports.shape[1] == self._pair.dimension:
            batch = torch.from_numpy(reports).to(self._pair.first.dtype)
            for fixed in (CosineSimilarity(), Selective()):
                self._fixed[fixed.name] += _counts(side, fixed.score(batch, self._pair).numpy())
        if self._learned:
            rule, trained, counts = self._learned[-1]
            scores = rule.score(torch.from_numpy(reports), self._pair).numpy()
            self._learned[-1] = rule, trained, counts + _counts(side, scores)
        kept = sum(map(len, self._kept[side])) * reports.shape[1]
        room = max(0, _EXAMPLE_VALUES // 2 - kept) // reports.shape[1]
        if room and self._done < self._plan.stages[-1]:
            self._kept[side].append(features(reports[:room], self._pair))

    def _learn(self) -> None:
        stage = self._plan.stages.index(self._done)
        examples = Examples(*(np.concatenate(side) for side in self._kept))
        ends = (*self._plan.stages[1:], self._plan.trials)
        significance = (1.0 - ANYTIME_SHARE) * self._plan.look_significance
        rule = learn(examples, ends[stage] - self._done, significance, self._config.delta)
        self._learned.append((rule, len(examples.first) + len(examples.second), TrialCounts()))


def _counts(side: int, scores: NDArray[np.floating]) -> TrialCounts:
    first = int((scores >= 0).sum())
    second = len(scores) - first
    return TrialCounts(first, second, 0, 0) if side == 0 else TrialCounts(0, 0, first, second)
