"""The loss on own images rose from the model before to this one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


@dataclass(frozen=True, slots=True)
class LossJump:
    """Score: mean cross-entropy with this model on half of the images, less that before on the others, at least 0."""

    name: ClassVar[str] = "loss-jump"
    looks_at: ClassVar[str] = "model"

    def score(self, before: Module, model: Module, images: Tensor, labels: Tensor) -> float:
        """Return by how much the mean loss rose."""
        import torch
        from torch.nn.functional import cross_entropy

        half = len(images) // 2
        with torch.no_grad():
            known = cross_entropy(before(images[:half]).double(), labels[:half]).item()
            found = cross_entropy(model(images[half:]).double(), labels[half:]).item()
        return max(0.0, float(found - known))
