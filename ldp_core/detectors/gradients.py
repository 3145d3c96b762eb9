"""Detectors that look at a gradient that is about to be randomized."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor

Shapes = Sequence[tuple[int, ...]]
"""Shapes of the model's parameters, in the order in which a gradient holds them."""
_DIRECTIONS = 20
_ROUNDING = 1e-3


class Norm:
    """Score: L2 norm.

    A length above the clipping norm is no sign, for 38 to 80 % of honest gradients are longer than 1: the threshold is
    the client's own.
    """

    name: ClassVar[str] = "norm"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Return the norm; nothing is learned."""
        return lambda gradients: gradients.double().norm(dim=1)


class LayerShares:
    """Score: Mahalanobis distance of the logarithms of each parameter's share of the squared length."""

    name: ClassVar[str] = "layer-shares"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Learn mean and covariance of the log shares of own gradients, a thousandth of its trace on the diagonal."""
        import torch

        def shares(gradients: Tensor) -> Tensor:
            squares = [part.double().flatten(1).square().sum(dim=1) for part in _parts(gradients, shapes)]
            values = torch.stack(squares, dim=1)
            return (values / values.sum(dim=1, keepdim=True).clamp_min(1e-300)).clamp_min(1e-12).log()

        known = shares(own)
        mean, covariance = known.mean(dim=0), known.T.cov()
        size = len(mean)
        covariance = covariance + torch.eye(size, dtype=torch.float64) * (1e-3 * covariance.trace() / size + 1e-12)
        root = torch.linalg.cholesky(covariance)

        def score(gradients: Tensor) -> Tensor:
            apart = (shares(gradients) - mean).T
            distance: Tensor = torch.linalg.solve_triangular(root, apart, upper=False).norm(dim=0)
            return distance

        return score


class PcaResidual:
    """Score: share of the length, less the own mean, that the 20 first principal directions of own gradients leave."""

    name: ClassVar[str] = "pca-residual"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Learn the mean and the principal directions of own gradients."""
        import torch

        mean = own.double().mean(dim=0)
        _, _, directions = torch.linalg.svd(own.double() - mean, full_matrices=False)
        kept = directions[: min(_DIRECTIONS, len(own) // 4 + 1)]

        def score(gradients: Tensor) -> Tensor:
            apart = gradients.double() - mean
            inside = (apart @ kept.T).norm(dim=1)
            length = apart.norm(dim=1).clamp_min(1e-300)
            residual: Tensor = (1.0 - (inside / length).square()).clamp_min(0.0).sqrt()
            return residual

        return score


class CosineToMean:
    """Score: minus the cosine to the mean of own gradients, in [-1, 1]."""

    name: ClassVar[str] = "cosine-to-mean"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Learn the mean of own gradients."""
        mean = own.double().mean(dim=0)
        unit = mean / mean.norm().clamp_min(1e-300)
        return lambda gradients: -(gradients.double() @ unit) / gradients.double().norm(dim=1).clamp_min(1e-300)


class Structure:
    """Score: the largest of five signs of a gradient that is not of one image with one label, in shares of its length.

    For cross-entropy of one image the output bias has the gradient p - e_y: its sum is 0 and only the label's entry is
    negative; the last layer's weights have the gradient (p - e_y) f with the layer's inputs f, which follow a ReLU and
    are not negative. A sum of images, a flipped gradient and a made-up one break this: the signs are the sum, a second
    negative entry, no negative entry, a rank above 1, and a negative input. Up to a thousandth counts as rounding.
    """

    name: ClassVar[str] = "structure"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Return the violation; nothing is learned."""
        import torch

        def score(gradients: Tensor) -> Tensor:
            weights, bias = (part.double() for part in _parts(gradients, shapes)[-2:])
            length = bias.norm(dim=1).clamp_min(1e-300)
            lowest = bias.sort(dim=1).values
            inputs = torch.einsum("kco,kc->ko", weights, bias) / length.square().unsqueeze(1)
            rest = weights - bias.unsqueeze(2) * inputs.unsqueeze(1)
            size = weights.flatten(1).norm(dim=1).clamp_min(1e-300)
            violations = (
                bias.sum(dim=1).abs() / length,
                (-lowest[:, 1]).clamp_min(0.0) / length,
                (lowest[:, 0].clamp_min(0.0)) / length,
                rest.flatten(1).norm(dim=1) / size,
                (-inputs.min(dim=1).values).clamp_min(0.0) / inputs.norm(dim=1).clamp_min(1e-300),
            )
            worst = torch.stack(violations).max(dim=0).values
            return torch.where(worst > _ROUNDING, worst, 0.0)

        return score


def _parts(gradients: Tensor, shapes: Shapes) -> list[Tensor]:
    """Return the gradients of each parameter, shapes (k, *shape)."""
    import torch

    cut = torch.split(gradients, [math.prod(shape) for shape in shapes], dim=1)
    return [part.reshape(len(part), *shape) for part, shape in zip(cut, shapes, strict=True)]
