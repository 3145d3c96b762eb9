"""Mechanisms by others behind one shape, one file each: ``Name(epsilon, clip_norm[, delta])`` with ``randomize``.

An adapter clips where the library does not, hands over the sensitivity that the library's documentation asks for, and
nothing else. The library is needed when the mechanism is made: ``requirements-peers.txt`` installs all of them.
"""

import importlib.util
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import norm

DELTA = 1e-5
"""Failure probability of the mechanisms that need one."""


class Additive:
    """Noise on the clipped gradient: a report estimates it without bias, and two gradients are at most 2 L apart."""

    clip_order = "l2"
    library = ""

    def __init__(self, epsilon: float, clip_norm: float = 1.0, delta: float = DELTA) -> None:
        require(self.library)
        self.epsilon, self.clip_norm, self.delta = epsilon, clip_norm, delta

    def clipped(self, gradient: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return the gradient with at most the norm L, as the libraries expect from whoever calls them."""
        values = np.asarray(gradient, np.float64)
        norm = float(np.linalg.norm(values))
        return values * min(1.0, self.clip_norm / norm) if norm > 0.0 else values

    def aggregate(self, reports: NDArray[np.floating]) -> NDArray[np.floating]:
        """Return the server's estimate: the mean."""
        return np.asarray(reports.mean(axis=0))


class AdditiveLaplace(Additive):
    """The same with a pure claim: delta is 0, and the distance is that of the L1 norm, 2 L sqrt(d)."""

    def __init__(self, epsilon: float, clip_norm: float = 1.0) -> None:
        super().__init__(epsilon, clip_norm, 0.0)

    def distance(self, dimension: int) -> float:
        """Return the largest L1 distance of two clipped gradients."""
        return 2.0 * self.clip_norm * math.sqrt(dimension)


def require(library: str) -> None:
    """Raise ``ModuleNotFoundError`` unless a library is installed; nothing is imported."""
    if importlib.util.find_spec(library) is None:
        raise ModuleNotFoundError(f"{library} of requirements-peers.txt is not installed")


def exact_epsilon(apart: float, delta: float) -> float:
    """Return the epsilon of normal noise at a delta.

    Args:
        apart: distance of two inputs, in standard deviations of the noise.
        delta: failure probability.

    Source: Balle and Wang 2018, Theorem 8, solved for epsilon.
    """

    def excess(epsilon: float) -> float:
        upper, lower = apart / 2 - epsilon / apart, -apart / 2 - epsilon / apart
        return float(norm.cdf(upper) - math.exp(epsilon + norm.logcdf(lower))) - delta

    return float(brentq(excess, 0.0, 100.0, xtol=1e-12))


def rows(reports: list[Any], dimension: int) -> NDArray[np.float64]:
    """Return reports as rows."""
    return np.array(reports, dtype=np.float64).reshape(-1, dimension)
