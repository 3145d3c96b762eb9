"""A picture from single reports: each is a noisy answer on which side of a plane the update lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ldp_core.reconstructions._parts import LOCAL_STEPS, MODEL, PUBLIC, Effort, Knowledge, Rebuilt, Reconstruction

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.sent import Turning

_MODES, _STEPS, _RATE = 40, 120, 0.05


class HalfSpace(Reconstruction):
    """Maximizes the posterior of the update among those that public pictures span, keeping every report.

    A report lies on the update's side with probability 1/2 + a/2 * tanh(epsilon/2). The step is replaced by a normal
    distribution function that grows steeper. The start is the linear estimate from the mean of the same reports; the
    picture follows from the update by the linear estimate without noise.

    Source: derived here; one-bit measurements with flips as in Plan and Vershynin 2013, arXiv:1202.1212.
    """

    name: ClassVar[str] = "half-space"
    knows: ClassVar[tuple[str, ...]] = (MODEL, PUBLIC, LOCAL_STEPS)
    sees: ClassVar[str] = "reports"

    def values(self, effort: Effort) -> float:
        """Return about as how many random values one picture counts."""
        return 1e8 + 1e4 * sum(effort.reports)

    def rebuild(
        self,
        knowledge: Knowledge,
        mechanism: Turning,
        update: Tensor,
        counts: Sequence[int],
        generator: Generator,
    ) -> list[Rebuilt]:
        """Send reports of one update, shape (d,), and rebuild its picture from the first n, for rising ``counts`` n.

        The attacker knows the law of the mechanism, LDP-SGD.
        """
        import torch

        from ldp_core.learning.sent import span_reports
        from ldp_core.reconstructions.linear import fitted

        fit, dimension = fitted(knowledge), len(update)
        modes = [(model.vectors[:, -_MODES:].mT.float() @ model.updates) for model in fit.classes]
        known = torch.cat([*(model.update.unsqueeze(0) for model in fit.classes), *modes, update.unsqueeze(0)])
        basis = torch.linalg.qr(known.double().mT).Q
        norm = float(update.norm())
        coordinates = basis.mT @ (update.double() / norm)
        blocks = list(span_reports(mechanism, coordinates / coordinates.norm(), norm, dimension, counts[-1], generator))
        reports = torch.cat(blocks)
        bias = 2.0 * mechanism.same_side_probability - 1.0
        length = mean_length(bias, dimension)
        rebuilt = []
        for count in counts:
            seen = reports[:count]
            mean = (basis @ seen.double().mean(dim=0)).float() * (mechanism.clip_norm / length)
            noise = mechanism.clip_norm**2 / (count * dimension * length**2)
            start = fit.estimate(mean.unsqueeze(0), noise)
            place = fit.known.index(int(start.labels))
            model = fit.classes[place]
            centre = (basis.mT @ model.update.double()).float()
            size = model.values[-_MODES:] / len(model.values)
            directions = (
                basis.mT @ (modes[place].double() / modes[place].double().norm(dim=1, keepdim=True)).mT
            ).float()
            spread = size.clamp_min(1e-12).sqrt().float()
            ahead = (basis.mT @ mean.double()).float() - centre
            weights = (directions.mT @ ahead) * (spread**2 / (spread**2 + noise)) / spread
            weights = _climb(seen, centre, directions * spread, weights, bias, dimension)
            guess = basis.float() @ (centre + (directions * spread) @ weights)
            rest = float((spread**2).sum()) / dimension / 10.0
            better = model.estimate(guess.unsqueeze(0), fit.ridge + min(noise, rest))[0].clamp(0.0, 1.0)
            rebuilt.append(Rebuilt(better.reshape(1, 1, *fit.shape), start.labels, start.sureness))
        return rebuilt


def mean_length(bias: float, dimension: int) -> float:
    """Return the length of the expected report of an update of full length."""
    return bias * math.exp(math.lgamma(dimension / 2) - math.lgamma((dimension + 1) / 2)) / math.sqrt(math.pi)


def _climb(reports: Tensor, centre: Tensor, directions: Tensor, start: Tensor, bias: float, dimension: int) -> Tensor:
    """Return the weights of the modes that explain the sides of the reports best."""
    import torch

    from ldp_core.learning.models import Adam

    weights = start.clone().requires_grad_()
    fixed, moving = reports @ centre * dimension**0.5, reports @ directions * dimension**0.5
    optimizer = Adam([weights], _RATE)
    for step in range(_STEPS):
        steep = 2.0 * 10.0 ** (1.2 * step / _STEPS)
        length = (centre + directions @ weights).norm()
        sides = torch.erf(steep * (fixed + moving @ weights) / length)
        loss = -(bias * sides).log1p().sum() + weights.square().sum() / 2
        (weights.grad,) = torch.autograd.grad(loss, [weights])
        optimizer.step()
    return weights.detach()
