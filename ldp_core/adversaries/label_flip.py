"""One image, once with its own label and once with a wrong one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.private import GradientPair, Objective

if TYPE_CHECKING:
    from torch import Generator

    from ldp_core.private import ClientState


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

        from ldp_core.learning.gradients import client_gradient

        index = int(torch.randperm(len(client.images), generator=generator)[0])
        image, label = client.images[index], int(client.labels[index])
        shift = int(torch.randint(1, client.num_classes, (1,), generator=generator))
        wrong = (label + shift) % client.num_classes
        if self.wrong_label == "likeliest":
            with torch.no_grad():
                scores = client.model(image.unsqueeze(0))[0]
            scores[label] = -torch.inf
            wrong = int(scores.argmax())
        return GradientPair(
            client_gradient(client.model, image, label),
            client_gradient(client.model, image, wrong),
            "gradients of one image with its own label and with a wrong label",
            (image, image),
            client.model,
            (Objective(image, label), Objective(image, wrong)),
        )
