"""Duchi, Jordan and Wainwright: the mechanism for the L2 ball, and that for the L-infinity ball, a vertex of a cube."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.mechanisms._parts import Draw, Unbiased, mean, uniform
from ldp_core.mechanisms.ldp_sgd import LdpSgd, gamma_ratio

if TYPE_CHECKING:
    from torch import Generator, Tensor


@dataclass(frozen=True, slots=True)
class DuchiL2(LdpSgd):
    """Send a vector of fixed length B from the gradient's half space, or from the other one.

    The law of a report's direction is that of LDP-SGD: of a worst-case pair (a gradient of norm L and its flip) the
    side alone tells, and a guess by it is right with probability e^eps / (1 + e^eps) exactly. Arguments and errors as
    in ``LdpSgd``.

    Source: Duchi, Jordan and Wainwright 2018, "Minimax Optimal Procedures for Locally Private Estimation",
        arXiv:1604.02390, section 4.2.3. B follows from the condition that a report is unbiased (tested).
    """

    name: ClassVar[str] = "duchi-l2"

    def report_norm(self, dimension: int) -> float:
        """Return B = L * sqrt(pi) * Gamma((d+1)/2) / Gamma(d/2) * (e^eps + 1)/(e^eps - 1), every report's L2 norm."""
        return self.clip_norm * math.sqrt(math.pi) * gamma_ratio(dimension) / math.tanh(self.epsilon / 2)

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        """Randomize one gradient; as ``LdpSgd.randomize``, with reports of norm B."""
        reports = LdpSgd.randomize(self, gradient, num_reports, generator)
        return reports.mul_(self.report_norm(gradient.shape[0]))

    def aggregate(self, reports: Tensor) -> Tensor:
        """Estimate the mean of the clipped gradients behind reports, without bias: their mean, shape (d,)."""
        return mean(reports)


@dataclass(frozen=True, slots=True)
class DuchiLinf(Unbiased):
    """Send a vertex of {-B, B}^d from the gradient's half space, or from the other one.

    Each coordinate is clipped to [-L, L] and rounded at random to a vertex w of {-L, L}^d, without bias. A uniform
    vertex v of the cube is turned so that <v, w> is positive with probability c = e^eps / (1 + e^eps), negative
    otherwise; where <v, w> = 0, which happens in even dimensions, it stays as it is. Given w, a vertex then has
    probability 2c, 1 or 2(1 - c) times 2^-d, and so has it between 2(1 - c) and 2c times 2^-d for every gradient: the
    ratio is at most c / (1 - c) = e^eps, and a gradient of coordinates L against its flip attains it.

    For that worst-case pair, with tau = P(<v, w> = 0), a guess by the side is right with probability
    c - tau * tanh(eps / 2) / 2; "the report is on the second one's side, not between" has the probabilities
    c * (1 - tau) and (1 - c) * (1 - tau). L bounds each coordinate; arguments and errors as in ``Unbiased``.

    Source: Duchi, Jordan and Wainwright 2018, "Minimax Optimal Procedures for Locally Private Estimation",
        arXiv:1604.02390, section 4.2.3. In even dimensions they count the vertices with <v, w> = 0 to both half spaces;
        left as they are here, they cost less noise at the same epsilon (derived here). B is tested by enumeration.
    """

    name: ClassVar[str] = "duchi-linf"
    delta: ClassVar[float] = 0.0
    clip_order: ClassVar[str] = "linf"

    def largest_coordinate(self, dimension: int) -> float:
        """Return B = L * (d / E|S|) * (e^eps + 1)/(e^eps - 1), the absolute value of every coordinate of a report.

        S is a sum of d signs: E|S| = d * Gamma(m + 1/2) / (sqrt(pi) * Gamma(m + 1)) with m = floor(d / 2).
        """
        shortening = math.sqrt(math.pi) * gamma_ratio(2 * (dimension // 2) + 1)
        return self.clip_norm * shortening / math.tanh(self.epsilon / 2)

    def report_norm(self, dimension: int) -> float:
        """Return the L2 norm of every report, B * sqrt(d)."""
        return self.largest_coordinate(dimension) * math.sqrt(dimension)

    def _reports_of(self, gradient: Tensor) -> Draw:
        import torch

        stays = 1.0 / (1.0 + math.exp(-self.epsilon))
        rises = 0.5 + gradient.double().clamp(-self.clip_norm, self.clip_norm) / (2.0 * self.clip_norm)
        size = self.largest_coordinate(gradient.shape[0])

        def draw(count: int, generator: Generator) -> Tensor:
            coin = uniform(count, generator=generator) < stays
            same = torch.randint(2, (count, len(rises)), generator=generator, device=generator.device) == 1
            inner = 2 * same.sum(dim=1) - len(rises)
            turned = (inner != 0) & ((inner > 0) != coin)
            vertex = uniform(count, len(rises), generator=generator) < rises
            return ((vertex == same) != turned.unsqueeze(1)).double().mul_(2.0).sub_(1.0).mul_(size)

        return draw
