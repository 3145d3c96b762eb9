"""One image under the honest global model and under one that was moved backwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator

    from ldp_core.private import ClientState


@dataclass(frozen=True, slots=True)
class ParameterRetrogression:
    """The gradient of one image at the parameters theta, and at theta + strength * gradient, where its loss is higher.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, section 3.4.
    """

    strength: float = 1.0

    name: ClassVar[str] = "parameter-retrogression"
    access: ClassVar[frozenset[str]] = frozenset({"parameters"})
    needs_images: ClassVar[bool] = True
    paper_rule: ClassVar[str] = "loss-fall"
    style: ClassVar[tuple[str, str]] = ("#3C50F5", "triangle-down")

    def __post_init__(self) -> None:
        _validate.number("strength", self.strength, 0.0, 1e3)

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw the image; take its gradient at both models."""
        import torch

        from ldp_core.learning.gradients import client_gradient
        from ldp_core.learning.models import shifted

        index = int(torch.randperm(len(client.images), generator=generator)[0])
        image, label = client.images[index], int(client.labels[index])
        first = client_gradient(client.model, image, label)
        offset = self.strength * first
        return GradientPair(
            first,
            client_gradient(shifted(client.model, offset), image, label),
            "gradients of one image under the global model and under one moved backwards",
            (image, image),
            client.model,
            (Objective(image, label), Objective(image, label, offset=offset)),
        )
