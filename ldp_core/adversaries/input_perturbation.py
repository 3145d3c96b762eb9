"""One image, as it is and as the fast gradient sign method perturbs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator

    from ldp_core.private import ClientState


@dataclass(frozen=True, slots=True)
class InputPerturbation:
    """The gradients of one image and of the image moved so that its loss grows, under one label.

    The second image is ``clip(image + strength * sign(gradient of the loss by the image))``, within [0, 1]. The papers
    take the strength 1, which turns most grey values into black or white.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, section 3.4, after Goodfellow et al. 2014; the clipping to
        [0, 1] is ours, so that the perturbed image is one.
    """

    strength: float = 1.0

    name: ClassVar[str] = "input-perturbation"
    access: ClassVar[frozenset[str]] = frozenset({"images"})
    needs_images: ClassVar[bool] = True
    paper_rule: ClassVar[str] = "loss-fall"
    style: ClassVar[tuple[str, str]] = ("#FC0C77", "pentagon")

    def __post_init__(self) -> None:
        _validate.number("strength", self.strength, 0.0, 1e3)

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw the image; perturb it."""
        import torch

        from ldp_core.learning.gradients import client_gradient, image_gradient

        index = int(torch.randperm(len(client.images), generator=generator)[0])
        image, label = client.images[index], int(client.labels[index])
        step = self.strength * image_gradient(client.model, image, label).sign()
        perturbed = (image + step).clamp_(0.0, 1.0)
        return GradientPair(
            client_gradient(client.model, image, label),
            client_gradient(client.model, perturbed, label),
            "gradients of one image and of its perturbation",
            (image, perturbed),
            client.model,
            (Objective(image, label), Objective(perturbed, label)),
        )
