"""Rules that look at one report, and at nothing but its inner products with two directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.randomness.blocks import in_doubt

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair

_DOUBTFUL = 5e-7
"""Inner products of unit vectors below it are computed again in float64; float32 errs by some 1e-8."""


class _OfOneReport:
    """What both state alike."""

    view: ClassVar[str] = "white"
    access: ClassVar[str] = "the report and both gradients"
    law: ClassVar[bool] = True

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is for one client; it means something against every attack."""
        return "" if clients == 1 else "looks at one report, so other clients change nothing"

    def sees_report(self, clients: int) -> bool:
        """Return true: it looks at the report itself."""
        return True


@dataclass(frozen=True, slots=True)
class CosineSimilarity(_OfOneReport):
    """Guess the gradient whose direction is closer to the report; always guesses.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 5 (Eq. 3 of the Japanese paper).
    """

    name: ClassVar[str] = "cosine"
    bound: ClassVar[str] = "pooled"
    abstains: ClassVar[bool] = False

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return <report, u1 - u2> for reports of shape (n, d): >= 0 means the first gradient."""
        return _inner(reports, pair.direction_difference)

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (..., n)."""
        return first - second


@dataclass(frozen=True, slots=True)
class Selective(_OfOneReport):
    """Guess "second" only in the region with the largest likelihood ratio, else "first".

    A rule that answers only in {<z,u1> < 0, <z,u2> >= 0} tells the two gradients apart as sharply as epsilon allows,
    whatever the angle.

    Source: derived here (strongest rejection region of LDP-SGD).
    """

    name: ClassVar[str] = "selective"
    bound: ClassVar[str] = "clopper_pearson"
    abstains: ClassVar[bool] = True

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return max(<report, u1>, -<report, u2>) for reports of shape (n, d): >= 0 means first."""
        first, second = _inner(reports, pair.first_direction), _inner(reports, pair.second_direction)
        return self.score_inner_products(first, second)

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (..., n)."""
        return first.maximum(-second)


def _inner(reports: Tensor, direction: Tensor) -> Tensor:
    """Return the inner products, with the right sign also where float32 cannot tell it."""
    values = reports @ direction
    close = in_doubt(values, _DOUBTFUL)
    if len(close):
        values[close] = (reports[close].double() @ direction.double()).to(values.dtype)
    return values
