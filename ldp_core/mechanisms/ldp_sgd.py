"""LDP-SGD: the client's randomizer and the server's unbiased aggregation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.mechanisms._parts import Claim, mean
from ldp_core.private import check_gradient, direction_and_norm
from ldp_core.randomness.blocks import blocks, doubtful, in_doubt
from ldp_core.randomness.streams import fresh_generator
from ldp_core.types import Draws

if TYPE_CHECKING:
    import torch
    from torch import Generator, Tensor


@dataclass(frozen=True, slots=True)
class LdpSgd(Claim):
    """Randomize gradients so that each report is epsilon-locally differentially private.

    A report is a unit vector. It lies in the half space of the (clipped, norm-projected) gradient with
    probability c = e^eps / (1 + e^eps), uniformly on the sphere otherwise within each half.
    ``epsilon``: privacy parameter in nats, from 0.01 to 30; ``clip_norm``: L2 bound L on a gradient, > 0, in the
    gradient's own unit.
    Raises ``ValueError`` if an argument is out of range.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Algorithms 1 and 2, after Duchi et al. 2018 and
        Erlingsson et al. 2020, arXiv:2001.03618. The server's constant is d times the one printed by
        Matsumoto et al., which is not unbiased; Erlingsson et al. have the factor.
    """

    name: ClassVar[str] = "ldp-sgd"
    delta: ClassVar[float] = 0.0

    @property
    def same_side_probability(self) -> float:
        """The hemisphere coin: probability c that a report stays on the projected gradient's side."""
        return 1.0 / (1.0 + math.exp(-self.epsilon))

    def report_norm(self, dimension: int) -> float:
        """Return the L2 norm of every report, 1."""
        return 1.0

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        """Randomize one gradient ``num_reports`` times, independently.

        Args:
            gradient: shape (d,), d >= 1, float32 or float64, finite; on any device.
            num_reports: number n of reports, >= 0.
            generator: source of all randomness, on the gradient's device; without one, a fresh generator
                seeded from the operating system.

        Returns:
            Reports of shape (n, d) and unit norm, in the gradient's dtype and on its device.

        Raises:
            ValueError: if the gradient or the number is not as described.
        """
        import torch

        check_gradient("gradient", gradient)
        _validate.integer("num_reports", num_reports, 0)
        if generator is None:
            generator = fresh_generator(gradient.device)
        direction, norm = direction_and_norm(gradient)
        unit = direction.to(gradient.dtype).unsqueeze(0)
        draws = torch.rand(2, num_reports, generator=generator, dtype=torch.float64, device=generator.device)
        signs = signs_of(self.own_side(norm, draws), gradient.dtype).to(gradient.device)
        reports = torch.empty(num_reports, gradient.shape[0], dtype=gradient.dtype, device=gradient.device)
        for rows in blocks(num_reports, gradient.shape[0], gradient.device):
            reports[rows].normal_(generator=generator)
            flip_to_side(reports[rows], signs[rows], unit)
        return reports

    def own_side(self, norm: float | Draws, draws: Draws) -> Draws:
        """Throw both coins of many reports; return whether each ends on its gradient's own side, bool.

        ``norm`` is the gradient's L2 norm, before or after clipping, or one for each report, in their shape. ``draws``
        are uniform on [0, 1), shape (2, *reports), such as (2, n): the norm coins, the hemisphere coins.
        """
        keeps_sign = draws[0] < 0.5 + norm / self.clip_norm / 2.0  # always, from the clipping norm on
        owned: Draws = keeps_sign == (draws[1] < self.same_side_probability)
        return owned

    def aggregate(self, reports: Tensor) -> Tensor:
        """Estimate the mean of the clipped gradients behind n >= 1 reports of shape (n, d), without bias.

        L * sqrt(pi) * Gamma((d+1)/2) / Gamma(d/2) * (e^eps + 1)/(e^eps - 1) * mean(reports), shape (d,). Raises
        ``ValueError`` if the shape is wrong.

        Source: Erlingsson et al. 2020; Matsumoto et al. 2022, Algorithm 2, with the factor d restored.
        """
        middle = mean(reports)
        scale = gamma_ratio(reports.shape[1]) * math.sqrt(math.pi)
        return middle * (self.clip_norm * scale / math.tanh(self.epsilon / 2))


def signs_of(sides: Tensor, dtype: torch.dtype) -> Tensor:
    """Return +1 for true and -1 for false."""
    return sides.to(dtype).mul_(2.0).sub_(1.0)


def gamma_ratio(dimension: int) -> float:
    """Return Gamma((d+1)/2) / Gamma(d/2), about sqrt(d/2): sqrt(pi) times it makes the server's mean unbiased.

    >>> round(gamma_ratio(10_650) / (10_650 / 2) ** 0.5, 4)
    1.0
    """
    half = dimension / 2
    return math.exp(math.lgamma(half + 0.5) - math.lgamma(half))


def flip_to_side(
    directions: Tensor, signs: Tensor, units: Tensor, is_first: Tensor | None = None, out: Tensor | None = None
) -> None:
    """Turn independent normals, shape (n, d), into reports, which are unit vectors, in ``out`` or in their own place.

    ``signs`` are +1 where a report shall lie on its gradient's own side, else -1, shape (n,). ``units`` are the
    directions of the gradients, shape (1, d), or (2, d) where ``is_first``, bool, shape (n,), says of which of two each
    report is.
    """
    import torch
    from torch.nn.functional import linear

    def toward(inner: Tensor, first: Tensor | None) -> Tensor:
        return inner[0] if first is None else torch.where(first, inner[0], inner[1])

    inner = toward(linear(units, directions), is_first)
    close = in_doubt(inner, doubtful(directions.shape[1]))
    if len(close):
        exact = linear(units.double(), directions[close].double())
        inner[close] = toward(exact, None if is_first is None else is_first[close]).to(inner.dtype)
    scale = torch.linalg.vector_norm(directions, dim=1).reciprocal_().copysign_(inner.mul_(signs))
    torch.mul(directions, scale.unsqueeze(1), out=directions if out is None else out)


@dataclass(frozen=True, slots=True)
class OverclaimingLdpSgd(LdpSgd):
    """Claim ``epsilon`` but randomize with ``1.5 * epsilon``. For demonstration only.

    Source: derived here; LDP-SGD with a wrong hemisphere coin.
    """

    name: ClassVar[str] = "overclaiming"

    @property
    def same_side_probability(self) -> float:
        """The hemisphere coin of 1.5 times the claimed epsilon."""
        return LdpSgd(min(1.5 * self.epsilon, 30.0), self.clip_norm).same_side_probability
