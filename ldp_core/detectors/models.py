"""Detectors that look at the model that the server sent, on the client's own images."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


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
            now = (model(images[half:]).argmax(dim=1) == labels[half:]).double().mean().item()
        return max(0.0, float(known - now))


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
            now = cross_entropy(model(images[half:]).double(), labels[half:]).item()
        return max(0.0, float(now - known))


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
