"""Distinguishers that see the report itself and know both gradients.

Importing this module loads no torch, so that a page may ask a distinguisher for its bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair

_DOUBTFUL = 5e-7
"""Inner products of unit vectors below it are computed again in float64; float32 errs by some 1e-8."""


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

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is for one client; it means something against every attack."""
        return _alone(clients)

    def sees_report(self, clients: int) -> bool:
        """Return true: it looks at the report itself."""
        return True

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return <report, u1 - u2> for reports of shape (n, d): >= 0 means the first gradient."""
        return _inner(reports, pair.direction_difference)

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (..., n)."""
        return first - second


@dataclass(frozen=True, slots=True)
class Selective:
    """Guess "second" only where the report leaves no better doubt, else "first".

    The region {<z,u1> < 0, <z,u2> >= 0} has the largest likelihood ratio of all; an adversary who speaks
    only there tells the two gradients apart as sharply as epsilon allows, whatever the angle.

    Source: derived here (strongest rejection region of LDP-SGD).
    """

    name: ClassVar[str] = "selective"
    view: ClassVar[str] = "white"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = "the report and both gradients"
    law: ClassVar[bool] = True

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is for one client; it means something against every attack."""
        return _alone(clients)

    def sees_report(self, clients: int) -> bool:
        """Return true: it looks at the report itself."""
        return True

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Return max(<report, u1>, -<report, u2>) for reports of shape (n, d): >= 0 means first."""
        first, second = _inner(reports, pair.first_direction), _inner(reports, pair.second_direction)
        return self.score_inner_products(first, second)

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Return the score from the inner products with u1 and u2, each of shape (..., n)."""
        return first.maximum(-second)


def _alone(clients: int) -> str:
    return "" if clients == 1 else "looks at one report, so other clients change nothing"


def _inner(reports: Tensor, direction: Tensor) -> Tensor:
    """Return the inner products, with the right sign also where float32 cannot tell it."""
    values = reports @ direction
    if len(values) and abs(values.cpu().numpy()).min() < _DOUBTFUL:
        close = values.abs() < _DOUBTFUL
        values[close] = (reports[close].double() @ direction.double()).to(values.dtype)
    return values
