"""What the laws of a sum of reports share: whose sum it is, and the epsilon that follows from delta."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.statistics.amplification import DELTA_RANGE
from ldp_core.types import EPSILON_RANGE


@dataclass(frozen=True, slots=True)
class SumLaw:
    """The law of a sum of n reports, one of the tested client's, about a pair at an angle in degrees.

    ``first`` and ``second`` are q of the tested client, see ``views.own_side``, when it sends the first or the second
    gradient; ``others`` is the mean q of the others towards the first one, 1/2 where they are uniform.
    """

    precision: ClassVar[float]
    """How near ``epsilon`` comes."""

    first: float
    second: float
    angle_degrees: float
    others: float
    clients: int
    _kept: dict[str, NDArray[np.float64]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def check_sides(self) -> None:
        """Raise ``ValueError`` if a q is out of range."""
        for name in ("first", "second", "others"):
            _validate.number(name, getattr(self, name), 0.5, 1.0)

    def delta(self, epsilon: float) -> float:
        """Return the least delta with which both orders of the pair keep epsilon."""
        raise NotImplementedError

    def epsilon(self, delta: float) -> float:
        """Return the least epsilon with which both orders of the pair keep delta, in nats, to ``precision``."""
        _validate.number("delta", delta, *DELTA_RANGE)
        low, high = 0.0, EPSILON_RANGE[1]
        while high - low > self.precision:
            middle = (low + high) / 2.0
            low, high = (low, middle) if self.delta(middle) <= delta else (middle, high)
        return high
