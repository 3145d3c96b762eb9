"""Randomizers as somebody else may write them: every form that ``check`` takes, and some that it must refuse.

Those that take tensors are in ``tensors``: each of a check's processes would import torch, seconds each time.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

_RNG = np.random.default_rng()
print("the vendor's module greets you")


def _signs(gradient: Any, num_reports: int, epsilon: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Randomized response on every input's first coordinate: one number a report, honest for |x| <= 1."""
    share = float(np.clip(gradient[0], -1.0, 1.0)) * np.tanh(epsilon / 2)
    return np.where(rng.random((num_reports, 1)) < 0.5 + share / 2, 1.0, -1.0)


def single(gradient: NDArray[np.float32]) -> NDArray[np.float64]:
    return _signs(gradient, 1, 1.0, _RNG)[0]


def batched(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
    return _signs(gradient, num_reports, 1.0, _RNG)


by_name = partial(batched, num_reports=5)


def number(gradient: NDArray[np.float32]) -> float:
    return float(_signs(gradient, 1, 1.0, _RNG)[0, 0])


class Laplace:
    """Laplace noise for one claim, on the clipped input's L1 norm; says what it is."""

    clip_order = "l2"

    def __init__(self, epsilon: float, clip_norm: float, dimension: int) -> None:
        self.epsilon, self.clip_norm = epsilon, clip_norm
        self.scale = 2 * clip_norm * dimension**0.5 / epsilon

    def randomize(self, gradient: NDArray[np.float32], num_reports: int, generator: object = None) -> Any:
        gradient *= min(1.0, self.clip_norm / max(float(np.linalg.norm(gradient)), 1e-30))  # in place: rude, not wrong
        noise = _RNG.laplace(0.0, self.scale, (num_reports, len(gradient)))
        return np.round((gradient + noise) * 4096) / 4096

    def aggregate(self, reports: NDArray[np.float64]) -> NDArray[np.float64]:
        return reports.mean(axis=0)


class HalfTheNoise(Laplace):
    """Calibrated to the L1 norm of one gradient, as if a neighbour were nothing; leaks far more than it claims."""

    def __init__(self, epsilon: float, clip_norm: float, dimension: int) -> None:
        super().__init__(epsilon, clip_norm, dimension)
        self.scale /= 8


def factory(epsilon: float, clip_norm: float = 1.0) -> Any:
    return lambda gradient: _signs(gradient / clip_norm, 1, epsilon, _RNG)[0]


ready = Laplace(1.0, 1.0, 8)


class NeedsAKey:
    def __init__(self, epsilon: float, licence: str) -> None: ...


class Refuses:
    def __init__(self, epsilon: float) -> None:
        raise RuntimeError(f"no licence\x1b[2J for {epsilon}\nsecond line")


def raises(gradient: object) -> None:
    raise KeyError("the vendor's mistake")


class Leaves:
    """Ends the program that asks what it states."""

    def randomize(self, gradient: NDArray[np.float32]) -> NDArray[np.float32]:
        return gradient

    @property
    def epsilon(self) -> float:
        raise SystemExit(0)


def cancelled(gradient: object) -> None:
    raise BaseException("not even an exception")


def too_long(gradient: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.zeros(2 * len(gradient) + 1_000_001)


def quits(gradient: object) -> None:
    raise SystemExit(3)


def growing(gradient: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.zeros(int(_RNG.integers(1, 1_000)))


def too_few(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
    return np.zeros((num_reports - 1, 3))


def imaginary(gradient: NDArray[np.float32]) -> NDArray[np.complex128]:
    return np.zeros(3, complex)


_BUFFER = np.zeros(4)


def one_buffer(gradient: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the same array each time, with new numbers."""
    _BUFFER[:] = _RNG.normal(size=4)
    return _BUFFER
