"""The gradient points away from the mean of own ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.detectors._kinds import Shapes

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class CosineToMean:
    """Score: minus the cosine to the mean of own gradients, in [-1, 1]."""

    name: ClassVar[str] = "cosine-to-mean"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Learn the mean of own gradients."""
        mean = own.double().mean(dim=0)
        unit = mean / mean.norm().clamp_min(1e-300)
        return lambda gradients: -(gradients.double() @ unit) / gradients.double().norm(dim=1).clamp_min(1e-300)
