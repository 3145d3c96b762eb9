"""The gradient lies outside of the few directions in which own ones vary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.detectors._kinds import Shapes

if TYPE_CHECKING:
    from torch import Tensor

_DIRECTIONS = 20


@dataclass(frozen=True, slots=True)
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
