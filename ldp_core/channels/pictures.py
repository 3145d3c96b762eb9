"""Channels on the picture: independent noise, noise with the pictures' covariance, and what follows from a fit."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core.statistics.information import eigenvalues_of, noise_for, rank_of

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A channel for pictures of a covariance.

    Args:
        covariance: of the pictures, shape (d, d).
        factor: noise is this times standard normals: shape (d,) for independent pixels, else (d, r).
        ratios: eigenvalues of the data over the noise, after whitening it; capacity is 1/2 sum log(1 + ratio).
        sigma: standard deviation of the noise where the importance is 1; None where each direction has its own.
        rank: directions in which pictures differ.
    """

    covariance: Values
    factor: Values
    ratios: Values
    sigma: float | None
    rank: int

    @property
    def noise(self) -> Values:
        """Covariance of the noise, shape (d, d)."""
        covariance = np.diag(self.factor**2) if self.factor.ndim == 1 else self.factor @ self.factor.T
        return np.asarray(covariance, dtype=np.float64)

    def capacity(self, rounds: int = 1) -> float:
        """Return the capacity of several rounds with fresh noise, in nats; noise drawn once gives that of one round."""
        return 0.5 * float(np.log1p(rounds * self.ratios).sum())

    def wiener(self) -> Values:
        """Return the matrix W of the linear estimate (Kay 1993, 12.7): picture - mean is about W (noisy - mean)."""
        total = np.asarray(self.covariance + self.noise)
        scale = float(np.trace(total)) / len(total)
        matrix = np.linalg.solve(total + 1e-12 * scale * np.eye(len(total)), self.covariance).T
        return np.asarray(matrix, dtype=np.float64)

    def wiener_error(self, levels: Values | None = None) -> float:
        """Return the squared error per pixel of the linear estimate, mean over pictures of this covariance.

        ``levels``: how much each pixel counts, shape (d,), at least 0 and not all 0; None for all alike.
        """
        left = np.diag(self.covariance) - np.einsum("ij,ij->i", self.wiener(), self.covariance)
        return max(0.0, float(np.average(left, weights=levels)))

    def add_to(self, pictures: Values, normals: Values) -> Values:
        """Return noisy pictures, shape (n, d); of the standard normals a channel of lower rank uses the first r."""
        if self.factor.ndim == 1:
            return pictures + normals * self.factor
        return pictures + normals[:, : self.factor.shape[1]] @ self.factor.T

    def nearest(self, sent: Values, candidates: Values) -> NDArray[np.int64]:
        """Return the likeliest of N equally likely candidates for each noisy picture: the nearest, noise whitened."""
        if self.factor.ndim == 1:
            left, right = sent / self.factor, candidates / self.factor
        else:  # the columns of the factor are orthogonal: noise in each is as long as the column
            scale = self.factor / (self.factor**2).sum(axis=0)
            left, right = sent @ scale, candidates @ scale
        distances = (right**2).sum(axis=1) - 2.0 * left @ right.T
        return np.asarray(distances.argmin(axis=1), dtype=np.int64)


Fit = Callable[[float], Fitted]
"""Makes the channel whose capacity is as wanted, in nats, > 0; raises ``ValueError`` if no noise reaches it."""


class Channel(ABC):
    """Gaussian noise on a picture, as strong as a capacity allows."""

    name: ClassVar[str]
    paints: ClassVar[bool] = False
    """Whether it takes an importance for each pixel."""

    @abstractmethod
    def fits(self, covariance: Values, importance: Values | None = None) -> Fit:
        """Return what makes the channel of a capacity; what all capacities share is computed once.

        The covariance is that of public pictures, pixels in [0, 1], shape (d, d); ``importance`` is how much more noise
        each pixel gets, shape (d,), > 0; None for the same everywhere.
        """

    def fit(self, covariance: Values, capacity: float, importance: Values | None = None) -> Fitted:
        """Return the channel of one capacity; see ``fits`` and ``Fit``."""
        return self.fits(covariance, importance)(capacity)


class Natural(Channel):
    """Independent noise of variance sigma^2 on each pixel: what differs most between pictures stays visible.

    Source: the paper named at ``information.capacity``, Sect. 5 (natural channel).
    """

    name: ClassVar[str] = "natural"

    def fits(self, covariance: Values, importance: Values | None = None) -> Fit:
        """Return what solves C(sigma^2) = C; see ``Channel.fits``."""
        return _independent(covariance, np.ones(len(covariance)))


class White(Channel):
    """Noise of covariance Sigma / (e^(2C/r) - 1), with r the rank: the same share of every direction is hidden.

    Its noise has the shape of the pictures, so it must be fitted to public ones.

    Source: the paper named at ``information.capacity``, Sect. 5 (white channel).
    """

    name: ClassVar[str] = "white"

    def fits(self, covariance: Values, importance: Values | None = None) -> Fit:
        """Return the closed form; see ``Channel.fits``."""
        values, vectors = np.linalg.eigh(covariance)
        values = np.maximum(values, 0.0)
        rank = rank_of(values)
        kept = np.argsort(values)[::-1][:rank]

        def fit(capacity: float) -> Fitted:
            if rank == 0:
                raise ValueError(
                    f"capacity must be one that noise reaches, got {capacity:g} for pictures that do not differ"
                )
            if 2.0 * capacity / rank > 600.0:
                raise ValueError(
                    f"capacity must be one that noise reaches, at most {300.0 * rank:g} here, got {capacity:g}"
                )
            ratio = math.expm1(2.0 * capacity / rank)
            factor = vectors[:, kept] * np.sqrt(values[kept] / ratio)
            return Fitted(covariance, factor, np.full(rank, ratio), None, rank)

        return fit


class Personalized(Channel):
    """Independent noise of variance sigma^2 times the importance of each pixel, with the exact capacity.

    Source: the paper named at ``information.capacity``, Sect. 5 (personalized channel). The paper solves its upper
        bound, Theorem 3 (``information.diagonal_capacity``), which gives more noise than C needs; here C is exact.
    """

    name: ClassVar[str] = "personalized"
    paints: ClassVar[bool] = True

    def fits(self, covariance: Values, importance: Values | None = None) -> Fit:
        """Return what solves 1/2 sum log(1 + mu / sigma^2) = C; see ``Channel.fits``."""
        weights = np.ones(len(covariance)) if importance is None else np.asarray(importance, dtype=np.float64)
        if weights.shape != (len(covariance),) or not (weights > 0.0).all() or not np.isfinite(weights).all():
            raise ValueError(f"importance must be {len(covariance)} numbers greater than 0, got something else")
        return _independent(covariance, np.sqrt(weights))


def _independent(covariance: Values, root: Values) -> Fit:
    """Return what makes independent noise of deviation sigma times ``root``, by the whitened data's eigenvalues mu."""
    eigenvalues = eigenvalues_of(covariance / np.outer(root, root))

    def fit(capacity: float) -> Fitted:
        noise = noise_for(eigenvalues, capacity)
        return Fitted(covariance, math.sqrt(noise) * root, eigenvalues / noise, math.sqrt(noise), rank_of(eigenvalues))

    return fit
