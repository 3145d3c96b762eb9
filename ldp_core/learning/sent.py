"""What a server holds after many LDP-SGD reports of one update, drawn without building each report.

A report is a uniform unit vector, turned to the update's own side or away from it. So the mean of n reports is a known
law along the update and is rotationally symmetric across it, and what reports say of N candidates depends on their
coordinates in the candidates' span alone.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor

from ldp_core.channels import Fitted
from ldp_core.types import Draws

_EXACT = 4_096
_BLOCK_VALUES = 2**21


class Turning(Protocol):
    """A mechanism whose report is a uniform direction, turned to the gradient's own side or away from it."""

    @property
    def clip_norm(self) -> float:
        """Bound L on a gradient."""
        ...

    @property
    def same_side_probability(self) -> float:
        """How often a report stays on the side of the gradient, after its norm was projected."""
        ...

    def own_side(self, norm: float | Draws, draws: Draws) -> Draws:
        """Return whether each report ends on its gradient's side, from uniform draws of shape (2, *reports)."""
        ...


class ReportNoise:
    """The noise of many reports of one update; it depends on neither the update nor epsilon, so both may move.

    Up to 4,096 reports the law of their mean is exact; what more of them add is drawn from its Gaussian limit, with the
    exact mean and variance. Updates have length d >= 3. The generator, on the CPU, gives the same noise at every
    epsilon.
    """

    def __init__(self, dimension: int, reports: int, generator: Generator) -> None:
        few = min(reports, _EXACT)
        self.dimension, self.few = dimension, few
        self.across = torch.empty(dimension, dtype=torch.float64).normal_(generator=generator)
        self.draws = torch.rand(2, few, generator=generator, dtype=torch.float64).numpy()
        normals = torch.empty(2, few, dtype=torch.float64).normal_(generator=generator)
        squares = normals[0].square()
        squares = squares / (squares + _chi_square(dimension - 1, few, generator))
        self.along, self._squares = squares.sqrt().numpy(), np.cumsum(1.0 - squares.numpy())
        turns = normals[1] / (normals[1].square() + _chi_square(dimension - 2, few, generator)).sqrt()
        self._lengths = _walk_lengths(np.sqrt(1.0 - squares.numpy()), turns.numpy())
        self._later = torch.empty(1, dtype=torch.float64).normal_(generator=generator).item()
        self._spread = float(_chi_square(dimension - 1, 1, generator)[0]) / (dimension - 1)

    def _across_length(self, reports: int) -> float:
        """Return the length of the sum of the parts across the update."""
        if reports <= self.few:
            return float(self._lengths[reports - 1])
        squares = self._squares[-1] + (reports - self.few) * (1.0 - 1.0 / self.dimension)
        return math.sqrt(float(squares) * self._spread)

    def means(self, mechanism: Turning, direction: Tensor, norm: float, counts: Sequence[int]) -> Tensor:
        """Return for each n in ``counts`` a mean of n reports, shape (len(counts), d), float64.

        The update is its unit vector, shape (d,), and its L2 norm. Several n share reports along it and one direction
        across.
        """
        unit = direction.double()
        sums = np.cumsum(np.where(mechanism.own_side(norm, self.draws), self.along, -self.along))
        bias = min(norm / mechanism.clip_norm, 1.0) * (2.0 * mechanism.same_side_probability - 1.0)
        mean = (
            bias
            * math.exp(math.lgamma(self.dimension / 2) - math.lgamma((self.dimension + 1) / 2))
            / math.sqrt(math.pi)
        )
        spread = math.sqrt(1.0 / self.dimension - mean * mean)
        across = self.across - (self.across @ unit) * unit
        across = across / across.norm()
        means = []
        for number in counts:
            more = max(0, number - self.few)
            along = float(sums[min(number, self.few) - 1]) + more * mean + math.sqrt(more) * spread * self._later
            means.append((along * unit + self._across_length(number) * across) / number)
        return torch.stack(means)


def span_of(gradients: Tensor) -> tuple[Tensor, Tensor]:
    """Return N updates of shape (N, d) as coordinates in their span, and their norms.

    The unit vectors (zeros for a zero update) have shape (N, k) and the same inner products, float64.
    """
    norms = torch.linalg.vector_norm(gradients, dim=1, dtype=torch.float64)
    units = gradients / norms.clamp_min(1e-30).unsqueeze(1).to(gradients.dtype)
    values, vectors = torch.linalg.eigh((units @ units.mT).double())
    kept = values > 1e-9 * values[-1].clamp_min(1e-30)
    coordinates = vectors[:, kept] * values[kept].sqrt()
    lengths = coordinates.norm(dim=1, keepdim=True)
    return torch.where(lengths > 0.5, coordinates / lengths, torch.zeros(1, dtype=torch.float64)), norms


def span_reports(
    mechanism: Turning, direction: Tensor, norm: float, dimension: int, reports: int, generator: Generator
) -> Iterator[Tensor]:
    """Yield the coordinates of n reports in a span of k < d directions, in blocks of shape (b, k), float32.

    ``direction`` has the coordinates of the update's direction, shape (k,); all of it lies in the span. ``norm`` is its
    L2 norm, and the generator is on the CPU. The reports are unit vectors of length d.
    """
    size = len(direction)
    rows = max(1, _BLOCK_VALUES // size)
    for start in range(0, reports, rows):
        count = min(rows, reports - start)
        drawn = torch.empty(count, size).normal_(generator=generator)
        rest = _chi_square(dimension - size, count, generator).float()
        draws = torch.rand(2, count, generator=generator, dtype=torch.float64)
        drawn /= (drawn.square().sum(dim=1) + rest).sqrt_().unsqueeze(1)
        drawn[mechanism.own_side(norm, draws) != (drawn @ direction.float() >= 0)] *= -1.0
        yield drawn


def report_signs(mechanism: Turning, gradients: Tensor, norms: Tensor, directions: Tensor, draws: Tensor) -> Tensor:
    """Randomize n gradients of n clients, each once, by LDP-SGD's law: report i is ``sign[i] * directions[i]``.

    ``gradients``: before clipping, shape (n, d); ``norms``: their L2 norms, shape (n,), float64; ``directions``:
    independent and uniform on the unit sphere, shape (n, d); ``draws``: uniform on [0, 1), shape (2, n), float64: the
    norm coin and the hemisphere coin.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Algorithm 1, as in ``LdpSgd.randomize``.
    """
    inner = (directions * gradients).sum(dim=1)
    return torch.where(mechanism.own_side(norms, draws) == (inner >= 0), 1.0, -1.0).to(directions.dtype)


def covariance_of(images: Tensor) -> NDArray[np.float64]:
    """Return the covariance of pictures, shape (n, channels, size, size), pixels as they are: shape (d, d)."""
    covariance: NDArray[np.float64] = np.cov(images.flatten(1).double().numpy().T, bias=True)
    return covariance


def noisy(channel: Fitted, images: Tensor, generator: Generator) -> Tensor:
    """Return pictures of shape (n, channels, size, size) after a channel fitted to that shape, not cut to [0, 1]."""
    flat = images.flatten(1).double()
    normals = torch.empty_like(flat).normal_(generator=generator)
    sent = channel.add_to(flat.numpy(), normals.numpy())
    return torch.from_numpy(sent).reshape(images.shape).to(images.dtype)


def _chi_square(degrees: int, count: int, generator: Generator) -> Tensor:
    return torch._standard_gamma(torch.full((count,), degrees / 2, dtype=torch.float64), generator=generator) * 2.0


def _walk_lengths(steps: NDArray[np.float64], cosines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far a walk is from its start after each step, given each step's cosine with the way so far."""
    squares, square = np.empty(len(steps)), 0.0
    for number, (step, cosine) in enumerate(zip(steps.tolist(), cosines.tolist(), strict=True)):
        square += step * step + 2.0 * step * cosine * square**0.5
        squares[number] = square
    return np.sqrt(np.maximum(squares, 0.0))
