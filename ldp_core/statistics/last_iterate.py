"""The exact law of who sees only the last model of a DP-SGD whose other gradients are known: the sum of all steps.

Without the record the sum is N(0, T sigma^2), with it N(k, T sigma^2) for k ~ Bin(T, q), in units of the clipping norm.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ldp_core import _lazy
from ldp_core.statistics.accountant import Sampled

ndtr, ndtri, bdtr = (_lazy.function("scipy.special", name) for name in ("ndtr", "ndtri", "bdtr"))
Array = NDArray[np.float64]


class LastIterate:
    """How well the last iterate of a DP-SGD tells "in" from "out".

    Source: derived here. The ratio of the two laws grows with the sum, so that a threshold on it is the best test.
    """

    def __init__(self, mechanism: Sampled) -> None:
        steps, rate = mechanism.steps, mechanism.sampling_rate
        times = np.arange(steps + 1)
        below = np.append(bdtr(times[:-1], steps, rate), 1.0)
        masses = np.diff(below, prepend=0.0)
        self._masses, self._times = masses[masses > 1e-18], times[masses > 1e-18]
        self._spread = mechanism.noise * math.sqrt(steps)

    def tradeoff(self, false_positive: Array | float) -> Array:
        """Return f(a), as ``accountant.Curve.tradeoff``."""
        rates = np.asarray(false_positive, dtype=np.float64)
        cut = -ndtri(np.clip(rates, 1e-300, 1.0))
        return self._missed(cut)

    def delta(self, epsilon: float) -> float:
        """Return delta at an epsilon in the direction remove: the largest P(S > c) - e^epsilon Q(S > c)."""
        low, high = -40.0, 40.0 + float(self._times[-1]) / self._spread
        while high - low > 1e-10:
            middle = (low + high) / 2
            low, high = (middle, high) if self._log_ratio(middle) < epsilon else (low, middle)
        return max(0.0, 1.0 - float(self._missed(np.array(low))) - math.exp(epsilon) * float(ndtr(-low)))

    def epsilon(self, delta: float) -> float:
        """Return the epsilon of the last iterate alone at a delta, in nats."""
        low, high = 0.0, 60.0
        if self.delta(low) <= delta:
            return 0.0
        while high - low > 1e-7:
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > delta else (low, middle)
        return high

    @property
    def identification(self) -> float:
        """Share of right guesses of the best attacker with equal priors, in [1/2, 1]."""
        return 0.5 + 0.5 * self.delta(0.0)

    def _missed(self, cut: Array) -> Array:
        shifts = self._times / self._spread
        found = np.asarray(ndtr(cut[..., None] - shifts) @ self._masses, dtype=np.float64)
        return found

    def _log_ratio(self, place: float) -> float:
        shifts = self._times / self._spread
        exponents = np.log(self._masses) + shifts * place - shifts**2 / 2
        top = exponents.max()
        return float(top + np.log(np.exp(exponents - top).sum()))
