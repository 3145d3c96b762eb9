"""The papers' black box: did the model get better at the first image?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.distinguishers._parts import changes, objectives_of

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates


@dataclass(frozen=True, slots=True)
class LossFall:
    """Guess the first gradient if its function's value fell.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 4, with the first gradient's function for f(x1).
    """

    name: ClassVar[str] = "loss-fall"
    view: ClassVar[str] = "black"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = "the model before and after the round, and the first image with its label (or the dummy)"
    law: ClassVar[bool] = False
    cautious: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return "": it means something against every attack."""
        return ""

    def sees_report(self, clients: int) -> bool:
        """Return false: it looks at the model only."""
        return False

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return f1(before) - f1(after), shape (n,)."""
        (change,) = changes(updates, pair, objectives_of(pair)[0])
        return -change
