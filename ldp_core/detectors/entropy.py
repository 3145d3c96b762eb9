"""The model's mean prediction on own images says too little but one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


@dataclass(frozen=True, slots=True)
class Entropy:
    """Score: minus the entropy of the mean predicted probabilities on own images, in nats."""

    name: ClassVar[str] = "entropy"
    looks_at: ClassVar[str] = "model"

    def score(self, before: Module, model: Module, images: Tensor, labels: Tensor) -> float:
        """Return minus the entropy of the mean prediction."""
        import torch

        with torch.no_grad():
            mean = model(images).double().softmax(dim=1).mean(dim=0)
        return float(torch.special.xlogy(mean, mean).sum().item())
