"""LDP-SGD inside, and a bad habit around it: what it does depends on more than the gradient and fresh coins."""

import math
from dataclasses import dataclass, field
from itertools import count
from typing import ClassVar

import torch
from torch import Generator, Tensor

from ldp_core.mechanisms._parts import Claim
from ldp_core.mechanisms.faulty._fault import PRIVACY_TEST, CaughtBy
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import direction_and_norm
from ldp_core.randomness.streams import fresh_generator
from ldp_core.types import EPSILON_RANGE

_NAN_SHARE = 0.01
_FAIR_REPORTS = 10_000


@dataclass(frozen=True, slots=True)
class _Habit(Claim):
    """The claims of LDP-SGD; what ``randomize`` does is each class's own fault."""

    delta: ClassVar[float] = 0.0

    @property
    def honest(self) -> LdpSgd:
        """What it claims to be."""
        return LdpSgd(self.epsilon, self.clip_norm)

    @property
    def careless(self) -> LdpSgd:
        """What it is when it cheats: twice the epsilon that it claims."""
        return LdpSgd(min(2.0 * self.epsilon, EPSILON_RANGE[1]), self.clip_norm)

    def aggregate(self, reports: Tensor) -> Tensor:
        """Estimate the mean as the server of the honest mechanism does."""
        return self.honest.aggregate(reports)

    def report_norm(self, dimension: int) -> float:
        """The reports' norm that it states."""
        return 1.0


@dataclass(frozen=True, slots=True)
class SeedAtStart(_Habit):
    """A generator of its own, seeded alike in every instance: after a restart all noise comes again."""

    name: ClassVar[str] = "faulty-seed-at-start"
    caught_by: ClassVar[CaughtBy] = ("restart",)
    own: Generator = field(default_factory=lambda: Generator().manual_seed(1), init=False, repr=False, compare=False)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        return self.honest.randomize(gradient, num_reports, self.own)


@dataclass(frozen=True, slots=True)
class SeedEachCall(_Habit):
    """The same seed at every call: every call brings the noise of the one before."""

    name: ClassVar[str] = "faulty-seed-each-call"
    caught_by: ClassVar[CaughtBy] = ("repeats",)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        return self.honest.randomize(gradient, num_reports, Generator().manual_seed(1))


@dataclass(frozen=True, slots=True)
class CounterSeed(_Habit):
    """The number of the call is the seed: whoever can count knows the noise, and a restart repeats it."""

    name: ClassVar[str] = "faulty-counter-seed"
    caught_by: ClassVar[CaughtBy] = ("restart",)
    calls: "count[int]" = field(default_factory=count, init=False, repr=False, compare=False)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        return self.honest.randomize(gradient, num_reports, Generator().manual_seed(next(self.calls)))


@dataclass(frozen=True, slots=True)
class CachedNoise(_Habit):
    """The report of a gradient is kept and sent again whenever that gradient comes."""

    name: ClassVar[str] = "faulty-cached-noise"
    caught_by: ClassVar[CaughtBy] = ("repeats",)
    kept: dict[bytes, Tensor] = field(default_factory=dict, init=False, repr=False, compare=False)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        key = gradient.cpu().numpy().tobytes()
        if key not in self.kept:
            self.kept[key] = self.honest.randomize(gradient, 1, generator)
        return self.kept[key].repeat(num_reports, 1)


@dataclass(frozen=True, slots=True)
class Memory(_Habit):
    """What is randomized is the mean of this call's gradient and the last one's: reports tell of both."""

    name: ClassVar[str] = "faulty-memory"
    caught_by: ClassVar[CaughtBy] = ("state",)
    last: list[Tensor] = field(default_factory=list, init=False, repr=False, compare=False)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        direction, norm = direction_and_norm(gradient)
        self.last.append((direction * min(norm, self.clip_norm)).to(gradient.dtype))
        del self.last[:-2]
        return self.honest.randomize(torch.stack(self.last).mean(dim=0), num_reports, generator)


@dataclass(frozen=True, slots=True)
class FairStart(_Habit):
    """Honest while it expects to be examined, for 10,000 reports, and twice the epsilon afterwards."""

    name: ClassVar[str] = "faulty-fair-start"
    caught_by: ClassVar[CaughtBy] = (PRIVACY_TEST,)
    sent: list[int] = field(default_factory=lambda: [0], init=False, repr=False, compare=False)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        source = fresh_generator(gradient.device) if generator is None else generator
        fair = min(num_reports, max(0, _FAIR_REPORTS - self.sent[0]))
        self.sent[0] += num_reports
        parts = ((self.honest, fair), (self.careless, num_reports - fair))
        return torch.cat([mechanism.randomize(gradient, number, source) for mechanism, number in parts])


@dataclass(frozen=True, slots=True)
class HonestForTheDummy(_Habit):
    """Honest for the gradient that testers like to send, twice the epsilon for every other."""

    name: ClassVar[str] = "faulty-honest-for-the-dummy"
    caught_by: ClassVar[CaughtBy] = (PRIVACY_TEST,)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        dummy = torch.allclose(gradient, gradient[:1], rtol=1e-4, atol=0.0)
        return (self.honest if dummy else self.careless).randomize(gradient, num_reports, generator)


@dataclass(frozen=True, slots=True)
class PureNoise(_Habit):
    """A report has nothing to do with the gradient: entirely private, and useless."""

    name: ClassVar[str] = "faulty-pure-noise"
    caught_by: ClassVar[CaughtBy] = ("unbiased",)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        return self.honest.randomize(torch.zeros_like(gradient), num_reports, generator)


@dataclass(frozen=True, slots=True)
class NowAndThenNaN(_Habit):
    """One report in a hundred holds a NaN."""

    name: ClassVar[str] = "faulty-now-and-then-nan"
    caught_by: ClassVar[CaughtBy] = ("finite",)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        source = fresh_generator(gradient.device) if generator is None else generator
        reports = self.honest.randomize(gradient, num_reports, source)
        spoilt = torch.rand(num_reports, generator=source, device=source.device) < _NAN_SHARE
        reports[spoilt, 0] = math.nan
        return reports


@dataclass(frozen=True, slots=True)
class LengthTells(_Habit):
    """The report of a gradient beyond the clipping norm is as long as the gradient was."""

    name: ClassVar[str] = "faulty-length-tells"
    caught_by: ClassVar[CaughtBy] = ("clip-invariance", "range")

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        length = max(1.0, direction_and_norm(gradient)[1] / self.clip_norm)
        return self.honest.randomize(gradient, num_reports, generator) * length
