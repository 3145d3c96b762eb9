"""A black box that computes one report back from the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.distinguishers._parts import inverted

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates


@dataclass(frozen=True, slots=True)
class UpdateInversion:
    """Compute the report back from the model before and after, then guess as the cosine distinguisher does.

    Source: derived here.
    """

    name: ClassVar[str] = "update-inversion"
    view: ClassVar[str] = "black"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = (
        "the model before and after the round, the server's step length and ball, and both gradients"
    )
    law: ClassVar[bool] = True
    cautious: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return why it needs a round with one client."""
        return "" if clients == 1 else "can compute one report back, not a sum of several"

    def sees_report(self, clients: int) -> bool:
        """Return whether it can compute the one report back: in a round with one client."""
        return clients == 1

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return <report, u1 - u2>, shape (n,)."""
        return inverted(updates, pair)
