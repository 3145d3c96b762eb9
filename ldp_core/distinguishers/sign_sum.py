"""The papers' black box against the dummy: did more parameters fall than rise?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair, ModelUpdates


@dataclass(frozen=True, slots=True)
class SignSum:
    """Guess the first gradient, whose values are all positive, if more parameters fell than rose.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 7, whose sign is corrected: the server subtracts.
    """

    name: ClassVar[str] = "sign-sum"
    view: ClassVar[str] = "black"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = "the model before and after the round"
    law: ClassVar[bool] = False
    cautious: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is offered for the dummy only."""
        return "" if attack == "dummy" else "counts signs, which says something about a constant dummy gradient only"

    def sees_report(self, clients: int) -> bool:
        """Return false: it looks at the model only."""
        return False

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Return the sum of sgn(before - after) over the parameters, shape (n,)."""
        return (updates.before - updates.after).sign_().sum(dim=1)
