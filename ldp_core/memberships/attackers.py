"""Attackers on membership: by the loss, by itself or beside other models', and by four inputs at once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from ldp_core.memberships._parts import MODEL, PART, SHADOWS, Evidence, log_odds, logits_of

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.models import ThreeLayerCnn

_WIDTH = 64
_PASSES, _BATCH, _RATE = 40, 64, 1e-3


class FourInputs:
    """Ranked posteriors, loss, gradient of the last layer and label, each embedded; an MLP of four layers joins them.

    The attacker knows part of the training pictures and as many others; widths, passes and the standardization of
    the inputs are ours, because the paper names none.

    Source: the paper named at ``statistics.information.capacity``, Sect. 6.1 (white-box attack with four inputs and
        partial knowledge), after Liu et al. 2022, arXiv:2102.02551.
    """

    name: ClassVar[str] = "four-inputs"
    knows: ClassVar[tuple[str, ...]] = (MODEL, PART)

    def scores(self, evidence: Evidence, generator: Generator) -> Tensor:
        """Train the attacker's network on what is known, and ask it; see ``Membership.scores``."""
        import torch
        from torch.nn.functional import binary_cross_entropy_with_logits

        from ldp_core.learning.models import Adam

        inside = evidence.known_inside
        if not bool(inside.any()) or bool(inside.all()):
            raise ValueError(
                "known pictures must be some that were trained on and some that were not, got only one kind"
            )
        learned = inputs_of(evidence.model, evidence.known_images, evidence.known_labels)
        queried = inputs_of(evidence.model, evidence.images, evidence.labels)
        scales = [(part.mean(dim=0), part.std(dim=0).clamp_min(1e-6)) for part in learned]
        learned, queried = (
            [((part - mean) / spread).clamp(-10.0, 10.0) for part, (mean, spread) in zip(parts, scales, strict=True)]
            for parts in (learned, queried)
        )
        network = _Network([part.shape[1] for part in learned], generator)
        optimizer = Adam(network.parameters(), _RATE)
        truth = inside.float()
        with torch.enable_grad():
            for _ in range(_PASSES):
                for places in torch.split(torch.randperm(len(truth), generator=generator), _BATCH):
                    optimizer.zero_grad()
                    logits = network([part[places] for part in learned])
                    binary_cross_entropy_with_logits(logits, truth[places]).backward()  # type: ignore[no-untyped-call]
                    optimizer.step()
        with torch.no_grad():
            return network(queried).double()


def inputs_of(model: ThreeLayerCnn, images: Tensor, labels: Tensor) -> list[Tensor]:
    """Return the four inputs of each picture: posteriors from large to small, loss, gradient of the last layer, label.

    Float32, shapes (n, classes), (n, 1), (n, parameters of the last layer) and (n, classes).
    """
    import torch
    from torch.nn.functional import cross_entropy, one_hot

    logits = logits_of(model, images)
    posteriors = logits.softmax(dim=1)
    labelled = one_hot(labels, logits.shape[1]).double()
    with torch.no_grad():
        hidden = torch.cat([model.layers[:-1](some) for some in torch.split(images, 1_000)]).double()
    slopes = posteriors - labelled
    gradients = torch.cat(((slopes.unsqueeze(2) * hidden.unsqueeze(1)).flatten(1), slopes), dim=1)
    losses = cross_entropy(logits, labels, reduction="none").unsqueeze(1)
    ranked = posteriors.sort(dim=1, descending=True).values
    return [part.float() for part in (ranked, losses, gradients, labelled)]


class _Network:
    """One embedding for each input, then four layers."""

    def __init__(self, sizes: list[int], generator: Generator) -> None:
        joined = [len(sizes) * _WIDTH, 128, 64, 32, 1]
        self.embeddings = [_layer(size, _WIDTH, generator) for size in sizes]
        self.layers = [_layer(before, after, generator) for before, after in pairwise(joined)]

    def parameters(self) -> list[Tensor]:
        return [values for layer in (*self.embeddings, *self.layers) for values in layer]

    def __call__(self, inputs: list[Tensor]) -> Tensor:
        import torch

        parts = [(part @ weight + bias).relu() for part, (weight, bias) in zip(inputs, self.embeddings, strict=True)]
        values = torch.cat(parts, dim=1)
        for weight, bias in self.layers[:-1]:
            values = (values @ weight + bias).relu()
        weight, bias = self.layers[-1]
        return (values @ weight + bias).squeeze(1)


def _layer(before: int, after: int, generator: Generator) -> tuple[Tensor, Tensor]:
    import torch

    limit = before**-0.5
    weight = torch.empty(before, after).uniform_(-limit, limit, generator=generator)
    return weight.requires_grad_(), torch.zeros(after).requires_grad_()


_LEAST = 1e-6


class LossThreshold:
    """Minus the cross-entropy loss of a picture under the trained model.

    Source: Yeom et al. 2018, arXiv:1709.01604, Adversary 2.
    """

    name: ClassVar[str] = "loss-threshold"
    knows: ClassVar[tuple[str, ...]] = (MODEL,)

    def scores(self, evidence: Evidence, generator: Generator) -> Tensor:
        """Return minus the losses; see ``Membership.scores``."""
        from torch.nn.functional import cross_entropy

        losses: Tensor = cross_entropy(logits_of(evidence.model, evidence.images), evidence.labels, reduction="none")
        return -losses


class LikelihoodRatio:
    """Log ratio of two Gaussian densities of log(p / (1 - p)), p the probability of the true label.

    Each picture has its own two means, over the shadow models that were trained on it and over the others; the two
    variances are of all pictures, which is better with few shadow models.

    Source: Carlini et al. 2022, arXiv:2112.03570, Algorithm 1 with the global variance of Sect. VI-A.
    """

    name: ClassVar[str] = "likelihood-ratio"
    knows: ClassVar[tuple[str, ...]] = (MODEL, SHADOWS)

    def scores(self, evidence: Evidence, generator: Generator) -> Tensor:
        """Return the log likelihood ratios; see ``Membership.scores``."""
        import torch

        inside = evidence.inside
        if not evidence.shadows or not bool(inside.any(dim=0).all()) or bool(inside.all(dim=0).any()):
            raise ValueError("shadows must hold a model with and one without each picture, got too few")
        target_odds = log_odds(logits_of(evidence.model, evidence.images), evidence.labels)
        others = [log_odds(logits_of(shadow, evidence.images), evidence.labels) for shadow in evidence.shadows]
        return ratios(target_odds, torch.stack(others), inside)


def ratios(target_odds: Tensor, shadows: Tensor, inside: Tensor) -> Tensor:
    """Return log likelihood ratios of s pictures, shape (s,), from log odds under the attacked model and the shadows.

    ``inside``, shape (shadows, s), says whether a shadow was trained on a picture: each picture must have both ways.
    """
    densities = []
    for side in (inside.double(), 1.0 - inside.double()):
        count = side.sum(dim=0)
        mean = (side * shadows).sum(dim=0) / count
        freedom = (count - 1.0).sum().clamp_min(1.0)
        variance = ((side * (shadows - mean).square()).sum() / freedom).clamp_min(_LEAST)
        densities.append(-0.5 * ((target_odds - mean).square() / variance + variance.log()))
    return densities[0] - densities[1]
