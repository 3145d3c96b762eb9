"""Adversaries who take images as they are, change them or their labels, or ask another model about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator, Tensor

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

        indices = torch.randperm(len(client.images), generator=generator)[:2]
        images = [(client.images[index], int(client.labels[index])) for index in indices.tolist()]
        return _pair(client, images[0], images[1], "gradients of two images")


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
        from ldp_core.learning.gradients import image_gradient

        image, label = drawn(client, generator)
        step = self.strength * image_gradient(client.model, image, label).sign()
        perturbed = (image + step).clamp_(0.0, 1.0)
        description = "gradients of one image and of its perturbation"
        return _pair(client, (image, label), (perturbed, label), description)


@dataclass(frozen=True, slots=True)
class LabelFlip:
    """The gradients of one image under its own label and under a wrong one.

    The wrong label is the ``likeliest`` by the model, which needs no access to gradients, or ``random``, drawn
    uniformly. The papers do not say which they gave.

    Source: Matsumoto et al., Japanese paper, section 5.4.2; the black-box rule is Eq. 4 of Matsumoto et al.
        2022, arXiv:2206.09122, whose Table 1 lacks this attack.
    """

    name: ClassVar[str] = "label-flip"
    access: ClassVar[frozenset[str]] = frozenset({"labels"})
    needs_images: ClassVar[bool] = True
    paper_rule: ClassVar[str] = "loss-fall"
    style: ClassVar[tuple[str, str]] = ("#4F9EB6", "square")

    wrong_label: str = "likeliest"

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Draw the image, then take the wrong label among the other classes."""
        import torch

        image, label = drawn(client, generator)
        shift = int(torch.randint(1, client.num_classes, (1,), generator=generator))
        wrong = (label + shift) % client.num_classes
        if self.wrong_label == "likeliest":
            with torch.no_grad():
                scores = client.model(image.unsqueeze(0))[0]
            scores[label] = -torch.inf
            wrong = int(scores.argmax())
        description = "gradients of one image with its own label and with a wrong label"
        return _pair(client, (image, label), (image, wrong), description)


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
        from ldp_core.learning.gradients import client_gradient
        from ldp_core.learning.models import shifted

        image, label = drawn(client, generator)
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


def drawn(client: ClientState, generator: Generator) -> tuple[Tensor, int]:
    """Draw one of the client's images uniformly; return it with its label."""
    import torch

    index = int(torch.randperm(len(client.images), generator=generator)[0])
    return client.images[index], int(client.labels[index])


def _pair(
    client: ClientState, first_example: tuple[Tensor, int], second_example: tuple[Tensor, int], description: str
) -> GradientPair:
    """Return the gradients of two images, each with its label."""
    from ldp_core.learning.gradients import client_gradient

    first, second = (client_gradient(client.model, *example) for example in (first_example, second_example))
    objectives = Objective(*first_example), Objective(*second_example)
    return GradientPair(first, second, description, (first_example[0], second_example[0]), client.model, objectives)
