"""A class's picture from the trained model alone, without any update."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ldp_core.reconstructions._parts import MODEL, PUBLIC, Effort, Knowledge, Reconstruction

if TYPE_CHECKING:
    from torch import Tensor

RATE, STEPS = 1e-2, 600


class ModelInversion(Reconstruction):
    """Moves the mean picture until the model is sure of a class: Adam, 600 steps of 1e-2.

    It says something of a class, nothing of one client's picture; it is judged by the class's mean picture.

    Source: Fredrikson et al. 2015, "Model Inversion Attacks that Exploit Confidence Information", with Adam.
    """

    name: ClassVar[str] = "model-inversion"
    knows: ClassVar[tuple[str, ...]] = (MODEL, PUBLIC)
    sees: ClassVar[str] = "model"

    def values(self, effort: Effort) -> float:
        """Return about as how many random values one picture counts."""
        return 5e5 * effort.steps

    def pictures(self, knowledge: Knowledge, steps: int = STEPS) -> Tensor:
        """Return a picture of each class, shape (classes, channels, size, size), in [0, 1]."""
        import torch
        from torch.nn.functional import cross_entropy

        from ldp_core.learning.models import Adam

        labels = torch.arange(knowledge.num_classes)
        pictures = knowledge.images.mean(dim=0).repeat(len(labels), 1, 1, 1).requires_grad_()
        optimizer = Adam([pictures], RATE)
        for _ in range(steps):
            loss = cross_entropy(knowledge.model(pictures), labels, reduction="sum")
            (pictures.grad,) = torch.autograd.grad(loss, [pictures])
            optimizer.step()
            with torch.no_grad():
                pictures.clamp_(0.0, 1.0)
        return pictures.detach()
