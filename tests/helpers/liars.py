"""Mechanisms that claim one thing and do another. Every statistical test must catch its liar."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor

from ldp_core.mechanisms.ldp_sgd import LdpSgd
from ldp_core.private import GradientPair


@dataclass(frozen=True, slots=True)
class FivePercentOff(LdpSgd):
    """Claims epsilon, throws the hemisphere coin of 1.05 * epsilon."""

    name: ClassVar[str] = "five-percent-off"

    @property
    def same_side_probability(self) -> float:
        return 1.0 / (1.0 + math.exp(-1.05 * self.epsilon))


@dataclass(frozen=True, slots=True)
class NoNormProjection(LdpSgd):
    """Forgets the norm coin: treats every gradient as if it had the clipping norm."""

    name: ClassVar[str] = "no-norm-projection"

    def own_side(self, norm: float | NDArray[np.float64], draws: NDArray[np.float64]) -> NDArray[np.bool_]:
        return LdpSgd.own_side(self, self.clip_norm, draws)


@dataclass(frozen=True, slots=True)
class FixedSeed(LdpSgd):
    """Seeds its noise itself, always alike, and so sends one report over and over."""

    name: ClassVar[str] = "fixed-seed"

    def pair_reports(
        self, pair: GradientPair, num_first: int, num_second: int, directions: Generator, coins: Generator
    ) -> Iterator[Tensor]:
        first = self.randomize(pair.first, 1, Generator().manual_seed(1)).expand(num_first, -1)
        second = self.randomize(pair.second, 1, Generator().manual_seed(1)).expand(num_second, -1)
        yield torch.cat((first, second))


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
