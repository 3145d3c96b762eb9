"""The model gets more of the client's own images wrong than the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Score: accuracy with the model before on half of the images, less that with this one on the others, at least 0.

    On different images, so that luck with images shows in the scores that the threshold is set with.
    """

    name: ClassVar[str] = "accuracy"
    looks_at: ClassVar[str] = "model"

    def score(self, before: Module, model: Module, images: Tensor, labels: Tensor) -> float:
        """Return by how much the share of right labels fell."""
        import torch

        half = len(images) // 2
        with torch.no_grad():
            known = (before(images[:half]).argmax(dim=1) == labels[:half]).double().mean().item()
            found = (model(images[half:]).argmax(dim=1) == labels[half:]).double().mean().item()
        return max(0.0, float(known - found))
