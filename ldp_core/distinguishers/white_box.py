"""Distinguishers that see the report itself and know both gradients.

Importing this module loads no torch, so that a page may ask a distinguisher for its bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.types import GradientPair


@dataclass(frozen=True, slots=True)
class CosineSimilarity:
    """Guess the gradient whose direction is closer to the report; always guesses.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Eq. 5 (Eq. 3 of the Japanese paper).
    """

    name: ClassVar[str] = "cosine"
    view: ClassVar[str] = "white-box"
    bound: ClassVar[str] = "pooled"

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return <report, u1 - u2> for reports of shape (n, d): >= 0 means the first gradient."""
        return reports @ pair.direction_difference

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (n,)."""
        return first - second


@dataclass(frozen=True, slots=True)
class Selective:
    """Guess "second" only where the report leaves no better doubt, else "first".

    The region {<z,u1> < 0, <z,u2> >= 0} has the largest likelihood ratio of all; an adversary who speaks
    only there tells the two gradients apart as sharply as epsilon allows, whatever the angle.

    Source: derived here (strongest rejection region of LDP-SGD).
    """

    name: ClassVar[str] = "selective"
    view: ClassVar[str] = "white-box"
    bound: ClassVar[str] = "clopper_pearson"

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return max(<report, u1>, -<report, u2>) for reports of shape (n, d): >= 0 means first."""
        return self.score_inner_products(reports @ pair.first_direction, reports @ pair.second_direction)

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (n,)."""
        return first.maximum(-second)
