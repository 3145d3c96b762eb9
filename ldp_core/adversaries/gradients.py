"""Adversaries who send a gradient or its negative: an honest one, a long one by a crafted model, or a made-up one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.adversaries.images import drawn
from ldp_core.errors import HaltedError
from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator, Tensor
    from torch.nn import Module

    from ldp_core.private import ClientState

MAX_PASSES = 50


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
        from ldp_core.learning.gradients import client_gradient

        image, label = drawn(client, generator)
        gradient = client_gradient(client.model, image, label)
        description = "gradient and its negative"
        return _with_negative(gradient, Objective(image, label), description, client.model, (image, image))


@dataclass(frozen=True, slots=True)
class Collusion:
    """A gradient under a maliciously trained global model, and its negative.

    The server goes on training the global model on images of one label only, until the gradient of an image
    of another label is at least as long as the clipping norm.

    Source: Matsumoto et al., Japanese paper, section 5.4.4.
    """

    name: ClassVar[str] = "collusion"
    access: ClassVar[frozenset[str]] = frozenset({"gradient", "server"})
    needs_images: ClassVar[bool] = True
    paper_rule: ClassVar[str] = "loss-fall"
    style: ClassVar[tuple[str, str]] = ("#BB65DC", "triangle-up")

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw the malicious model's label and an image of another label; train for 1 to 50 passes.

        Raises ``ValueError`` if there are no such images, ``HaltedError`` if nobody wants the pair any more.
        """
        import torch

        from ldp_core.learning.gradients import client_gradient
        from ldp_core.learning.models import clone, optimizer_for, train_pass

        lone_label = int(torch.randint(client.num_classes, (1,), generator=generator))
        others = (client.labels != lone_label).nonzero().squeeze(1)
        lone = (client.server_labels == lone_label).nonzero().squeeze(1)
        if not len(others) or not len(lone):
            raise ValueError(
                "collusion must find images of the drawn label to train on and a held-out image of another label, "
                f"got {len(lone)} and {len(others)}"
            )
        index = int(others[torch.randint(len(others), (1,), generator=generator)])
        image, label = client.images[index], int(client.labels[index])
        model = clone(client.model)
        optimizer = optimizer_for(model)
        norm = 0.0
        for _ in range(MAX_PASSES):
            train_pass(model, optimizer, client.server_images, client.server_labels, generator, lone)
            gradient = client_gradient(model, image, label)
            norm = gradient.norm().item()
            if norm >= client.clip_norm:
                break
            if client.halted():
                raise HaltedError("a colluding server's model must be trained further, but nobody wants it any more")
        description = "gradient under a malicious model and its negative"
        if norm < client.clip_norm:
            description += f" (after {MAX_PASSES} passes its norm still fell short of the clipping norm)"
        return _with_negative(gradient, Objective(image, label), description, model, (image, image))


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
        description = "constant gradient and its negative"
        return _with_negative(gradient, Objective(slope=gradient), description, client.model)


def _with_negative(
    gradient: Tensor,
    objective: Objective,
    description: str,
    model: Module,
    images: tuple[Tensor, ...] = (),
) -> GradientPair:
    """Return a gradient of ``objective`` under ``model``, and its negative."""
    return GradientPair(gradient, -gradient, description, images, model, (objective, objective.negative()))
