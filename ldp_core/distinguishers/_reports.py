"""What rules that see the report share. Importing it loads no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldp_core.randomness.blocks import in_doubt

if TYPE_CHECKING:
    from torch import Tensor

_DOUBTFUL = 5e-7
"""Inner products of unit vectors below it are computed again in float64; float32 errs by some 1e-8."""


def alone(clients: int) -> str:
    """Return why a rule that looks at one report is for a round with one client."""
    return "" if clients == 1 else "looks at one report, so other clients change nothing"


def inner(reports: Tensor, direction: Tensor) -> Tensor:
    """Return the inner products, with the right sign also where float32 cannot tell it."""
    values = reports @ direction
    close = in_doubt(values, _DOUBTFUL)
    if len(close):
        values[close] = (reports[close].double() @ direction.double()).to(values.dtype)
    return values
