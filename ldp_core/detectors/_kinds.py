"""The two kinds of detectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

Shapes = Sequence[tuple[int, ...]]
"""Shapes of the model's parameters, in the order in which a gradient holds them."""


class Detector(Protocol):
    """What both kinds have."""

    name: ClassVar[str]
    looks_at: ClassVar[str]
    """"model" or "gradient"."""


class ModelDetector(Detector, Protocol):
    """Looks at the model that the server sent, on the client's own images."""

    def score(self, before: Module, model: Module, images: Tensor, labels: Tensor) -> float:
        """Return how suspicious a model is after the one received before it.

        Args:
            before: the model received last.
            model: the model to be judged.
            images: the client's own, shape (b, channels, height, width).
            labels: their classes, shape (b,).
        """
        ...


class GradientDetector(Detector, Protocol):
    """Looks at a gradient that is about to be randomized."""

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Learn from the client's own gradients and return what scores others.

        Args:
            own: honest gradients at the same model, one row each, shape (m, d), m >= 2.
            shapes: of the model's parameters.

        Returns:
            A function of gradients, shape (k, d), to scores, shape (k,), float64.
        """
        ...


def parts(gradients: Tensor, shapes: Shapes) -> list[Tensor]:
    """Return the gradients of each parameter, shapes (k, *shape)."""
    sizes = []
    for shape in shapes:
        size = 1
        for length in shape:
            size *= length
        sizes.append(size)
    import torch

    cut = torch.split(gradients, sizes, dim=1)
    return [part.reshape(len(part), *shape) for part, shape in zip(cut, shapes, strict=True)]
