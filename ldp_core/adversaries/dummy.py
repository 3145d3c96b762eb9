"""A made-up gradient and its negative: the worst case without any data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator

    from ldp_core.private import ClientState


@dataclass(frozen=True, slots=True)
class Dummy:
    """A constant vector and its negative, ``strength`` > 0 times as long as L; from 1 on norm projection loses nothing.

    Source: Matsumoto et al., Japanese paper, section 5.4.5: lambda = L / sqrt(d).
    """

    strength: float = 1.0

    name: ClassVar[str] = "dummy"
    access: ClassVar[frozenset[str]] = frozenset({"gradient"})
    needs_images: ClassVar[bool] = False
    paper_rule: ClassVar[str] = "sign-sum"
    style: ClassVar[tuple[str, str]] = ("#A79245", "star")

    def __post_init__(self) -> None:
        _validate.open_number("strength", self.strength, 0.0, math.inf)

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Fill a vector as long as the model's gradient; nothing is drawn."""
        import torch

        dimension = sum(parameter.numel() for parameter in client.model.parameters())
        gradient = torch.full((dimension,), self.strength * client.clip_norm / math.sqrt(dimension))
        objective = Objective(slope=gradient)
        return GradientPair(
            gradient,
            -gradient,
            "constant gradient and its negative",
            model=client.model,
            objectives=(objective, objective.negative()),
        )
