"""What attackers on membership have in common: what they see, what they know, and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.models import ThreeLayerCnn

MODEL, PART, SHADOWS = "model", "part of the training pictures", "how models are trained"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Evidence:
    """The trained model, the pictures in question, and what an attacker knows beside them.

    Args:
        model: that was trained.
        images: pictures in question, shape (s, channels, size, size), in [0, 1].
        labels: their classes, shape (s,).
        known_images: pictures of which the attacker knows whether they were trained on, shape (k, ...); none of them
            is in question.
        known_labels: shape (k,).
        known_inside: whether they were, bool, shape (k,).
        shadows: models that the attacker trained in the same way.
        inside: whether a shadow was trained on a picture in question, bool, shape (shadows, s).
    """

    model: ThreeLayerCnn
    images: Tensor
    labels: Tensor
    known_images: Tensor
    known_labels: Tensor
    known_inside: Tensor
    shadows: tuple[ThreeLayerCnn, ...]
    inside: Tensor


class Membership(Protocol):
    """An attacker on membership."""

    name: ClassVar[str]
    knows: ClassVar[tuple[str, ...]]
    """What it must know beside the pictures in question: of ``MODEL``, ``PART``, ``SHADOWS``."""

    def scores(self, evidence: Evidence, generator: Generator) -> Tensor:
        """Return a number for each picture in question, shape (s,), float64: the higher, the likelier a member.

        Raises ``ValueError`` if the attacker lacks what it must know. The generator is on the CPU.
        """
        ...


def logits_of(model: ThreeLayerCnn, images: Tensor) -> Tensor:
    """Return a model's logits of pictures, shape (n, classes), float64."""
    import torch

    with torch.no_grad():
        return torch.cat([model(some) for some in torch.split(images, 1_000)]).double()


def log_odds(logits: Tensor, labels: Tensor) -> Tensor:
    """Return log(p / (1 - p)) of true labels from logits (n, classes), shape (n,): exact also where p rounds to 1."""
    import torch

    true = logits.gather(1, labels.unsqueeze(1)).squeeze(1)
    others = logits.scatter(1, labels.unsqueeze(1), -torch.inf)
    return true - others.logsumexp(dim=1)
