"""The law of a sum of LDP-SGD reports in the plane of two gradients that are not opposite, in high dimension.

Along the first gradient u1 a report of a client who holds it is half-normal, turned with 1 - q; across u1 it is normal,
and independent. So the sum of n - 1 such reports has the law f along u1, a convolution, and is normal across. A report
for the second gradient u2 is turned by the side of u2. Given the sum across, z, its own part across is normal with mean
z/n and variance (n - 1)/n, so that the two likelihoods at (x, z) are, but for the common normal density of z,

    (h * f)(x)  and  (N (1 + (2 q2 - 1)(2 F(a v + b z) - 1)) * f)(x),

h the density of a report along u1, N and F the normal density and distribution, and v the variable of N. Both are
computed by a Fourier transform of cells for each of many z.

Source: derived here.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core import _lazy, _validate
from ldp_core.statistics.amplification import CLIENTS_RANGE, DELTA_RANGE
from ldp_core.statistics.halving import halved
from ldp_core.types import EPSILON_RANGE

ndtr = _lazy.function("scipy.special", "ndtr")
_CELLS, _JOINED = 2**16, 16
"""Cells along u1 of a transform, and how many neighbours are one afterwards."""
_NODES = 64
_REACH, _ACROSS = 9.0, 7.0
"""How far the law is computed, along u1 and across, in deviations of a sum."""


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
        return halved(lambda epsilon: self.delta(epsilon) <= delta, 0.0, EPSILON_RANGE[1], self.precision)[1]


@dataclass(frozen=True, slots=True)
class PlaneSum(SumLaw):
    """The law of a sum of n reports in the plane of a pair at an angle in [0, 180).

    Arguments as in ``SumLaw``, n from 2 to 100,000; one report has the law of ``views.shuffled_view``. Raises
    ``ValueError`` out of range.
    """

    precision: ClassVar[float] = 1e-5

    def __post_init__(self) -> None:
        _validate.integer("clients", self.clients, 2, CLIENTS_RANGE[1])
        _validate.number("angle_degrees", self.angle_degrees, 0.0, 180.0 - 1e-9)
        self.check_sides()

    def identification(self) -> float:
        """Return how often the best attacker is right, in [1/2, 1], with equal priors.

        >>> round(PlaneSum(0.9, 0.9, 90.0, 0.5, 10).identification(), 4)
        0.5574
        """
        first, second, weights = self._laws()
        return min(1.0, 0.5 + float(weights @ np.abs(first - second).sum(axis=1)) / 4.0)

    def delta(self, epsilon: float) -> float:
        """Return the least delta with which both orders of the pair keep epsilon."""
        first, second, weights = self._laws()
        ratio = math.exp(epsilon)
        return max(
            float(weights @ np.maximum(a - ratio * b, 0.0).sum(axis=1)) for a, b in ((first, second), (second, first))
        )

    def guess(self, along: NDArray[np.float64], across: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the best attacker's score of sums times sqrt(d), along u1 and across it: at least 0 means "first"."""
        first, second, _ = self._laws()
        centres, nodes = self._kept["centres"], self._kept["nodes"]
        column = (along - centres[0]) / (centres[1] - centres[0])
        row = np.clip((across - nodes[0]) / (nodes[1] - nodes[0]), 0.0, len(nodes) - 1.001)
        below, place = row.astype(np.int64), np.clip(np.rint(column).astype(np.int64), 0, len(centres) - 1)
        scores = first - second
        rest = row - below
        score: NDArray[np.float64] = scores[below, place] * (1.0 - rest) + scores[below + 1, place] * rest
        return np.where(score == 0.0, along - self.mean, score)  # far out, where both are nothing

    @property
    def mean(self) -> float:
        """Mean of the others' sum along u1, times sqrt(d)."""
        return (self.clients - 1) * (2.0 * self.others - 1.0) * math.sqrt(2.0 / math.pi)

    def _laws(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the chances of cells along u1 given z, a row for each z, for either gradient, and the weight of z."""
        if not self._kept:
            root = math.sqrt(self.clients)
            step = 2.0 * _REACH * (root + 1.0) / _CELLS
            cell = np.arange(_CELLS) - _CELLS // 2  # cell k is [k, k + 1) steps: no cell holds the jump at 0
            points, weights = np.polynomial.legendre.leggauss(2)
            places = [(cell + (point + 1.0) / 2.0) * step for point in points]
            normal = [np.exp(-y * y / 2.0) * weight for y, weight in zip(places, weights, strict=True)]
            total = float(sum(part.sum() for part in normal))
            normal = [part / total for part in normal]
            start = round(self.mean / step) - _CELLS // 2  # the window that holds the sum
            order = (start + np.arange(_CELLS)) % _CELLS

            def turned(q: float) -> NDArray[np.complex128]:
                side = np.where(cell >= 0, 2.0 * q, 2.0 - 2.0 * q)
                return np.asarray(np.fft.rfft(np.roll(side * sum(normal), -(_CELLS // 2))), dtype=np.complex128)

            def law(transform: NDArray[np.complex128]) -> NDArray[np.float64]:
                masses = np.maximum(np.fft.irfft(transform * crowd, _CELLS), 0.0)[order]
                return np.asarray(masses.reshape(-1, _JOINED).sum(axis=1), dtype=np.float64)

            crowd = turned(self.others) ** (self.clients - 1)
            angle, spread = math.radians(self.angle_degrees), math.sqrt((self.clients - 1) / self.clients)
            slope, shift = 1.0 / (math.tan(max(angle, 1e-12)) * spread), 1.0 / (self.clients * spread)
            nodes = (np.arange(_NODES + 1) / _NODES * 2.0 - 1.0) * _ACROSS * root
            heights = np.exp(-np.square(nodes / root) / 2.0)
            second = np.empty((len(nodes), _CELLS // _JOINED))
            for number, z in enumerate(nodes):
                sides = [2.0 * ndtr(slope * y + shift * z) - 1.0 for y in places]
                lead = 2.0 * self.second - 1.0
                cells = sum(part * (1.0 + lead * side) for part, side in zip(normal, sides, strict=True))
                second[number] = law(np.fft.rfft(np.roll(cells, -(_CELLS // 2))))
            middle = self.clients / 2.0 + (_JOINED - 1) / 2.0
            centres = np.asarray((start + np.arange(0, _CELLS, _JOINED) + middle) * step, dtype=np.float64)
            self._kept.update(
                centres=centres, nodes=nodes, one=law(turned(self.first))[None], two=second,
                weights=heights / heights.sum(),
            )  # fmt: skip
        return self._kept["one"], self._kept["two"], self._kept["weights"]
