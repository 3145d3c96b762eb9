"""What an attacker sees of an LDP-SGD report with somebody between client and server: the exact laws.

A report is a uniform direction v, turned to its gradient's side with probability q = 1/2 + (n/L) tanh(eps/2) / 2, n the
clipped norm. Of a pair at angle phi an attacker needs only on which side of both gradients v lies, one of four
``REGIONS``, and in a sum only its inner product with the directions' difference.

Source: derived here.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core import _lazy, _validate
from ldp_core.statistics.amplification import CLIENTS_RANGE, Shuffled
from ldp_core.statistics.plane_sum import PlaneSum, SumLaw
from ldp_core.types import EPSILON_RANGE, PairGeometry

ndtr = _lazy.function("scipy.special", "ndtr")
VIEWS = ("local", "shuffled", "aggregated")
"""What the attacker sees: the report, all reports in random order, or their sum."""
OTHERS = ("uniform", "agree", "real")
"""What the other clients send: nothing in the pair's plane, all the first update, or gradients of images."""
REGIONS = ("both", "first", "second", "neither")
"""On which gradients' sides a report lies: of both, of the first only, of the second only, of none."""
_OPPOSITE = 180.0 - 1e-4
"""Angle in degrees from which the difference of a pair's directions is all that matters."""
_CELLS = 2**16
_REACH = 9.0


def own_side(epsilon: float, norm: float, clip_norm: float) -> float:
    """Return q, the chance that a report lies on its gradient's side, in [1/2, 1).

    Epsilon is from 0.01 to 30 nats; the norm is before or after clipping.
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    return 0.5 + min(_validate.number("norm", norm, 0.0, math.inf) / clip_norm, 1.0) * math.tanh(epsilon / 2.0) / 2.0


def region_law(angle_degrees: float, same_side: float) -> tuple[float, float, float, float]:
    """Return the chances of the four ``REGIONS`` for a client whose gradient is the pair's first one.

    The angle is in [0, 180] degrees, ``same_side`` the client's q; with 1/2 the report is uniform in the pair's plane.

    >>> region_law(180.0, 0.75)
    (0.0, 0.75, 0.25, 0.0)
    """
    turn = _validate.number("angle_degrees", angle_degrees, 0.0, 180.0) / 180.0
    return (1.0 - turn) * same_side, turn * same_side, turn * (1.0 - same_side), (1.0 - turn) * (1.0 - same_side)


def bystander_law(
    pair_angle: float, to_first: float, to_second: float, same_side: float
) -> tuple[float, float, float, float]:
    """Return the chances of the four ``REGIONS`` for a client with a gradient of its own.

    Three half spaces meet in (2 pi - the sum of the angles between their normals) / 4 pi of all directions. The angles,
    in degrees, are the pair's, and those from the client's gradient to the pair's; ``same_side`` is the client's q.

    Source: the area of a spherical triangle (Girard).

    >>> bystander_law(180.0, 0.0, 180.0, 0.75)
    (0.0, 0.75, 0.25, 0.0)
    """

    def share(between: float, first_angle: float, second_angle: float) -> float:
        return max(0.0, (360.0 - between - first_angle - second_angle) / 720.0)

    law = []
    for side_first, side_second in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        between = pair_angle if side_first == side_second else 180.0 - pair_angle
        first_angle = to_first if side_first == 1 else 180.0 - to_first
        second_angle = to_second if side_second == 1 else 180.0 - to_second
        near, far = share(between, first_angle, second_angle), share(between, 180.0 - first_angle, 180.0 - second_angle)
        law.append(2.0 * (same_side * near + (1.0 - same_side) * far))
    total = math.fsum(law)  # 1 but for rounding of the angles
    return law[0] / total, law[1] / total, law[2] / total, law[3] / total


def shuffled_view(epsilon: float, clip_norm: float, pair: PairGeometry, clients: int, others: str) -> Shuffled:
    """Return the laws of a round of n shuffled LDP-SGD reports, 1 to 100,000, the others "uniform" or "agree".

    >>> from ldp_core.types import PairGeometry
    >>> pair = PairGeometry(180.0, 1.0, 1.0, "opposite")
    >>> [round(shuffled_view(4.0, 1.0, pair, 100, others).identification(), 4) for others in ("uniform", "agree")]
    [0.5384, 0.6449]
    """
    _validate.choice("others", others, OTHERS[:2])
    first, opposite = (
        region_law(pair.angle_degrees, own_side(epsilon, norm, clip_norm))
        for norm in (pair.norm_first, pair.norm_second)
    )
    second = tuple(opposite[place] for place in (0, 2, 1, 3))  # seen from the first gradient
    return Shuffled(first, second, first if others == "agree" else region_law(pair.angle_degrees, 0.5), clients)


def uniform_sum_identification(epsilon: float, clip_norm: float, pair: PairGeometry, clients: int) -> float:
    """Return how often the cosine rule is right about a sum, the others' gradients orthogonal, in high dimension.

    1/2 + t arctan(sin(phi/2) / sqrt(n - 1 + cos(phi/2)^2)) / pi, t = q1 + q2 - 1. The true value differs by some 1/d.

    >>> from ldp_core.types import PairGeometry
    >>> round(uniform_sum_identification(4.0, 1.0, PairGeometry(180.0, 1.0, 1.0, "opposite"), 10), 3)
    0.599
    """
    lead = own_side(epsilon, pair.norm_first, clip_norm) + own_side(epsilon, pair.norm_second, clip_norm) - 1.0
    half = math.radians(pair.angle_degrees) / 2.0
    return 0.5 + lead * math.atan2(math.sin(half), math.sqrt(clients - 1 + math.cos(half) ** 2)) / math.pi


@dataclass(frozen=True, slots=True)
class Summed(SumLaw):
    """The law of a sum of n reports along the difference of a pair's directions, in high dimension.

    One report's inner product with w = (u1 - u2)/|u1 - u2|, times sqrt(d), has density
    2 N(y) (q F(r y) + (1 - q) F(-r y)) for the first gradient, r = tan(phi/2), N and F the normal density and
    distribution; for the second r is negative. The sum's law is their convolution, computed by a Fourier transform of
    cells; no sum is taken for normal. Opposite gradients leave nothing else to see; at other angles see ``PlaneSum``.
    Arguments as in ``SumLaw``, the angle in (0, 180], n from 1 to 100,000; else ``ValueError``.
    """

    precision: ClassVar[float] = 1e-6

    def __post_init__(self) -> None:
        _validate.integer("clients", self.clients, *CLIENTS_RANGE)
        _validate.open_number("angle_degrees", self.angle_degrees, 0.0, 180.0 + 1e-9)
        self.check_sides()

    def identification(self) -> float:
        """Return how often the best attacker along the difference is right, in [1/2, 1], with equal priors."""
        _, first, second = self._laws()
        return min(1.0, 0.5 + float(np.abs(first - second).sum()) / 4.0)

    def cosine_identification(self) -> float:
        """Return how often the papers' rule is right, which says "first" where the sum is at least 0, as it lies."""
        centres, first, second = self._laws()
        step = float(centres[1] - centres[0])
        above = np.clip(0.5 + centres / step, 0.0, 1.0)
        return 0.5 + float((first - second) @ above) / 2.0

    def delta(self, epsilon: float) -> float:
        """Return the least delta with which both orders of the pair keep epsilon."""
        _, first, second = self._laws()
        ratio = math.exp(epsilon)
        return max(float(np.maximum(a - ratio * b, 0.0).sum()) for a, b in ((first, second), (second, first)))

    def guess(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the best attacker's score of sums along the difference, times sqrt(d): at least 0 means "first"."""
        centres, first, second = self._laws()
        step = (centres[-1] - centres[0]) / (len(centres) - 1)
        place = np.rint((sums - centres[0]) / step).astype(np.int64)
        scores: NDArray[np.float64] = (first - second)[np.clip(place, 0, len(centres) - 1)]
        outside = (place < 0) | (place >= len(centres)) | (scores == 0.0)
        return np.where(outside, np.where(sums - self.mean >= 0.0, 1.0, -1.0), np.sign(scores))

    @property
    def mean(self) -> float:
        """Mean of the others' sum along the difference, times sqrt(d)."""
        lean = math.sin(math.radians(self.angle_degrees) / 2.0) * math.sqrt(2.0 / math.pi)
        return (self.clients - 1) * (2.0 * self.others - 1.0) * lean

    def _laws(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the cells' centres and the chances of the sum in them for either gradient."""
        if not self._kept:
            reach = _REACH * (math.sqrt(self.clients) + 1.0)
            step = 2.0 * reach / _CELLS
            cell = np.arange(_CELLS) - _CELLS // 2  # cell k is [k, k + 1) steps: no cell holds a jump at 0
            transform = [np.fft.rfft(np.roll(self._cells(cell, step, q, sign), -(_CELLS // 2)))
                         for q, sign in ((self.first, 1.0), (self.second, -1.0), (self.others, 1.0))]  # fmt: skip
            crowd = transform[2] ** (self.clients - 1)
            sums = [np.maximum(np.fft.irfft(spectrum * crowd, _CELLS), 0.0) for spectrum in transform[:2]]
            start = round(self.mean / step) - _CELLS // 2  # the window that holds the sum
            order = (start + np.arange(_CELLS)) % _CELLS
            centres = np.asarray((start + np.arange(_CELLS) + self.clients / 2.0) * step, dtype=np.float64)
            self._kept.update(centres=centres, one=sums[0][order], two=sums[1][order])
        return self._kept["centres"], self._kept["one"], self._kept["two"]

    def _cells(self, cell: NDArray[np.int64], step: float, q: float, sign: float) -> NDArray[np.float64]:
        """Return one report's chances in cells of a width."""
        slope = sign * math.tan(math.radians(min(self.angle_degrees, 180.0)) / 2.0)
        points = (np.polynomial.legendre.leggauss(6)[0] + 1.0) / 2.0
        weights = np.polynomial.legendre.leggauss(6)[1] / 2.0
        total = np.zeros(len(cell))
        for point, weight in zip(points, weights, strict=True):
            y = (cell + point) * step
            side = (y > 0) == (sign > 0) if self.angle_degrees >= 180.0 else ndtr(slope * y)
            density = np.exp(-y * y / 2.0) * (q * side + (1.0 - q) * (1.0 - side))
            total += weight * density
        chances: NDArray[np.float64] = total / total.sum()
        return chances


def summed_view(epsilon: float, clip_norm: float, pair: PairGeometry, clients: int, others: str) -> Summed:
    """Return the law of a sum of LDP-SGD reports; arguments as in ``shuffled_view``.

    >>> from ldp_core.types import PairGeometry
    >>> pair = PairGeometry(180.0, 1.0, 1.0, "opposite")
    >>> [round(summed_view(8.0, 1.0, pair, 100, others).identification(), 3) for others in ("uniform", "agree")]
    [0.532, 0.553]
    """
    return Summed(*_of_a_sum(epsilon, clip_norm, pair, others), clients)


@lru_cache(maxsize=16)
def best_sum(
    epsilon: float, clip_norm: float, pair: PairGeometry, clients: int, others: str
) -> Shuffled | Summed | PlaneSum:
    """Return the law of all that the sum of reports says of a pair; arguments as in ``shuffled_view``.

    Where one client reports, the sum is its report.

    >>> from ldp_core.types import PairGeometry
    >>> pair = PairGeometry(86.0, 1.0, 1.0, "benign")
    >>> [round(best_sum(8.0, 1.0, pair, 100, others).identification(), 4) for others in ("uniform", "agree")]
    [0.5217, 0.5291]
    """
    if clients == 1:
        return shuffled_view(epsilon, clip_norm, pair, 1, others)
    if pair.angle_degrees > _OPPOSITE:
        return summed_view(epsilon, clip_norm, pair, clients, others)
    return PlaneSum(*_of_a_sum(epsilon, clip_norm, pair, others), clients)


def _of_a_sum(epsilon: float, clip_norm: float, pair: PairGeometry, others: str) -> tuple[float, float, float, float]:
    """Return what a ``SumLaw`` takes but for the number of clients."""
    _validate.choice("others", others, OTHERS[:2])
    first, second = (own_side(epsilon, norm, clip_norm) for norm in (pair.norm_first, pair.norm_second))
    return first, second, pair.angle_degrees, first if others == "agree" else 0.5
