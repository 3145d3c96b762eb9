"""What honest mechanisms share: their arguments, the loop over blocks of reports, and a grid for noisy values."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from ldp_core import _validate
from ldp_core.private import check_gradient, direction_and_norm
from ldp_core.randomness.blocks import blocks
from ldp_core.randomness.streams import fresh_generator
from ldp_core.types import EPSILON_RANGE

if TYPE_CHECKING:
    from torch import Generator, Tensor

Draw: TypeAlias = "Callable[[int, Generator], Tensor]"
"""Returns n independent reports, shape (n, d), float64, from a generator."""
_GRID_BITS = 17


@dataclass(frozen=True, slots=True)
class Claim:
    """What a mechanism claims; its ``delta`` is a class's own.

    Raises ``ValueError`` unless epsilon is from 0.01 to 30 nats and the bound L on a gradient, in its own unit, is > 0.
    """

    epsilon: float
    clip_norm: float = 1.0

    clip_order: ClassVar[str] = "l2"

    def __post_init__(self) -> None:
        _validate.number("epsilon", self.epsilon, *EPSILON_RANGE)
        _validate.open_number("clip_norm", self.clip_norm, 0.0, math.inf)


@dataclass(frozen=True, slots=True)
class Unbiased(Claim, ABC):
    """A mechanism whose report is itself an unbiased estimate of the clipped gradient; errors as in ``Claim``."""

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        """Randomize one gradient ``num_reports`` times, independently: arguments and errors as in ``LdpSgd.randomize``.

        Reports of shape (n, d) are computed in float64, and returned in the gradient's dtype and on its device.
        """
        import torch

        check_gradient("gradient", gradient)
        _validate.integer("num_reports", num_reports, 0)
        if generator is None:
            generator = fresh_generator(gradient.device)
        draw = self._reports_of(gradient)
        reports = torch.empty(num_reports, gradient.shape[0], dtype=gradient.dtype, device=gradient.device)
        for rows in blocks(num_reports, gradient.shape[0], gradient.device):
            reports[rows] = draw(rows.stop - rows.start, generator)
        return reports

    def aggregate(self, reports: Tensor) -> Tensor:
        """Return the mean of n >= 1 reports, shape (d,): without bias the mean of the clipped gradients behind them.

        Raises ``ValueError`` if the reports' shape is not (n, d).
        """
        return mean(reports)

    @abstractmethod
    def _reports_of(self, gradient: Tensor) -> Draw:
        """Return what draws reports of one gradient."""


def mean(reports: Tensor) -> Tensor:
    """Return the mean of reports of shape (n >= 1, d >= 1)."""
    if reports.ndim != 2 or reports.shape[0] < 1 or reports.shape[1] < 1:
        raise ValueError(f"reports must have shape (n >= 1, d >= 1), got {tuple(reports.shape)}")
    return reports.mean(dim=0)


def clipped(gradient: Tensor, clip_norm: float) -> Tensor:
    """Return a gradient, shortened to the L2 norm ``clip_norm`` if it is longer, in float64."""
    direction, norm = direction_and_norm(gradient)
    return direction * min(norm, clip_norm)


def uniform(*shape: int, generator: Generator) -> Tensor:
    """Return independent uniform numbers on [0, 1), multiples of 2^-53, on the generator's device."""
    import torch

    return torch.rand(*shape, generator=generator, dtype=torch.float64, device=generator.device)


def grid_of(noise: float) -> float:
    """Return the spacing of the grid for values with noise of this size: the power of two 2^16 to 2^17 times below it.

    Rounding to it adds less than 1e-10 of the noise's variance. A value below 2^7 times the noise is a multiple that
    float32 holds exactly; the sum that is rounded is computed in float64, whose own steps there are 2^29 times finer.

    >>> grid_of(1.0) == 2.0**-16
    True
    """
    return math.ldexp(1.0, math.frexp(noise)[1] - _GRID_BITS)


def to_grid(values: Tensor, grid: float) -> Tensor:
    """Round values to multiples of a power of two, in place; there is no negative zero."""
    return values.div_(grid).round_().mul_(grid).add_(0.0)
