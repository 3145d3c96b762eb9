"""Attackers who know that the client looks at models and gradients, and stay within what honest ones look like.

Source: derived here.
"""

from collections.abc import Sequence
from typing import ClassVar

import torch
from torch import Generator, Tensor
from torch.nn.functional import cosine_similarity, cross_entropy, log_softmax

from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import Adam, clone, optimizer_for
from ldp_core.private import ClientState, GradientPair, Objective


class BorderImage:
    """One image on the border of two labels, sent with one label or the other.

    Where p_a = p_b = 1/2 the output gradients p - e_a and p - e_b are opposite, and so are the whole gradients: each is
    that of one image with one label. Needs access to the client's data only.
    """

    name: ClassVar[str] = "border-image"
    steps: ClassVar[int] = 150
    rate: ClassVar[float] = 0.02

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Move an own image until the model gives its label and the next likely one half each."""
        index = int(torch.randint(len(client.images), (1,), generator=generator))
        image = client.images[index].detach().clone()
        with torch.no_grad():
            first, second = client.model(image.unsqueeze(0))[0].topk(2).indices.tolist()
        target = torch.zeros(1, client.num_classes)
        target[0, [first, second]] = 0.5
        varied = image.clone().requires_grad_()
        optimizer = Adam([varied], self.rate)
        for _ in range(self.steps):
            optimizer.zero_grad()
            loss = -(target * log_softmax(client.model(varied.unsqueeze(0)), dim=1)).sum()
            (varied.grad,) = torch.autograd.grad(loss, [varied])
            optimizer.step()
            with torch.no_grad():
                varied.clamp_(0.0, 1.0)
        border = varied.detach()
        return GradientPair(
            client_gradient(client.model, border, first),
            client_gradient(client.model, border, second),
            "one image on the border of two labels, with either label",
            (border, border),
            client.model,
            (Objective(border, first), Objective(border, second)),
        )


class PlantedBorder:
    """A malicious server plants the border: honest gradients of two of the client's images become opposite.

    The server trains on cross-entropy, so that the model stays good, plus a multiple of the cosine of the gradients of
    two images that it guesses the client to hold. The client is honest.
    """

    name: ClassVar[str] = "planted-border"
    steps: ClassVar[int] = 150
    weight: ClassVar[float] = 4.0
    batch: ClassVar[int] = 64

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Train the server's model for 150 steps and take the two honest gradients."""
        model = clone(client.model)
        parameters, optimizer = list(model.parameters()), optimizer_for(model)
        pick = torch.randperm(len(client.images), generator=generator)[:2]
        images, labels = client.images[pick], client.labels[pick]
        for _ in range(self.steps):
            chosen = torch.randint(len(client.server_images), (self.batch,), generator=generator)
            usual = cross_entropy(model(client.server_images[chosen]), client.server_labels[chosen])
            flat = [self._gradient(model, images[k : k + 1], labels[k : k + 1], parameters) for k in (0, 1)]
            loss = usual + self.weight * cosine_similarity(flat[0], flat[1], dim=0)
            optimizer.zero_grad()
            for values, slope in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                values.grad = slope
            optimizer.step()
        return GradientPair(
            client_gradient(model, images[0], labels[0]),
            client_gradient(model, images[1], labels[1]),
            "honest gradients of two images under a model with a border planted between them",
            (images[0], images[1]),
            model,
            (Objective(images[0], int(labels[0])), Objective(images[1], int(labels[1]))),
        )

    def _gradient(self, model: torch.nn.Module, image: Tensor, label: Tensor, parameters: Sequence[Tensor]) -> Tensor:
        """Return a gradient that can be differentiated again."""
        parts = torch.autograd.grad(cross_entropy(model(image), label), parameters, create_graph=True)
        return torch.cat([part.reshape(-1) for part in parts])


ADAPTIVE_ATTACKS: dict[str, BorderImage | PlantedBorder] = {
    attack.name: attack for attack in (BorderImage(), PlantedBorder())
}
