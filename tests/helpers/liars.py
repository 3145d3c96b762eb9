"""Mechanisms that claim one thing and do another, beside those of ``ldp_core.mechanisms.faulty``."""

import math
from dataclasses import dataclass
from typing import ClassVar

from torch import Generator, Tensor

from ldp_core.mechanisms.faulty import FAULTY, FivePercent, NoNormProjection
from ldp_core.mechanisms.ldp_sgd import LdpSgd

__all__ = ["FAULTY", "FivePercent", "FixedSeed", "NoNormProjection", "Plain"]


@dataclass(frozen=True, slots=True)
class FixedSeed:
    """Seeds its noise itself, always alike, and so sends one report over and over."""

    epsilon: float
    delta: float = 0.0

    name: ClassVar[str] = "fixed-seed"

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        return LdpSgd(self.epsilon).randomize(gradient, 1, Generator().manual_seed(1)).expand(num_reports, -1)


@dataclass(frozen=True, slots=True)
class Plain:
    """An honest mechanism with nothing but ``randomize``; ``fault`` makes its reports unusable."""

    epsilon: float
    fault: str = ""
    delta: float = 0.0

    name: ClassVar[str] = "plain"

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        reports = LdpSgd(self.epsilon).randomize(gradient, num_reports, generator)
        if self.fault == "nan":
            reports[0, 0] = math.nan
        if self.fault == "shape":
            return reports[:, 1:]
        if self.fault == "type":
            return reports.tolist()  # type: ignore[return-value]
        return reports
