"""A gradient and its negative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator

    from ldp_core.private import ClientState


@dataclass(frozen=True, slots=True)
class GradientFlip:
    """The gradient of one image under the honest global model, and its negative.

    Source: Matsumoto et al., Japanese paper, section 5.4.3.
    """

    name: ClassVar[str] = "gradient-flip"
    access: ClassVar[frozenset[str]] = frozenset({"gradient"})
    needs_images: ClassVar[bool] = True
    paper_rule: ClassVar[str] = "loss-fall"
    style: ClassVar[tuple[str, str]] = ("#8D572D", "diamond")

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw the image; negate its gradient."""
        import torch

        from ldp_core.learning.gradients import client_gradient

        index = int(torch.randperm(len(client.images), generator=generator)[0])
        image, label = client.images[index], int(client.labels[index])
        gradient = client_gradient(client.model, image, label)
        objective = Objective(image, label)
        return GradientPair(
            gradient,
            -gradient,
            "gradient and its negative",
            (image, image),
            client.model,
            (objective, objective.negative()),
        )
