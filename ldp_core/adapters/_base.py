"""What adapters share: arguments, clipping for libraries that do not clip, and the server's mean."""

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.types import EPSILON_RANGE, GAUSSIAN_DELTA


class Additive:
    """Noise on a gradient clipped to the L2 norm L: two clipped gradients are at most 2 L apart.

    A report estimates the clipped gradient without bias. Epsilon, from 0.01 to 30 or as far as the library offers, and
    delta, from 1e-12 to 0.5, are claims; else ``ValueError``. Raises ``ImportError`` if the library is not installed.
    """

    clip_order: ClassVar[str] = "l2"
    epsilon_range: ClassVar[tuple[float, float]] = EPSILON_RANGE

    def __init__(self, epsilon: float, clip_norm: float = 1.0, delta: float = GAUSSIAN_DELTA) -> None:
        self.epsilon = _validate.number("epsilon", epsilon, *self.epsilon_range)
        self.clip_norm = _validate.open_number("clip_norm", clip_norm, 0.0, math.inf)
        self.delta = _validate.number("delta", delta, 1e-12, 0.5)
        self._prepare()

    def _prepare(self) -> None:
        """Import the library and make what needs no gradient, so that a fault shows before the first report."""
        raise NotImplementedError

    def clipped(self, gradient: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
        """Return the gradient, shortened to the norm L if it is longer; for a library that leaves that to its user."""
        values = np.asarray(gradient, np.float64)
        norm = float(np.linalg.norm(values))
        return values * min(1.0, self.clip_norm / norm) if norm > 0.0 else values

    def aggregate(self, reports: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
        """Return the server's estimate from reports of shape (n, d): their mean, shape (d,)."""
        return np.asarray(reports.mean(axis=0))


class AdditiveLaplace(Additive):
    """The same with a pure claim: delta is 0, and the distance is that of the L1 norm, 2 L sqrt(d)."""

    def __init__(self, epsilon: float, clip_norm: float = 1.0) -> None:
        super().__init__(epsilon, clip_norm)
        self.delta = 0.0

    def distance(self, dimension: int) -> float:
        """Return the largest L1 distance of two clipped gradients, by the inequality of Cauchy and Schwarz."""
        return 2.0 * self.clip_norm * math.sqrt(dimension)


def rows(reports: list[Any], dimension: int) -> NDArray[np.float64]:
    return np.array(reports, dtype=np.float64).reshape(-1, dimension)
