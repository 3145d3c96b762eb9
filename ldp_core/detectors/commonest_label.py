"""The model gives too many of the client's own images one label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


@dataclass(frozen=True, slots=True)
class CommonestLabel:
    """Score: share of own images with the label that the model gives most often, in [0, 1]."""

    name: ClassVar[str] = "commonest-label"
    looks_at: ClassVar[str] = "model"

    def score(self, before: Module, model: Module, images: Tensor, labels: Tensor) -> float:
        """Return the share of the commonest label."""
        import torch

        with torch.no_grad():
            guessed = model(images).argmax(dim=1)
        return float(guessed.bincount().max().item() / len(images))
