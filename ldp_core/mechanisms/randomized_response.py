"""Randomized response: one coordinate, one bit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.mechanisms._parts import Draw, Unbiased, uniform

if TYPE_CHECKING:
    from torch import Generator, Tensor


@dataclass(frozen=True, slots=True)
class RandomizedResponse(Unbiased):
    """Send the sign of one coordinate, drawn uniformly, after rounding it at random to -L or L and a flip by a coin.

    With x the coordinate, clipped to [-L, L], and t = tanh(eps / 2), the sign is positive with probability
    1/2 + (x / L) * t / 2: between 1 - c and c for c = e^eps / (1 + e^eps), and so epsilon is exact. For the worst-case
    pair (a gradient of coordinates L and its flip) a guess by the sign is right with probability c exactly. L bounds
    each coordinate; arguments and errors as in ``Unbiased``.

    Source: Nguyen et al. 2016, "Collecting and Analyzing Data from Smart Device Users with Local Differential
        Privacy" (Harmony), arXiv:1606.05053, Algorithm 1; the coin is that of Warner 1965.
    """

    name: ClassVar[str] = "randomized-response"
    delta: ClassVar[float] = 0.0
    clip_order: ClassVar[str] = "linf"

    def report_norm(self, dimension: int) -> float:
        """Return the L2 norm of every report, L * d * (e^eps + 1)/(e^eps - 1): its one coordinate that is not zero."""
        return self.clip_norm * dimension / math.tanh(self.epsilon / 2)

    def _reports_of(self, gradient: Tensor) -> Draw:
        import torch

        dimension, size = gradient.shape[0], self.report_norm(gradient.shape[0])
        share = gradient.double().clamp(-self.clip_norm, self.clip_norm) / self.clip_norm
        positive = 0.5 + share * (math.tanh(self.epsilon / 2) / 2.0)

        def draw(count: int, generator: Generator) -> Tensor:
            draws = uniform(2, count, generator=generator)
            place = (draws[0] * dimension).long().clamp_(max=dimension - 1)
            value = (draws[1] < positive[place]).double().mul_(2.0).sub_(1.0).mul_(size)
            reports = torch.zeros(count, dimension, dtype=torch.float64, device=gradient.device)
            return reports.scatter_(1, place.unsqueeze(1), value.unsqueeze(1))

        return draw
