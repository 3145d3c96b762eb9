"""Attackers who look at the loss: by itself, and beside that of models that were trained on the picture or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ldp_core.memberships._parts import MODEL, SHADOWS, Evidence, log_odds, logits_of

if TYPE_CHECKING:
    from torch import Generator, Tensor

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
        own = log_odds(logits_of(evidence.model, evidence.images), evidence.labels)
        others = [log_odds(logits_of(shadow, evidence.images), evidence.labels) for shadow in evidence.shadows]
        return ratios(own, torch.stack(others), inside)


def ratios(own: Tensor, shadows: Tensor, inside: Tensor) -> Tensor:
    """Return log likelihood ratios of s pictures, shape (s,), from log odds under the attacked model and the shadows.

    ``inside``, shape (shadows, s), says whether a shadow was trained on a picture: each picture must have both ways.
    """
    densities = []
    for side in (inside.double(), 1.0 - inside.double()):
        count = side.sum(dim=0)
        mean = (side * shadows).sum(dim=0) / count
        freedom = (count - 1.0).sum().clamp_min(1.0)
        variance = ((side * (shadows - mean).square()).sum() / freedom).clamp_min(_LEAST)
        densities.append(-0.5 * ((own - mean).square() / variance + variance.log()))
    return densities[0] - densities[1]
