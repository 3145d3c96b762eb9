"""The gradient is longer than own ones.

A length above the clipping norm is no sign: 38 to 80 % of honest gradients are longer than 1. So the threshold is the
client's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ldp_core.detectors._kinds import Shapes

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class Norm:
    """Score: L2 norm."""

    name: ClassVar[str] = "norm"
    looks_at: ClassVar[str] = "gradient"

    def fit(self, own: Tensor, shapes: Shapes) -> Callable[[Tensor], Tensor]:
        """Return the norm; nothing is learned."""
        return lambda gradients: gradients.double().norm(dim=1)
