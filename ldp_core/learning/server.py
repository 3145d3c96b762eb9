"""The server of a round: the model trainer, and the other clients whose reports it averages."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn

from ldp_core import _validate
from ldp_core.learning.gradients import client_gradient
from ldp_core.learning.models import flat_parameters
from ldp_core.mechanisms.ldp_sgd import gamma_ratio
from ldp_core.private import Private, direction_and_norm

DEFAULT_RADIUS = 3.0
"""Radius of the server's ball in norms of the model that is sent, where none is given; the papers give none.

The unbiased step is 1.25 times as long as the radius; an ordinary server's (``USUAL_STEP``) never leaves the ball.
"""


@dataclass(frozen=True, slots=True)
class ModelTrainer:
    """Average n >= 1 reports, step, and project the model onto a ball of this radius, in the parameters' own unit.

    With the step size of the papers, epsilon and the clipping norm cancel: the step that n reports z_i make is
    ``step_length / sqrt(n) * sum(z_i)``. With the unbiased constant, which a length of 0 stands for, it is
    ``unbiased_step(d, radius)``, longer than the model itself.

    Source: Matsumoto et al. 2022, arXiv:2206.09122, Algorithm 2, with the unbiased constant (see ``LdpSgd.aggregate``).
    """

    dimension: int
    radius: float
    num_clients: int = 1
    step_length: float = 0.0

    def __post_init__(self) -> None:
        _validate.integer("dimension", self.dimension, 2)
        _validate.open_number("radius", self.radius, 0.0, math.inf)
        _validate.integer("num_clients", self.num_clients, 1)
        _validate.number("step_length", self.step_length, 0.0, sys.float_info.max)
        if not self.step_length:
            object.__setattr__(self, "step_length", unbiased_step(self.dimension, self.radius))

    def updated(self, before: Tensor, totals: Tensor) -> Tensor:
        """Return the model after a round for many trials, shape (m, d), no longer than ``radius``.

        ``totals`` are sums of the round's n reports, shape (m, d), and are overwritten; ``before`` is theta_t,
        shape (d,).
        """
        after = totals.mul_(-self.step_length / math.sqrt(self.num_clients)).add_(before)
        lengths = torch.linalg.vector_norm(after, dim=1, keepdim=True)
        return after.mul_((self.radius / lengths).clamp_(max=1.0))


def unbiased_step(dimension: int, radius: float) -> float:
    """Return ``radius * sqrt(pi / d) * Gamma((d+1)/2) / Gamma(d/2)``, about 1.25 times the radius."""
    return radius * math.sqrt(math.pi / dimension) * gamma_ratio(dimension)


def step_of(server_step: float | str, dimension: int, radius: float, norm: float) -> float:
    """Return the length of a server's step in the parameters' own unit; ``norm`` is that of the model sent.

    ``server_step`` is as in ``AuditConfig``; the constant as printed is 1/d of the unbiased one.
    """
    if server_step == "unbiased":
        return unbiased_step(dimension, radius)
    if server_step == "printed":
        return unbiased_step(dimension, radius) / dimension
    return float(server_step) * norm


def check_radius(radius: float, model: nn.Module) -> None:
    """Raise ``ValueError`` if the server's ball is too small for the model that it sends."""
    length = flat_parameters(model).norm().item()
    if radius < length * (1.0 - 1e-6):
        raise ValueError(f"radius must be at least the norm of the model that is sent, {length:.6g}, got {radius:g}")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class HonestClients(Private):
    """The gradients of the other clients of a round. Private, as everybody's gradients are.

    The directions are unit vectors (zeros for a zero gradient), shape (n, d); the n L2 norms are those before clipping.
    """

    directions: Tensor
    norms: tuple[float, ...]

    def to(self, device: str) -> HonestClients:
        """Return the gradients on another device."""
        return HonestClients(self.directions.to(device), self.norms)


def honest_clients(model: nn.Module, images: Tensor, labels: Tensor, count: int, generator: Generator) -> HonestClients:
    """Give each of ``count`` other clients an image of its own, without replacement as far as they reach."""
    dimension = sum(values.numel() for values in model.parameters())
    directions, norms = torch.empty(count, dimension, device=images.device), []
    rounds = -(-max(count, 1) // len(images))
    drawn = torch.cat([torch.randperm(len(images), generator=generator) for _ in range(rounds)])
    for number, index in enumerate(drawn[:count].tolist()):
        direction, norm = direction_and_norm(client_gradient(model, images[index], labels[index]))
        directions[number] = direction
        norms.append(norm)
    return HonestClients(directions, tuple(norms))
