"""Laplace noise on every coordinate of a clipped gradient."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.mechanisms._parts import Draw, Unbiased, clipped, grid_of, to_grid, uniform

if TYPE_CHECKING:
    from torch import Generator, Tensor


@dataclass(frozen=True, slots=True)
class Laplace(Unbiased):
    """Add Laplace noise of scale b = 2 L sqrt(d) / eps: two gradients of norm L are at most 2 L sqrt(d) apart in L1.

    The worst-case pair has coordinates L / sqrt(d) and their flip. "All coordinates of the report are at least
    L / sqrt(d)" then has probability 2^-d for the one and 2^-d * e^-eps for the other: epsilon is exact, but in high
    dimension it shows in reports that hardly ever occur.

    Reports are rounded to multiples of a power of two that depends on b alone, some 2^16 below it, so that their
    low-order bits do not tell the gradient (Mironov 2012). The noise is the difference of two exponential numbers,
    which fills the holes that a single one leaves between floats (Holohan and Braghin 2021). That does not hide how
    long the computation took, nor give what 53 random bits cannot: noise beyond 37 b never occurs, which has
    probability e^-37 by the law. Arguments and errors as in ``Unbiased``, with the L2 norm.

    Source: Dwork, McSherry, Nissim and Smith 2006, "Calibrating Noise to Sensitivity in Private Data Analysis",
        Proposition 1; the sensitivity of the ball by Cauchy and Schwarz. Mironov 2012, "On Significance of the Least
        Significant Bits for Differential Privacy". Holohan and Braghin 2021, "Secure Random Sampling in Differential
        Privacy", arXiv:2107.10138.
    """

    name: ClassVar[str] = "laplace"
    delta: ClassVar[float] = 0.0

    def noise_scale(self, dimension: int) -> float:
        """Return b = 2 L sqrt(d) / eps; a coordinate's noise has the standard deviation sqrt(2) * b."""
        return 2.0 * self.clip_norm * math.sqrt(dimension) / self.epsilon

    def _reports_of(self, gradient: Tensor) -> Draw:
        sent, scale = clipped(gradient, self.clip_norm), self.noise_scale(gradient.shape[0])
        grid = grid_of(scale)

        def draw(count: int, generator: Generator) -> Tensor:
            first_log, second_log = uniform(2, count, len(sent), generator=generator).neg_().log1p_()
            return to_grid(first_log.sub_(second_log).mul_(scale).add_(sent), grid)

        return draw
