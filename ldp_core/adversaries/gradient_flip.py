"""A gradient and its negative."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Generator

from ldp_core.gradients import client_gradient
from ldp_core.private import ClientState, GradientPair, Objective


@dataclass(frozen=True, slots=True)
class GradientFlip:
    """The gradient of one image under the honest global model, and its negative.

    Source: Matsumoto et al., Japanese paper, section 5.4.3.
    """

    name: ClassVar[str] = "gradient-flip"
    access: ClassVar[frozenset[str]] = frozenset({"gradient"})

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw the image; negate its gradient."""
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
