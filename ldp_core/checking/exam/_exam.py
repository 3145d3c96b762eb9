"""The exam: which samples are asked for, and how; then its clauses."""

import contextlib
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.claims import CheckConfig, Clause, Maker, Subject, plan_of
from ldp_core.checking.claims._plan import LEAST_SAMPLE
from ldp_core.checking.exam._clauses import CLAUSES, DEPENDENT, other_values
from ldp_core.checking.exam._clauses_bits import bits_inputs
from ldp_core.checking.exam._clauses_sample import Collector, Sample
from ldp_core.checking.exam._pairs import at_clip
from ldp_core.errors import LdpCoreError, MechanismContractError
from ldp_core.private import Private
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE

_STREAM = 3
_CALL_VALUES = 2**24
_PIECE = 256
"""Reports that a mechanism which draws its own randomness is asked for at a time."""
_TURNS = 256
"""Reports asked for one at a time between two steps, of each of two inputs, unless their values are too many."""
_USUAL = {"base": 1.0, "opposite": 1.0, "half": 1.0, "first-bits": 1.0, "second-bits": 1.0}
"""Samples that need neither order nor a restart: the number of reports of each, as a multiple of the plan's sample."""
_UNUSUAL = {"over": 1.0, "huge": 1.0, "zero": 0.125}
"""More of them, asked for at the end: not every mechanism survives them."""
_OVER = 100.0
"""Lengths beyond the bound are drawn up to so many L; a file is asked with the longest alone."""
_ELSEWHERE, _WEAKER, _FARTHER = 0.2, 64.0, 4_096.0
"""Reports of each of two opposite inputs, for each other claim: a smaller epsilon, and a longer or shorter bound."""
_SINGLE, _START, _LAST = 1.0, 0.5, 1.0
"""Reports of each of two inputs that take turns, after each of two restarts, and once more of the first input."""


@dataclass(frozen=True, slots=True)
class Examined:
    """A clause, or None while samples are still drawn, and the reports that the exam has asked for."""

    clause: Clause | None
    reports_used: int


_Steps = Iterator[Examined]


def exam_requests(config: CheckConfig) -> list[tuple[NDArray[np.float32], int]]:
    """Return what the exam asks of a file of responses: inputs of shape (d,), and how many reports of each."""
    inputs, size = _inputs(config), plan_of(config).sample
    return [(inputs[name], int(share * size)) for name, share in (_USUAL | _UNUSUAL).items()]


def examine(config: CheckConfig, subject: Subject, maker: Maker | None = None) -> Iterator[Examined]:
    """Draw the exam's samples, then yield every clause of ``claims.CLAUSES`` once, in that order.

    The last one, ``other-values``, is asked only of a ``maker``, which can make the mechanism for another claim, and
    only where reports are independent.

    Before the first it yields None in place of a clause, after each of at most ``_CALL_VALUES`` values of reports.
    The privacy test can run unless the clause ``shape-and-type`` failed. At most
    ``SAMPLES_PER_EXAM * plan_of(config).sample`` reports are asked for, all of them before the first clause.
    Raises ``LdpCoreError`` if the mechanism cannot be reached any more; after the clauses that can be judged without
    it.
    """
    desk, end = _SampleDrawer(config, subject, maker), None
    try:
        yield from desk.draw()
    except LdpCoreError as error:
        if not desk.samples:
            raise
        end = error
    dependent = False
    for clause in CLAUSES:
        answer = clause(config, desk.samples)
        dependent |= answer.name in DEPENDENT and answer.passed is False
        if subject.alike and answer.finding in ("no-order", "impossible"):
            answer = Clause(answer.name, None, "copies")
        if end is None or answer.passed is not None:
            yield Examined(answer, desk.used)
    if end is None and maker is not None and maker.takes:
        yield Examined(other_values(config, {} if dependent else desk.samples, desk.elsewhere), desk.used)
    if end is not None:
        raise end


class _SampleDrawer(Private):
    """Asks for all samples, and counts the reports."""

    def __init__(self, config: CheckConfig, subject: Subject, maker: Maker | None) -> None:
        self._config, self._subject, self._maker = config, subject, maker
        self._size, self._inputs = plan_of(config).sample, _inputs(config)
        along, other = (self._inputs[name].astype(np.float64) for name in ("base", "other"))
        along /= np.linalg.norm(along)
        across = other - (other @ along) * along
        length = np.linalg.norm(across)  # zero in one dimension, where there is nothing across
        self._directions = np.stack((along, across / length if length > 0.0 else across))
        self._broken = False
        self.used = 0
        self.samples: dict[str, Sample] = {}
        self.elsewhere: list[tuple[CheckConfig, dict[str, Sample]]] = []

    def draw(self) -> _Steps:
        """Draw the samples, by their names; those that need order or a restart only where there is one."""
        yield from self._batches(_USUAL)
        if self._subject.ordered:
            yield from self._turns()
            yield from self._starts()
            yield from self._batch(self._subject, "last", "base", _LAST)
        yield from self._batches(_UNUSUAL)
        if self._maker is not None:
            yield from self._elsewhere(self._maker)

    def _batches(self, shares: dict[str, float]) -> _Steps:
        for name, share in shares.items():
            yield from self._batch(self._subject, name, name, share)

    def _turns(self) -> _Steps:
        """Ask for one report at a time, of two inputs that take turns; a coin decides the sign of the other one."""
        number = int(_SINGLE * self._size)
        turned = np.random.default_rng([self._config.seed, _STREAM, 1]).random(number) < 0.5
        vectors = {"other": self._inputs["other"], "single": self._inputs["base"]}
        takers = {name: Collector(vector, number, self._directions) for name, vector in vectors.items()}
        pause = max(1, min(_TURNS, _CALL_VALUES // (2 * len(vectors["other"]))))
        for turn, sign in enumerate(turned.tolist(), start=1):
            self._ask(self._subject, takers["other"], -vectors["other"] if sign else vectors["other"], 1, turned=sign)
            self._ask(self._subject, takers["single"], vectors["single"], 1)
            if turn % pause == 0:
                yield Examined(None, self.used)
        self.samples |= {name: taker.sample() for name, taker in takers.items()}

    def _starts(self) -> _Steps:
        """Ask for the first reports after each of two restarts, if there can be one."""
        before = self._subject
        try:
            for name in ("first-start", "second-start"):
                subject = before.restarted()
                if before is not self._subject:
                    before.close()
                if subject is None:
                    return
                before = subject
                yield from self._batch(subject, name, "base", _START)
        finally:
            if before is not self._subject:
                before.close()

    def _elsewhere(self, maker: Maker) -> _Steps:
        """Have the mechanism made for other claims, and ask it about two opposite inputs at the bound of each.

        What it then sends is judged by these claims alone: its length, range and size may be others.
        """
        for claim in _other_claims(self._config, maker.takes):
            samples = dict[str, Sample]()
            self.elsewhere.append((claim, samples))
            with contextlib.suppress(ValueError, LdpCoreError):  # what cannot be made for a claim breaks none
                subject = maker.remade({"epsilon": claim.epsilon, "clip_norm": claim.clip_norm})
                if subject is None:
                    return
                with contextlib.closing(subject):
                    for name, sign in (("base", 1.0), ("opposite", -1.0)):
                        stretch = sign * claim.clip_norm / self._config.clip_norm
                        yield from self._batch(subject, name, "base", _ELSEWHERE, stretch, samples)

    def _batch(
        self, subject: Subject, name: str, about: str, share: float, stretch: float = 1.0,
        kept: dict[str, Sample] | None = None,
    ) -> _Steps:  # fmt: skip
        """Draw a sample of one of the inputs; one that is cut short is kept if it is as long as a whole one may be."""
        kept = self.samples if kept is None else kept
        gradient, number = np.float32(stretch) * self._inputs[about], int(share * self._size)
        taker = Collector(gradient, number, self._directions)
        step = max(1, _CALL_VALUES // len(gradient))
        drawn = name == "over" and subject.ordered  # lengths from L to 100 L
        if not subject.seeded or drawn:  # it may be slow, or end
            step = min(step, _PIECE)
        lengths = np.random.default_rng([self._config.seed, _STREAM, 2])
        try:
            for start in range(0, number, step):
                short = np.float32(_OVER ** -lengths.random() if drawn else 1.0)
                self._ask(subject, taker, short * gradient, min(step, number - start))
                yield Examined(None, self.used)
        except LdpCoreError:
            if (cut := taker.sample()).size >= LEAST_SAMPLE:
                kept[name] = cut
            raise
        kept[name] = taker.sample()

    def _ask(
        self, subject: Subject, taker: Collector, gradient: NDArray[np.float32], number: int, *, turned: bool = False
    ) -> None:
        """Ask for reports; what is no report becomes the sample's problem, and ends it."""
        if taker.problem:
            return
        self.used += number
        try:
            reports: NDArray[Any] = subject.randomize(gradient, number)
        except MechanismContractError as error:
            taker.problem, self._broken = str(error), True
        except LdpCoreError as error:  # whoever was ended for a wrong answer cannot be reached
            if not self._broken:
                raise
            taker.problem = str(error)
        else:
            taker.add(reports, number, turned=turned)


def _other_claims(config: CheckConfig, takes: tuple[str, ...]) -> list[CheckConfig]:
    """Return claims of which a wrong power of epsilon or L, or an inverted one, breaks at least one."""
    weaker = max(EPSILON_RANGE[0], config.epsilon / _WEAKER) if "epsilon" in takes else config.epsilon
    lengths = [config.clip_norm * times for times in (_FARTHER, 1.0 / _FARTHER)] if "clip_norm" in takes else []
    fitting = [length for length in lengths if CLIP_RANGE[0] <= length <= CLIP_RANGE[1]] or [config.clip_norm]
    made = [replace(config, epsilon=weaker, clip_norm=length) for length in fitting if takes]
    return [claim for claim in made if (claim.epsilon, claim.clip_norm) != (config.epsilon, config.clip_norm)]


def _inputs(config: CheckConfig) -> dict[str, NDArray[np.float32]]:
    """Return the inputs by name, float32, shape (d,).

    All but two have entries of one size, which both orders of the norm clip alike. "other" is at the bound and
    orthogonal to "base", as nearly as an odd dimension allows.
    """
    rng = np.random.default_rng([config.seed, _STREAM, 0])
    dimension = config.dimension
    base = at_clip(config, rng.choice(np.array([-1.0, 1.0]), dimension))
    other = base * np.where(rng.permutation(dimension) % 2, -1.0, 1.0)
    most = config.clip_norm / (math.sqrt((dimension + 1) // 2) if config.clip_order == "l2" else 1.0)
    first, second = bits_inputs(dimension, most, rng.random((2, dimension)))
    lengths = {"zero": 0.0, "half": 0.5, "base": 1.0, "over": _OVER, "huge": 1e6, "opposite": -1.0}
    made = {name: (length * base).astype(np.float32) for name, length in lengths.items()}
    return made | {"other": other.astype(np.float32), "first-bits": first, "second-bits": second}
