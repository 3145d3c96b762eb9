"""The gradient's length is spread over the layers in another way than that of own ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.detectors._kinds import Shapes, parts

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class LayerShares:
    """Score: Mahalanobis distance of the logarithms of each parameter's share of the squared length."""

    name: ClassVar[str] = "layer-shares"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Learn mean and covariance of the log shares of own gradients, a thousandth of its trace on the diagonal."""
        import torch

        def shares(gradients: Tensor) -> Tensor:
            squares = [part.double().flatten(1).square().sum(dim=1) for part in parts(gradients, shapes)]
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
