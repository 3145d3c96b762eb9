"""The rule that always guesses: which of two directions is closer to the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.distinguishers._parts import alone, inner

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair


@dataclass(frozen=True, slots=True)
class CosineSimilarity:
    """Guess the gradient whose direction is closer to the report; always guesses.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 5 (Eq. 3 of the Japanese paper).
    """

    name: ClassVar[str] = "cosine"
    view: ClassVar[str] = "white"
    bound: ClassVar[str] = "pooled"
    access: ClassVar[str] = "the report and both gradients"
    law: ClassVar[bool] = True
    cautious: ClassVar[bool] = False

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is for one client; it means something against every attack."""
        return alone(clients)

    def sees_report(self, clients: int) -> bool:
        """Return true: it looks at the report itself."""
        return True

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return <report, u1 - u2> for reports of shape (n, d): >= 0 means the first gradient."""
        return inner(reports, pair.direction_difference)

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (..., n)."""
        return first - second
