"""What a shuffler adds: the exact law of a shuffled list of reports, and the bounds that hold for every randomizer.

n clients report, the tested one by one of two laws p1, p2 and each other one independently by a law w. A shuffler hides
who sent what, so the attacker sees only how often each symbol occurs, h. Its probability is that of n reports by w
times the mean over the n reports of p(x) / w(x). So the likelihoods differ by a sum of n independent scores, and

    most right guesses = 1/2 + E|sum of (p1 - p2)/w| / 4n,     delta(eps) = E(sum of (p1 - e^eps p2)/w)_+ / n,

both over n reports by w. The expectations are computed by a fast Fourier transform on a lattice. Scores between two
lattice points are split between them so that their mean stays, which can only raise the expectation of a convex
function: what is returned is never too small. It is too large by less than 1e-6 for right guesses, and by less than a
thousandth of itself for epsilon (both measured against enumeration and finer lattices).

Source: derived here; with the laws of ``clones`` it is the pair of Feldman, McMillan and Talwar 2023, arXiv:2208.04591.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.statistics.halving import halved
from ldp_core.types import EPSILON_RANGE

CLIENTS_RANGE = (1, 100_000)
"""Clients of a round whose laws are computed."""
DELTA_RANGE = (1e-9, 0.1)
_LATTICE = 2**17
_TAIL = 34.0
"""The lattice reaches where a sum lies with all but e^-34 = 2e-15 of its probability."""


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The laws of a round whose reports are shuffled; symbols are regions in which all likelihood ratios are constant.

    ``first`` and ``second`` are the probabilities of the symbols where the tested client sends the first or the second
    update, ``others`` those of each other client; each sums to 1, and ``others`` is positive wherever one of the two
    is. ``clients`` is the number n of reports, the tested one included, 1 to 100,000. Else ``ValueError``.
    """

    first: tuple[float, ...]
    second: tuple[float, ...]
    others: tuple[float, ...]
    clients: int

    def __post_init__(self) -> None:
        _validate.integer("clients", self.clients, *CLIENTS_RANGE)
        if not len(self.first) == len(self.second) == len(self.others):
            raise ValueError("laws must have the same symbols, got laws of different lengths")
        for name in ("first", "second", "others"):
            law = getattr(self, name)
            if min(law) < 0.0 or abs(math.fsum(law) - 1.0) > 1e-9:
                raise ValueError(f"{name} must be probabilities with sum 1, got a sum of {math.fsum(law):.6g}")
        if any(max(first, second) > 0.0 >= other for first, second, other in self._symbols()):
            raise ValueError("others must be able to send what the tested client may send, got a symbol with chance 0")

    def identification(self) -> float:
        """Return how often the best attacker who always guesses is right, in [1/2, 1], with equal priors.

        >>> round(Shuffled((0.75, 0.25), (0.25, 0.75), (0.5, 0.5), 1).identification(), 6)
        0.75
        """
        if self.clients == 1:
            return 0.5 + math.fsum(abs(p - q) for p, q in zip(self.first, self.second, strict=True)) / 4.0
        first, second, others = self._laws()
        sums, chances = _sum_law((first - second) / others, others, self.clients)
        return min(1.0, 0.5 + float(np.abs(sums) @ chances) / (4.0 * self.clients))

    def delta(self, epsilon: float) -> float:
        """Return the least delta with which both orders of the pair keep epsilon, in [0, 1]."""
        first, second, others = self._laws()
        ratio = math.exp(epsilon)
        if self.clients == 1:
            return max(
                float(np.maximum(first - ratio * second, 0.0).sum()),
                float(np.maximum(second - ratio * first, 0.0).sum()),
            )
        pairs = [(first, second), (second, first)]
        mirrored = sorted((q, p, other) for p, q, other in self._symbols())
        if mirrored == sorted(self._symbols()):
            pairs = pairs[:1]  # a mirror image
        deltas = []
        for p, q in pairs:
            sums, chances = _sum_law((p - ratio * q) / others, others, self.clients)
            deltas.append(float(np.maximum(sums, 0.0) @ chances) / self.clients)
        return min(1.0, max(deltas))

    def epsilon(self, delta: float) -> float:
        """Return the least epsilon with which both orders of the pair keep delta, in nats, rounded up to 1e-6.

        Raises ``ValueError`` for delta outside [1e-9, 0.1].
        """
        _validate.number("delta", delta, *DELTA_RANGE)
        kept = [
            (first, second)
            for first, second in zip(self.first, self.second, strict=True)
            if first > 0.0 or second > 0.0
        ]
        if any(first == 0.0 or second == 0.0 for first, second in kept):
            high = EPSILON_RANGE[1]
        else:
            high = max(abs(math.log(first / second)) for first, second in kept)
        if self.delta(0.0) <= delta:
            return 0.0
        return halved(lambda epsilon: self.delta(epsilon) <= delta, 0.0, high, 1e-6 * max(1.0, high))[1]

    def scores(self) -> NDArray[np.float64]:
        """Return the best attacker's score of each symbol: "first" where those of the n reports sum to at least 0."""
        first, second, others = self._laws(whole=True)
        return np.divide(first - second, others, out=np.zeros_like(others), where=others > 0.0)

    def _symbols(self) -> list[tuple[float, float, float]]:
        return list(zip(self.first, self.second, self.others, strict=True))

    def _laws(self, *, whole: bool = False) -> tuple[NDArray[np.float64], ...]:
        """Return the laws as arrays, symbols that nobody sends left out unless ``whole``."""
        laws = tuple(np.array(law) for law in (self.first, self.second, self.others))
        return laws if whole else tuple(law[laws[2] > 0.0] for law in laws)


def _sum_law(
    scores: NDArray[np.float64], chances: NDArray[np.float64], clients: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a lattice and the law on it of a sum of n independent scores.

    The lattice reaches as far from the mean as Bernstein's inequality says: what it wraps around has no weight.
    """
    mean = float(scores @ chances)
    centred = scores - mean
    most = float(np.abs(centred).max())
    if most == 0.0:
        return np.array([clients * mean]), np.array([1.0])
    variance = clients * float(centred**2 @ chances)
    third = _TAIL * most / 3.0
    reach = min(clients * most, third + math.sqrt(third * third + 2.0 * _TAIL * variance))
    step = most / math.floor(most * (_LATTICE - 256) / (2.0 * reach))  # the largest score is on the lattice
    places = centred / step
    below = np.floor(places)
    rest = places - below
    law = np.zeros(_LATTICE)
    np.add.at(law, below.astype(np.int64) % _LATTICE, chances * (1.0 - rest))
    np.add.at(law, (below.astype(np.int64) + 1) % _LATTICE, chances * rest)
    sums = np.fft.irfft(np.fft.rfft(law) ** clients, _LATTICE)
    lattice: NDArray[np.float64] = np.fft.fftfreq(_LATTICE, 1.0 / _LATTICE).astype(np.float64)
    return lattice * step + clients * mean, np.maximum(sums, 0.0).astype(np.float64)


@lru_cache(maxsize=1024)
def clones(epsilon: float, clients: int, delta: float) -> float:
    """Return the epsilon that a shuffler promises with delta, for every randomizer that keeps a local epsilon.

    Each other client's report is, with probability 2/(e^eps + 1), a clone of one of the tested client's two possible
    reports, each equally likely: no pair is worse than (A + D, C - A + 1 - D), C ~ Bin(n - 1, 2/(e^eps + 1)),
    A ~ Bin(C, 1/2), D ~ Bern(e^eps/(e^eps + 1)), against its mirror image. Computed numerically, rounded up. Epsilon is
    local, in nats, from 0.01 to 30; n from 1 to 100,000; delta from 1e-9 to 0.1; else ``ValueError``. The result is in
    [0, epsilon].

    Source: Feldman, McMillan and Talwar 2023, arXiv:2208.04591, Theorem 3.1 and Corollary 3.4.

    >>> round(clones(1.0, 1_000, 1e-5), 3)
    0.125
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    return min(epsilon, clones_pair(epsilon, clients).epsilon(delta))


def clones_pair(epsilon: float, clients: int) -> Shuffled:
    """Return the laws of ``clones``: two symbols and all the rest."""
    own_chance = 1.0 / (1.0 + math.exp(-epsilon))
    rest = 1.0 / (1.0 + math.exp(epsilon))
    return Shuffled((own_chance, rest, 0.0), (rest, own_chance, 0.0), (rest, rest, 1.0 - 2.0 * rest), clients)


def feldman_2021(epsilon: float, clients: int, delta: float) -> float:
    """Return the first closed form: ln(1 + (e^eps-1)/(e^eps+1) * (8 sqrt(e^eps ln(4/delta) / n) + 8 e^eps / n)).

    It holds for eps <= ln(n / (16 ln(2/delta))); above that, and where it promises nothing, epsilon itself is returned.
    Arguments and errors as in ``clones``.

    Source: Feldman, McMillan and Talwar 2021, arXiv:2012.12803, Theorem 3.1.

    >>> round(feldman_2021(1.0, 1_000, 1e-5), 3)
    0.532
    """
    _check(epsilon, clients, delta)
    if epsilon > math.log(clients / (16.0 * math.log(2.0 / delta))):
        return epsilon
    power = math.exp(epsilon)
    inner = 8.0 * math.sqrt(power * math.log(4.0 / delta) / clients) + 8.0 * power / clients
    return min(epsilon, math.log1p(math.tanh(epsilon / 2.0) * inner))


def feldman_2023(epsilon: float, clients: int, delta: float) -> float:
    """Return the second closed form: ln(1 + (e^eps-1) * (4 sqrt(2 ln(4/delta) / ((e^eps+1) n)) + 4 / n)).

    It holds for eps <= ln(n / (8 ln(2/delta)) - 1); above that, and where it promises nothing, epsilon itself is
    returned. Arguments and errors as in ``clones``.

    Source: Feldman, McMillan and Talwar 2023, arXiv:2208.04591, Theorem 3.2.

    >>> round(feldman_2023(4.0, 10_000, 1e-5), 3)
    0.909
    """
    _check(epsilon, clients, delta)
    room = clients / (8.0 * math.log(2.0 / delta)) - 1.0
    if room <= 0.0 or epsilon > math.log(room):
        return epsilon
    inner = 4.0 * math.sqrt(2.0 * math.log(4.0 / delta) / ((math.exp(epsilon) + 1.0) * clients)) + 4.0 / clients
    return min(epsilon, math.log1p(math.expm1(epsilon) * inner))


def _check(epsilon: float, clients: int, delta: float) -> None:
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.integer("clients", clients, *CLIENTS_RANGE)
    _validate.number("delta", delta, *DELTA_RANGE)
