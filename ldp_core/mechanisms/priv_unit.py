"""PrivUnit: a direction from a spherical cap around the gradient's, or from outside of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core import _lazy
from ldp_core.mechanisms._parts import Draw, Unbiased, uniform
from ldp_core.private import direction_and_norm

if TYPE_CHECKING:
    from torch import Generator, Tensor

brentq = _lazy.function("scipy.optimize", "brentq")
betainc, betaincinv, betaln, xlog1py = (
    _lazy.function("scipy.special", name) for name in ("betainc", "betaincinv", "betaln", "xlog1py")
)


@dataclass(frozen=True, slots=True)
class Cap:
    """The cap {v: <v, u> >= height} of the unit sphere, and how it is used.

    ``mass`` is its share q of the sphere, in (0, 1/2]; ``hit`` the probability p that a report lies in it; within it,
    and outside of it, a report is uniform. ``mean`` is E<v, u>.
    """

    height: float
    mass: float
    hit: float
    mean: float


@dataclass(frozen=True, slots=True)
class PrivUnit(Unbiased):
    """Send a vector of fixed length whose direction lies in a cap around the gradient's with probability p.

    A norm coin first turns the direction u around with probability 1/2 - n / 2L, n the clipped norm, as in LDP-SGD: so
    a report is unbiased for every norm. A zero gradient borrows the first axis as direction, and its coin is fair.

    Against the uniform law on the sphere a report has, given its turned direction, density p/q in the cap, which takes
    up the share q of the sphere, and (1-p)/(1-q) outside. By the choice of p their ratio is e^eps:
    eps = ln(p/(1-p)) + ln((1-q)/q). The coin mixes two such densities, so for every gradient, zero included, the
    density lies between the same two values, and those of two gradients have a ratio of at most e^eps. Of the
    worst-case pair, a gradient of norm L and its flip, "the report lies in the second one's cap" has probability p for
    the second and p * e^-eps for the first. Arguments and errors as in ``Unbiased``, with the L2 norm.

    Source: Bhowmick et al. 2018, "Protection Against Reconstruction and Its Applications in Private Federated
        Learning", arXiv:1812.00984, Algorithm 1 (PrivUnit2). They bound q; here it is exact, and epsilon is split
        between p and q so that reports are shortest, as in Asi, Feldman and Talwar 2022, "Optimal Algorithms for Mean
        Estimation under Local Differential Privacy", arXiv:2205.02466.
    """

    name: ClassVar[str] = "priv-unit"
    delta: ClassVar[float] = 0.0
    least_dimension: ClassVar[int] = 2
    """In one dimension there is no cap."""

    def cap(self, dimension: int) -> Cap:
        """Return the cap used in d >= 2 dimensions."""
        return _best_cap(self.epsilon, dimension)

    def report_norm(self, dimension: int) -> float:
        """Return L / E<v, u>, the L2 norm of every report."""
        return self.clip_norm / self.cap(dimension).mean

    def _reports_of(self, gradient: Tensor) -> Draw:
        import torch

        direction, norm = direction_and_norm(gradient)
        if norm == 0.0:
            direction = torch.eye(1, len(direction), dtype=torch.float64, device=gradient.device)[0]
        dimension, cap = len(direction), self.cap(len(direction))
        keeps = 0.5 + min(norm / self.clip_norm, 1.0) / 2.0
        side = math.copysign(1.0, direction[0].item())
        mirror = direction.clone()  # the reflection along u + side * e1 takes e1 to -side * u
        mirror[0] += side
        length = -side * self.report_norm(dimension)

        def draw(count: int, generator: Generator) -> Tensor:
            draws = uniform(3, count, generator=generator).cpu().numpy()
            along, across = _inner_products(cap, dimension, draws[1], draws[2])
            along = np.where(draws[0] < keeps, along, -along)
            reports = torch.empty(count, dimension, dtype=torch.float64, device=gradient.device)
            others = reports.normal_(generator=generator)[:, 1:]
            others *= (torch.from_numpy(across).to(others.device) / others.norm(dim=1)).unsqueeze(1)
            reports[:, 0] = torch.from_numpy(along).to(others.device)
            return reports.addr_(reports @ mirror, mirror, alpha=-1.0 / abs(mirror[0].item())).mul_(length)

        return draw


@lru_cache(maxsize=256)
def _best_cap(epsilon: float, dimension: int) -> Cap:
    """Return the cap that makes E<v, u> as large as possible.

    With J = E[t; t >= gamma] for t a coordinate of a uniform direction, E<v, u> = J * (p/q - (1-p)/(1-q)), which is
    J * (1 - e^-eps) / (e^-eps + q (1 - e^-eps)). Since dJ = gamma dq, it is largest where it equals gamma: where
    gamma * (e^-eps + q (1 - e^-eps)) = J * (1 - e^-eps), and the difference of the sides rises with gamma.
    """
    least = math.exp(-epsilon)
    change = -math.expm1(-epsilon)
    half = (dimension - 1) / 2

    def mass(height: float) -> float:
        return float(betainc(half, 0.5, (1.0 - height) * (1.0 + height))) / 2.0

    def moment(height: float) -> float:
        return math.exp(xlog1py(half, -height * height) - math.log(2.0 * half) - betaln(0.5, half))

    def excess(height: float) -> float:
        return height * (least + mass(height) * change) - moment(height) * change

    height = float(brentq(excess, 0.0, 1.0, xtol=1e-15, rtol=1e-14))
    share = mass(height)
    inside = 1.0 / (least + share * change)
    return Cap(height, share, share * inside, moment(height) * change * inside)


def _inner_products(
    cap: Cap, dimension: int, coins: NDArray[np.float64], draws: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return <v, u> of reports and the length of what is orthogonal to u, from uniform numbers of shape (n,).

    A coordinate of a uniform direction is at least t >= 0 with probability I(1 - t^2; (d-1)/2, 1/2) / 2: its inverse
    is taken at a share of the sphere that is uniform in the cap or outside.
    """
    above = np.where(coins < cap.hit, cap.mass * draws, cap.mass + (1.0 - cap.mass) * draws)
    rest = betaincinv((dimension - 1) / 2, 0.5, 2.0 * np.minimum(above, 1.0 - above))
    return np.copysign(np.sqrt(1.0 - rest), 0.5 - above), np.sqrt(rest)
