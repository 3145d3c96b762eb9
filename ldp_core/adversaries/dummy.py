"""A made-up gradient and its negative: the worst case without any data."""

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Generator

from ldp_core.types import ClientState, GradientPair


@dataclass(frozen=True, slots=True)
class Dummy:
    """The constant vector whose norm is the clipping norm L, and its negative.

    Source: Matsumoto et al., Japanese paper, section 5.4.5: lambda = L / sqrt(d).
    """

    name: ClassVar[str] = "dummy"
    access: ClassVar[frozenset[str]] = frozenset({"gradient"})

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Fill a vector as long as the model's gradient; nothing is drawn."""
        dimension = sum(parameter.numel() for parameter in client.model.parameters())
        gradient = torch.full((dimension,), client.clip_norm / math.sqrt(dimension))
        return GradientPair(gradient, -gradient, "constant gradient and its negative")
