"""Games of adversaries 5 and 6 by their exact law, step by step: no model is trained.

A step shows x = <noisy sum - known mean, v> / C: N(0, sigma^2) without the record; with it, N(1, sigma^2) where it was
sampled. The likelihood ratio is the best statistic of all iterates, the sum the best one of the last iterate.
"""

import math
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from ldp_core import _lazy, _validate
from ldp_core.statistics.accountant import Sampled
from ldp_core.statistics.halving import halved

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
        high = 40.0 + float(self._times[-1]) / self._spread
        low, _ = halved(lambda cut: self._log_ratio(cut) >= epsilon, -40.0, high, 1e-10)
        return max(0.0, 1.0 - float(self._missed(np.array(low))) - math.exp(epsilon) * float(ndtr(-low)))

    def epsilon(self, delta: float) -> float:
        """Return the epsilon of the last iterate alone at a delta, in nats."""
        if self.delta(0.0) <= delta:
            return 0.0
        return halved(lambda epsilon: self.delta(epsilon) <= delta, 0.0, 60.0, 1e-7)[1]

    @property
    def identification(self) -> float:
        """Share of right guesses of the best attacker with equal priors, in [1/2, 1]."""
        return 0.5 + 0.5 * self.delta(0.0)

    def _missed(self, cut: Array) -> Array:
        return np.asarray(ndtr(cut[..., None] - self._times / self._spread) @ self._masses, dtype=np.float64)

    def _log_ratio(self, place: float) -> float:
        shifts = self._times / self._spread
        exponents = np.log(self._masses) + shifts * place - shifts**2 / 2
        top = exponents.max()
        return float(top + np.log(np.exp(exponents - top).sum()))


GAMES_TOGETHER = 4_096
SHUFFLED = "shuffled"
SAMPLINGS = ("poisson", SHUFFLED)
_FACTORS = 16
"""Steps whose odds are multiplied before the logarithm is taken."""


def games(
    claim: Sampled,
    inside: bool,
    number: int,
    seed: int,
    stream: int,
    chunk: int,
    *,
    rule: str = "likelihood-ratio",
    actual: Sampled | None = None,
    sampling: str = "poisson",
) -> NDArray[Any]:
    """Return the scores of games, shape (number,), float64: the larger, the likelier the record was in.

    The odds follow from ``claim``, what the attacker believes; ``actual`` is what is done instead, and with more steps
    all of them are seen. ``number`` is at most ``GAMES_TOGETHER``; ``rule`` is ``likelihood-ratio`` or ``sum``;
    ``sampling`` is ``poisson``, or ``shuffled``: each pass deals the records anew into batches of equal size.
    """
    _validate.integer("number", number, 1, GAMES_TOGETHER)
    done = actual or claim
    random = Generator(PCG64(SeedSequence([seed, stream, chunk, int(inside)])))
    if rule == "sum" and sampling == "poisson":
        times = random.binomial(done.steps, done.sampling_rate, number) if inside else np.zeros(number)
        return np.asarray(times + done.noise * math.sqrt(done.steps) * random.standard_normal(number))
    scale, shift = done.noise / claim.noise**2, -1.0 / (2.0 * claim.noise**2)
    odds, total = np.ones(number), np.zeros(number)
    passes = max(1, round(1.0 / done.sampling_rate))
    for step in range(done.steps):
        exponents = random.standard_normal(number, dtype=np.float32).astype(np.float64)
        exponents *= scale
        if inside:
            if sampling == SHUFFLED:
                if step % passes == 0:
                    turn = random.integers(passes, size=number)
                sampled = turn == step % passes
            else:
                sampled = random.random(number, dtype=np.float32) < done.sampling_rate
            exponents += sampled / claim.noise**2
        if rule == "sum":
            total += exponents * claim.noise**2
            continue
        exponents += shift
        np.exp(exponents, out=exponents)
        exponents *= claim.sampling_rate
        exponents += 1.0 - claim.sampling_rate
        odds *= exponents
        if step % _FACTORS == _FACTORS - 1:
            total += np.log(odds)
            odds.fill(1.0)
    return total if rule == "sum" else total + np.log(odds)
