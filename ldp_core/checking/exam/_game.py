"""The privacy test: rounds that learn which pair and rule show most, and judge them on reports to come."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from ldp_core.checking.claims import (
    FAR,
    HOPED,
    MOST_REFINED,
    OWN,
    REFINED,
    REFINED_NAME,
    CheckConfig,
    Look,
    PairFacts,
    Round,
    Subject,
    plan_of,
)
from ldp_core.checking.exam._pairs import facts, far_pair, pairs, refined
from ldp_core.distinguishers.learned import Examples, Rule, Target, best_rule, features, kept_length
from ldp_core.errors import MechanismContractError
from ldp_core.private import GradientPair, Private
from ldp_core.types import TrialCounts

_CHUNK_VALUES = 2**22
_EXAMPLE_VALUES, _MOST_TOLD, _MOST_EXAMPLES = 2**26, 2**15, 2**20
"""Values of features that are kept to learn from, all pairs together (256 MB of float32); rows of a pair with features,
and rows of which the inner products alone are kept."""
_PART_VALUES = 2**23
"""Values of reports, with what is computed of them, that are judged at once."""
_STREAM, _REFINED_STREAM = 2, 5
_PARTS = 16
"""Parts in which a look asks; what was judged until the end of a part is not lost."""
_LARGEST = np.float64(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class Played:
    """How far the privacy test is; valid at every moment.

    Args:
        looks: what was judged so far.
        pairs: what may be published of the pairs that were asked for so far.
        used: reports that are judged or learned from.
        bad: those of them that are not finite.
        asked: reports asked for; those beyond ``used`` are of the part in work.
    """

    looks: tuple[Look, ...] = ()
    pairs: tuple[PairFacts, ...] = ()
    used: int = 0
    bad: int = 0
    asked: int = 0


def trial_requests(
    config: CheckConfig, client_pairs: Mapping[str, GradientPair] | None = None
) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    """Yield what a check by file asks for: for each pair how many reports of the first and of the second input.

    Once to learn from, once to be judged. Each trial sends one of the two with probability 1/2, whatever was sent
    before.
    """
    rng, only = np.random.default_rng([config.seed, _STREAM]), plan_of(config).rounds[0]
    made = pairs(config, client_pairs)
    for name in made:
        yield name, _coins(rng, only.explore // len(made)), _coins(rng, only.judged)


def play(
    config: CheckConfig,
    subject: Subject,
    length: int | None = None,
    client_pairs: Mapping[str, GradientPair] | None = None,
    *,
    far: bool = False,
) -> Iterator[Played]:
    """Play all rounds; yield after each of at most ``_CHUNK_VALUES`` values of reports.

    ``length``: of the reports before, else any one length will do; ``far``: whether a check that asks as it goes tries
    the pair beyond the bound, too.
    Raises ``MechanismContractError`` if what comes is no report and ``LdpCoreError`` if the mechanism cannot be reached
    any more.
    """
    table = _PrivacyTest(config, subject, length, client_pairs, far=far and config.adaptive)
    steps, threads = (table.adaptive() if config.adaptive else table.recorded()), ThreadpoolController()
    while True:
        with threads.limit(limits=1):  # on a busy machine, small products on several threads take ten times as long
            played = next(steps, None)
        if played is None:
            return
        yield played


class _Arm(Private):
    """One pair of inputs and what is known about it."""

    def __init__(self, pair: GradientPair, known: PairFacts) -> None:
        self.pair, self.known, self.reports = pair, known, 0
        self.rule: Rule | None = None
        self._kept: list[Examples] = []
        self._rows = self._told = 0

    @property
    def promise(self) -> float:
        return self.rule.promise if self.rule else -np.inf

    @property
    def hope(self) -> float:
        return self.rule.hope if self.rule else -np.inf

    def keep(self, examples: Examples, room: int) -> None:
        """Keep examples to learn from: their features for so many rows in all, and what is small of many more."""
        left, table_room = _MOST_EXAMPLES - self._rows, max(0, room - self._told)
        if left > 0:
            kept = Examples(examples.inner[:left], examples.table[: min(left, table_room)], examples.sent[:left])
            self._kept.append(kept)
            self._rows, self._told = self._rows + len(kept.sent), self._told + len(kept.table)

    def learn(self, length: int, aim: Target) -> None:
        """Choose the rule for the reports to come."""
        if self._kept:
            # Features were kept until there was no room: those with features come first.
            names = ("inner", "table", "sent")
            whole = Examples(*(np.concatenate([getattr(part, name) for part in self._kept]) for name in names))
            self._kept = [whole]
            self.rule = best_rule(whole, length, aim)


@dataclass(slots=True)
class _Tally:
    """What a look counted so far."""

    round: int
    arm: _Arm
    name: str
    rule: Rule
    planned: int
    trained: int
    counts: TrialCounts = field(default_factory=TrialCounts)
    silent: int = 0

    def look(self) -> Look:
        done = self.counts.num_trials + self.silent
        return Look(self.name, self.rule.name, self.trained, self.counts, done == self.planned, self.round, self.silent)


class _PrivacyTest(Private):
    """All pairs, what was judged, and the way to ask."""

    def __init__(
        self,
        config: CheckConfig,
        subject: Subject,
        length: int | None,
        client_pairs: Mapping[str, GradientPair] | None,
        *,
        far: bool,
    ) -> None:
        self._config, self._subject, self._length = config, subject, length
        self._plan, self._own = plan_of(config), client_pairs
        made = pairs(config, client_pairs) | (far_pair(config) if far else {})
        self._arms = {name: _Arm(pair, facts(config, name, pair)) for name, pair in made.items()}
        self._tallies: list[_Tally] = []
        self._bad = self._used = self._asked = 0

    def adaptive(self) -> Iterator[Played]:
        """Play the rounds of a check that asks as it goes."""
        config, rounds = self._config, self._plan.rounds
        rng, paths = (np.random.default_rng([config.seed, stream]) for stream in (_STREAM, _REFINED_STREAM))
        for number, turn in enumerate(rounds):
            for tally in self._begin(number, turn):
                for size in self._parts(turn.judged, _PARTS):
                    yield from self._ask(tally.arm, _coins(rng, size), tally)
            for arm, share in self._explored(number, turn):
                for size in self._parts(share):
                    yield from self._ask(arm, _coins(rng, size))
            if number + 1 < len(rounds):
                for arm in self._arms.values():
                    self._learn(arm, rounds[number + 1])
                    yield self._played()
                if number + 2 < len(rounds):
                    self._refine(paths)

    def recorded(self) -> Iterator[Played]:
        """Play the one round of a check whose reports are all there."""
        only, judged = self._plan.rounds[0], dict[str, tuple[int, int]]()
        for name, learning, judging in trial_requests(self._config, self._own):
            judged[name] = judging
            for numbers in self._shares(learning):
                yield from self._ask(self._arms[name], numbers)
            self._learn(self._arms[name], only)
        for tally in self._begin(0, only):
            for numbers in self._shares(judged[tally.name]):
                yield from self._ask(tally.arm, numbers, tally)

    def _parts(self, number: int, least: int = 1) -> list[int]:
        """Cut a number of trials into parts, so many at least, whose reports fit into memory."""
        values = number * ((self._length or self._config.dimension) + 8)
        parts = max(1, min(number, max(least, -(-values // _PART_VALUES))))
        return [number * (part + 1) // parts - number * part // parts for part in range(parts)]

    def _shares(self, numbers: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Cut what is asked of both inputs into parts whose reports fit into memory."""
        parts = len(self._parts(sum(numbers)))
        for part in range(parts):
            first, second = (number * (part + 1) // parts - number * part // parts for number in numbers)
            yield first, second

    def _begin(self, number: int, turn: Round) -> list[_Tally]:
        """Choose the pairs that promise most, which are judged in this round."""
        ranked = sorted(self._arms.items(), key=lambda item: item[1].promise, reverse=True)
        own_names = [name for name, _ in ranked if name.startswith(OWN)][: turn.own_looks]
        chosen = [name for name, _ in ranked if name not in own_names][: turn.looks - len(own_names)] + own_names
        begun = [
            _Tally(number, arm, name, arm.rule, turn.judged, arm.reports)
            for name in chosen
            if (arm := self._arms[name]).rule is not None
        ]
        self._tallies += begun
        return begun

    def _explored(self, number: int, turn: Round) -> list[tuple[_Arm, int]]:
        """Return how many reports are asked of which pair to learn from.

        Half of them go to all pairs alike, half to those that may show most, of all that are neither judged in this
        round nor made from another pair; in the first round nothing is known.
        """
        judged = [tally.arm for tally in self._tallies if tally.round == number]
        others = [arm for arm in self._arms.values() if arm not in judged and not arm.known.parent]
        others.sort(key=lambda arm: arm.hope)
        best = others[-HOPED:] if number else []
        alike = (turn.explore // 2 if best else turn.explore) // len(self._arms)
        more = turn.explore // 2 // max(1, len(best))
        return [(arm, alike + more * (arm in best)) for arm in self._arms.values()]

    def _learn(self, arm: _Arm, coming: Round) -> None:
        arm.learn(kept_length(self._length or 1), Target(coming.judged, coming.significance, self._config.delta))

    def _refine(self, rng: Generator) -> None:
        """Add pairs beside the best ones so far."""
        made = sum(name.startswith(REFINED_NAME) for name in self._arms)
        inside = [item for item in self._arms.items() if item[0] != FAR]
        ranked = sorted(inside, key=lambda item: item[1].promise, reverse=True)
        for number, (parent, arm) in enumerate(ranked[:REFINED], start=made + 1):
            if number <= MOST_REFINED and np.isfinite(arm.promise):
                name = f"{REFINED_NAME}-{number}"
                pair = refined(self._config, arm.pair, name, rng)
                self._arms[name] = _Arm(pair, facts(self._config, name, pair, parent))

    def _ask(self, arm: _Arm, numbers: tuple[int, int], tally: _Tally | None = None) -> Iterator[Played]:
        """Ask for reports of both inputs of a pair; judge them if they are to be judged, then keep them to learn from.

        Reports count only once those of both inputs have come: which input was sent must not depend on when it ends.
        """
        parts, bad = list[Examples](), 0
        for side, number in enumerate(numbers):
            gradient = (arm.pair.first, arm.pair.second)[side].numpy()
            size = max(1, _CHUNK_VALUES // max(arm.pair.dimension, self._length or 0))
            for start in range(0, number, size):
                count = min(size, number - start)
                values, wrong = self._reports(gradient, count)
                self._asked, bad = self._asked + count, bad + wrong
                parts.append(Examples(*features(values, arm.pair), np.full(count, side == 0)))
                if side == 0 or start + size < number:
                    yield self._played()
        if tally is not None:
            for part in parts:
                self._judge(tally, part)
        if self._length:
            kept = _EXAMPLE_VALUES // (len(self._arms) * (kept_length(self._length) + 8))
            for part in parts:
                arm.keep(part, min(kept, _MOST_TOLD))
        arm.reports += sum(numbers)
        self._used, self._bad = self._asked, self._bad + bad
        yield self._played()

    def _judge(self, tally: _Tally, part: Examples) -> None:
        guesses = tally.rule.guesses(part.inner, part.table)
        first, second, silent = (int((guesses == guess).sum()) for guess in (1, -1, 0))
        sent = bool(part.sent[0])
        tally.counts += TrialCounts(first, second, 0, 0) if sent else TrialCounts(0, 0, first, second)
        tally.silent += silent

    def _reports(self, gradient: NDArray[np.float32], number: int) -> tuple[NDArray[np.float64], int]:
        """Return reports as finite numbers, and how many of them were not finite."""
        reports: NDArray[Any] = self._subject.randomize(gradient, number)
        if self._length is None:
            self._length = reports.shape[1]
        if reports.shape != (number, self._length):
            raise MechanismContractError(
                f"reports must have shape {(number, self._length)} as before, got {tuple(reports.shape)}"
            )
        with np.errstate(over="ignore"):
            reports = reports.astype(np.float64)
        bad = number - int(np.isfinite(reports).all(axis=1).sum())
        values: NDArray[np.float64] = np.nan_to_num(reports, nan=0.0, posinf=_LARGEST, neginf=-_LARGEST)
        return values.clip(-_LARGEST, _LARGEST), bad

    def _played(self) -> Played:
        looks = tuple(tally.look() for tally in self._tallies)
        pair_facts = tuple(replace(arm.known, reports=arm.reports) for arm in self._arms.values())
        return Played(looks, pair_facts, self._used, self._bad, self._asked)


def _coins(rng: Generator, number: int) -> tuple[int, int]:
    """Return how many of so many trials send the first input and how many the second."""
    first = int(rng.binomial(number, 0.5))
    return first, number - first
