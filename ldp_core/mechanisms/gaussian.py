"""Gaussian noise on a clipped gradient, with the analytic calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.mechanisms._parts import Draw, Unbiased, clipped, grid_of, to_grid
from ldp_core.statistics.theory import normal_distance
from ldp_core.types import GAUSSIAN_DELTA

if TYPE_CHECKING:
    from torch import Generator, Tensor


@dataclass(frozen=True, slots=True)
class Gaussian(Unbiased):
    """Add normal noise with the smallest standard deviation sigma for (epsilon, delta); two gradients are 2 L apart.

    The worst-case pair is a gradient of norm L and its flip, whatever its direction u. The report's part along u
    tells all: a guess by its sign is right with probability Phi(L / sigma), and "it is at least eps sigma^2 / (2 L)"
    has probabilities p and p' with p - e^eps p' = delta, exactly.

    Reports are rounded to multiples of a power of two that depends on sigma alone, some 2^16 below it, so that their
    low-order bits do not tell the gradient (Mironov 2012). That does not hide how long the computation took, nor give
    what 53 random bits cannot: noise beyond 8.6 sigma never occurs, which has probability 1e-17 by the law. Delta, the
    chance with which epsilon may be exceeded, is from 1e-12 to 0.5; other arguments and errors as in ``Unbiased``, with
    the L2 norm.

    Source: Balle and Wang 2018, "Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration
        and Optimal Denoising", arXiv:1805.06530, Theorem 8. Mironov 2012, "On Significance of the Least Significant
        Bits for Differential Privacy".
    """

    delta: float = GAUSSIAN_DELTA

    name: ClassVar[str] = "gaussian"

    def __post_init__(self) -> None:
        Unbiased.__post_init__(self)
        _validate.number("delta", self.delta, 1e-12, 0.5)

    @property
    def noise_deviation(self) -> float:
        """The standard deviation sigma of each coordinate's noise."""
        return 2.0 * self.clip_norm / normal_distance(self.epsilon, self.delta)

    def _reports_of(self, gradient: Tensor) -> Draw:
        import torch

        sent, deviation = clipped(gradient, self.clip_norm), self.noise_deviation
        grid = grid_of(deviation)

        def draw(count: int, generator: Generator) -> Tensor:
            noise = torch.empty(count, len(sent), dtype=torch.float64, device=gradient.device)
            return to_grid(noise.normal_(0.0, deviation, generator=generator).add_(sent), grid)

        return draw
