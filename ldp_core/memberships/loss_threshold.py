"""The smaller the loss, the likelier a member."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ldp_core.memberships._parts import MODEL, Evidence, logits_of

if TYPE_CHECKING:
    from torch import Generator, Tensor


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
