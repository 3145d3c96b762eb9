"""A black box that compares how far both losses fell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.distinguishers._parts import changes, objectives_of

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates


@dataclass(frozen=True, slots=True)
class SignedLoss:
    """Guess the gradient whose own function fell more, each change measured in units of its gradient's norm.

    Source: derived here: to first order it compares <update, u1> with <update, u2>, as the cosine does.
    """

    name: ClassVar[str] = "signed-loss"
    view: ClassVar[str] = "black"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = "the model before and after the round, both functions, and the lengths of both gradients"
    law: ClassVar[bool] = False
    cautious: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return "": it means something against every attack."""
        return ""

    def sees_report(self, clients: int) -> bool:
        """Return false: it looks at the model only."""
        return False

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return Df2 / ||grad f2|| - Df1 / ||grad f1||, shape (n,).

        The change of a function with zero gradient counts as the negative of the other's.
        """
        (first, second), geometry = objectives_of(pair), pair.geometry
        if geometry.norm_second == 0.0 or second.is_negative_of(first):
            (change,) = changes(updates, pair, first)
            return -2.0 / geometry.norm_first * change
        if geometry.norm_first == 0.0:
            (change,) = changes(updates, pair, second)
            return 2.0 / geometry.norm_second * change
        one, other = changes(updates, pair, first, second)
        return other / geometry.norm_second - one / geometry.norm_first
