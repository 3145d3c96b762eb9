"""Laplace and Gaussian noise that is added wrongly."""

from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Generator, Tensor

from ldp_core.mechanisms._parts import Draw, clipped, grid_of, to_grid, uniform
from ldp_core.mechanisms.faulty._fault import PRIVACY_TEST, CaughtBy
from ldp_core.mechanisms.gaussian import Gaussian
from ldp_core.mechanisms.laplace import Laplace


@dataclass(frozen=True, slots=True)
class NoClipping(Laplace):
    """The noise hides a gradient of the clipping norm, and longer gradients are not clipped."""

    name: ClassVar[str] = "faulty-no-clipping"
    caught_by: ClassVar[CaughtBy] = ("clip-invariance",)

    def _reports_of(self, gradient: Tensor) -> Draw:
        noise, grid = Laplace._reports_of(self, torch.zeros_like(gradient)), grid_of(self.noise_scale(len(gradient)))
        return lambda count, generator: to_grid(noise(count, generator).add_(gradient.double()), grid)


@dataclass(frozen=True, slots=True)
class LaplaceForL2(Laplace):
    """The noise fits an L1 distance of 2 L, which may be 2 L sqrt(d): epsilon is sqrt(d) times what is claimed."""

    name: ClassVar[str] = "faulty-laplace-l2"
    caught_by: ClassVar[CaughtBy] = (PRIVACY_TEST,)

    def noise_scale(self, dimension: int) -> float:
        """Return 2 L / eps."""
        return 2.0 * self.clip_norm / self.epsilon


@dataclass(frozen=True, slots=True)
class GaussianForOneNorm(Gaussian):
    """The noise fits two gradients that are L apart, and they may be 2 L apart: the usual mistake."""

    name: ClassVar[str] = "faulty-gaussian-sensitivity"
    caught_by: ClassVar[CaughtBy] = (PRIVACY_TEST,)

    @property
    def noise_deviation(self) -> float:
        """Half of the honest standard deviation."""
        return Gaussian(self.epsilon, self.clip_norm, self.delta).noise_deviation / 2.0


@dataclass(frozen=True, slots=True)
class SharedNoise(Laplace):
    """The noise is drawn once and added to every gradient: two reports differ by what their gradients differ."""

    name: ClassVar[str] = "faulty-shared-noise"
    caught_by: ClassVar[CaughtBy] = ("repeats", "shared-noise")
    kept: list[Tensor] = field(default_factory=list, init=False, repr=False, compare=False)

    def _reports_of(self, gradient: Tensor) -> Draw:
        sent, grid = clipped(gradient, self.clip_norm), grid_of(self.noise_scale(len(gradient)))
        noise = Laplace._reports_of(self, torch.zeros_like(gradient))

        def draw(count: int, generator: Generator) -> Tensor:
            if not self.kept:
                self.kept.append(noise(1, generator))
            return to_grid(self.kept[0] + sent, grid).expand(count, -1)

        return draw


@dataclass(frozen=True, slots=True)
class LowOrderBits(Laplace):
    """The sum of gradient and noise is a plain floating-point sum, whose last bits depend on the gradient."""

    name: ClassVar[str] = "faulty-low-order-bits"
    caught_by: ClassVar[CaughtBy] = ("low-order-bits",)

    def _reports_of(self, gradient: Tensor) -> Draw:
        sent, scale = clipped(gradient, self.clip_norm).to(gradient.dtype), self.noise_scale(len(gradient))

        def draw(count: int, generator: Generator) -> Tensor:
            first_log, second_log = uniform(2, count, len(sent), generator=generator).neg_().log1p_()
            reports: Tensor = first_log.sub_(second_log).mul_(scale).to(gradient.dtype).add_(sent)
            return reports

        return draw
