"""A black box that computes the sum of a round's reports back, nearly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.distinguishers._parts import inverted

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates


@dataclass(frozen=True, slots=True)
class SumInversion:
    """Compute the sum of a round's reports back, nearly, then guess as the cosine distinguisher does.

    The sum of n nearly orthogonal vectors of length 1 is about sqrt(n) long, so that the step is about as long as one
    report's; with that for its length, the update is inverted as for one client. What shields is then the other
    clients' noise alone (see ``theory.crowd_identification``).

    Source: derived here.
    """

    name: ClassVar[str] = "sum-inversion"
    view: ClassVar[str] = "black"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = (
        "the model before and after the round, the server's step length and ball, and both gradients"
    )
    law: ClassVar[bool] = True
    cautious: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return "": it means something against every attack; for one client it is update inversion."""
        return ""

    def sees_report(self, clients: int) -> bool:
        """Return whether it can compute the one report back: in a round with one client."""
        return clients == 1

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return about <sum of reports, u1 - u2> / sqrt(n), shape (n,)."""
        return inverted(updates, pair)
