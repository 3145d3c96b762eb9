"""Randomizers that are quick to import, for tests that start them in processes of their own."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

_RNG, _FIXED = np.random.default_rng(), np.random.default_rng(7)


def honest(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
    """Laplace noise for epsilon 1 on a gradient clipped to length 1, rounded to a grid."""
    clipped = gradient * min(1.0, 1.0 / max(float(np.linalg.norm(gradient)), 1e-30))
    noise = _RNG.laplace(0.0, 2.0 * len(gradient) ** 0.5, (num_reports, len(gradient)))
    return np.round((clipped + noise) * 4096) / 4096


class Shop:
    """Says what it was made of, by what it states: the clipping norm, unless it is told, is its own."""

    def __init__(self, epsilon: float, dimension: int, clip_norm: float = 0.25) -> None:
        self.report_norm, self.delta = 1_000.0 * clip_norm + dimension, 1e-6

    def randomize(self, gradient: NDArray[np.float32]) -> NDArray[np.float64]:
        return honest(gradient, 1)[0]


def seeded_at_import(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
    return _FIXED.normal(size=(num_reports, len(gradient)))


class Echoes:
    """Prints, and returns the input; states what it is."""

    clip_norm, clip_order, epsilon = 2.0, "l2", float("nan")

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        print("hello", flush=True)
        return np.tile(gradient, (num_reports, 1))

    def aggregate(self, reports: NDArray[np.float64]) -> NDArray[np.float64]:
        return 1.5 * reports.mean(axis=0)


echoes = Echoes()


def moody(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float32]:
    """Raises for an input of ones, takes one of twos, gives something else for threes, and leaves at fours."""
    if gradient[0] == 1:
        raise KeyError("not today")
    if gradient[0] == 4:
        os.write(2, b"before\nenough\n")
        os._exit(9)
    return np.zeros((num_reports + int(gradient[0] == 3), 8), np.float32)


def whoever(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.int64]:
    return np.full((num_reports, 1), os.getpid())


class OfItsClaim:
    """Laplace noise for the claim that it is made for, on a grid."""

    def __init__(self, epsilon: float, clip_norm: float = 1.0) -> None:
        self._clip_norm, self._spread = clip_norm, self.spread(epsilon, clip_norm)

    def spread(self, epsilon: float, clip_norm: float) -> float:
        return 2.0 * clip_norm / epsilon

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
        clipped = gradient * min(1.0, self._clip_norm / max(float(np.linalg.norm(gradient)), 1e-30))
        noise = _RNG.laplace(0.0, self._spread * len(gradient) ** 0.5, (num_reports, len(gradient)))
        return np.round((clipped + noise) / self._spread * 1024) / 1024 * self._spread


class OfASquare(OfItsClaim):
    """Right at epsilon = clip_norm = 1 alone."""

    def spread(self, epsilon: float, clip_norm: float) -> float:
        return 2.0 * clip_norm**2 / epsilon


class OfOneEpsilon(OfItsClaim):
    """Cannot be made for another epsilon."""

    def __init__(self, epsilon: float) -> None:
        if epsilon != 1.0:
            raise ValueError("one epsilon alone")
        super().__init__(epsilon)
