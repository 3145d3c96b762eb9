"""LDP-SGD with a wrong coin."""

from dataclasses import dataclass
from typing import ClassVar

from ldp_core.mechanisms.faulty._fault import PRIVACY_TEST, CaughtBy
from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.types import EPSILON_RANGE, Draws


@dataclass(frozen=True, slots=True)
class _MoreThanClaimed(LdpSgd):
    """LDP-SGD that throws the coin of ``excess`` times the epsilon it claims."""

    excess: ClassVar[float] = 1.0
    caught_by: ClassVar[CaughtBy] = (PRIVACY_TEST,)

    @property
    def same_side_probability(self) -> float:
        """The hemisphere coin of a larger epsilon than is claimed."""
        return LdpSgd(min(self.excess * self.epsilon, EPSILON_RANGE[1])).same_side_probability


@dataclass(frozen=True, slots=True)
class FivePercent(_MoreThanClaimed):
    """Epsilon off by 5 %."""

    name: ClassVar[str] = "faulty-five-percent"
    excess: ClassVar[float] = 1.05


@dataclass(frozen=True, slots=True)
class TenPercent(_MoreThanClaimed):
    """Epsilon off by 10 %."""

    name: ClassVar[str] = "faulty-ten-percent"
    excess: ClassVar[float] = 1.1


@dataclass(frozen=True, slots=True)
class TwentyPercent(_MoreThanClaimed):
    """Epsilon off by 20 %."""

    name: ClassVar[str] = "faulty-twenty-percent"
    excess: ClassVar[float] = 1.2


@dataclass(frozen=True, slots=True)
class TwiceEpsilon(_MoreThanClaimed):
    """Epsilon off by 100 %."""

    name: ClassVar[str] = "faulty-twice-epsilon"
    excess: ClassVar[float] = 2.0


@dataclass(frozen=True, slots=True)
class MirroredCoin(LdpSgd):
    """The hemisphere coin is biased the wrong way: as private as claimed, and the mean points backwards."""

    name: ClassVar[str] = "faulty-mirrored-coin"
    caught_by: ClassVar[CaughtBy] = ("unbiased",)

    @property
    def same_side_probability(self) -> float:
        """The coin of the other side."""
        return 1.0 - LdpSgd(self.epsilon).same_side_probability


@dataclass(frozen=True, slots=True)
class NoNormProjection(LdpSgd):
    """The norm coin is forgotten: as private as claimed, and a short gradient looks like a long one."""

    name: ClassVar[str] = "faulty-no-norm-projection"
    caught_by: ClassVar[CaughtBy] = ("unbiased",)

    def own_side(self, norm: float | Draws, draws: Draws) -> Draws:
        """Throw both coins as for a gradient of the clipping norm."""
        return LdpSgd.own_side(self, self.clip_norm, draws)
