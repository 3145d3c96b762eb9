"""Nobody cheats: two images of the client, each with its own label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator

    from ldp_core.private import ClientState


@dataclass(frozen=True, slots=True)
class Benign:
    """The gradients of two different images under the honest global model.

    Source: Matsumoto et al., Japanese paper, section 5.4.1.
    """

    name: ClassVar[str] = "benign"
    access: ClassVar[frozenset[str]] = frozenset()
    needs_images: ClassVar[bool] = True
    paper_rule: ClassVar[str] = "loss-change"
    style: ClassVar[tuple[str, str]] = ("#436E56", "circle")

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw two different images uniformly; their labels may coincide."""
        import torch

        from ldp_core.learning.gradients import client_gradient

        indices = torch.randperm(len(client.images), generator=generator)[:2]
        first, second = (Objective(client.images[index], int(client.labels[index])) for index in indices.tolist())
        assert first.image is not None
        assert second.image is not None
        return GradientPair(
            client_gradient(client.model, first.image, first.label),
            client_gradient(client.model, second.image, second.label),
            "gradients of two images",
            (first.image, second.image),
            client.model,
            (first, second),
        )
