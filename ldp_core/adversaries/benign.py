"""Nobody cheats: two images of the client, each with its own label."""

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Generator

from ldp_core.gradients import client_gradient
from ldp_core.types import ClientState, GradientPair


@dataclass(frozen=True, slots=True)
class Benign:
    """The gradients of two different images under the honest global model.

    Source: Matsumoto et al., Japanese paper, section 5.4.1.
    """

    name: ClassVar[str] = "benign"
    access: ClassVar[frozenset[str]] = frozenset()

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw two different images uniformly; their labels may coincide."""
        first, second = torch.randperm(len(client.images), generator=generator)[:2].tolist()
        return GradientPair(
            client_gradient(client.model, client.images[first], client.labels[first]),
            client_gradient(client.model, client.images[second], client.labels[second]),
            "gradients of two images",
            (client.images[first], client.images[second]),
        )
