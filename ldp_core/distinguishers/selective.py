"""The rule that answers "second" only where the likelihood ratio is largest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.distinguishers._parts import alone, inner

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair


@dataclass(frozen=True, slots=True)
class Selective:
    """Guess "second" only in the region with the largest likelihood ratio, else "first".

    A rule that answers only in {<z,u1> < 0, <z,u2> >= 0} tells the two gradients apart as sharply as epsilon allows,
    whatever the angle.

    Source: derived here (strongest rejection region of LDP-SGD).
    """

    name: ClassVar[str] = "selective"
    view: ClassVar[str] = "white"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = "the report and both gradients"
    law: ClassVar[bool] = True
    cautious: ClassVar[bool] = True

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is for one client; it means something against every attack."""
        return alone(clients)

    def sees_report(self, clients: int) -> bool:
        """Return true: it looks at the report itself."""
        return True

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return max(<report, u1>, -<report, u2>) for reports of shape (n, d): >= 0 means first."""
        first, second = inner(reports, pair.first_direction), inner(reports, pair.second_direction)
        return self.score_inner_products(first, second)

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (..., n)."""
        return first.maximum(-second)
