"""Duchi, Jordan and Wainwright's mechanism for the L2 ball: LDP-SGD's coins, the server's constant in the report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.mechanisms._parts import mean
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
