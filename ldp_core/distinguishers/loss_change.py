"""The papers' black box against honest images: which loss changed more?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.distinguishers._parts import changes, objectives_of

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates


@dataclass(frozen=True, slots=True)
class LossChange:
    """Guess the gradient whose image's loss changed more, up or down.

    To first order the change depends on ``|<report, u>|``, whose law is the same under both gradients: this rule has
    almost no power, whatever epsilon.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 6.
    """

    name: ClassVar[str] = "loss-change"
    view: ClassVar[str] = "black"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = "the model before and after the round, and both images with their labels"
    law: ClassVar[bool] = False
    cautious: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is offered for two honest images only."""
        return "" if attack == "benign" else "compares the losses of two honest images, and this attack has only one"

    def sees_report(self, clients: int) -> bool:
        """Return false: it looks at the model only."""
        return False

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return |f1(after) - f1(before)| - |f2(after) - f2(before)|, shape (n,)."""
        first, second = changes(updates, pair, *objectives_of(pair))
        return first.abs() - second.abs()
