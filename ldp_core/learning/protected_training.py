"""Training by plain gradient steps under a protection: what each of the compared methods does with a batch.

All methods take the same steps: batches in random order, a learning rate that falls linearly to 0, no momentum. They
differ in what stands for the mean gradient of a batch. Batches are shuffled, not drawn by Poisson sampling, and no
epsilon is stated for DP-SGD and DP-PSAC here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Generator, Tensor
from torch.nn.functional import cross_entropy

from ldp_core.channels import Fitted
from ldp_core.learning.gradients import client_gradients, clipped
from ldp_core.learning.models import ThreeLayerCnn
from ldp_core.learning.sent import noisy, report_signs
from ldp_core.mechanisms.ldp_sgd import LdpSgd

if TYPE_CHECKING:
    from ldp_core.datasets import ImageData

STABILITY = 0.1
"""r of DP-PSAC: how long a gradient must be to count as a long one."""


def first_model(data: ImageData, generator: torch.Generator) -> ThreeLayerCnn:
    """Return a model before training, its weights sqrt(3) times torch's: plain steps else begin on a plateau."""
    channels, size = data.train_images.shape[1:3]
    model = ThreeLayerCnn(channels, size, data.num_classes, generator)
    with torch.no_grad():
        for values in model.parameters():
            values.mul_(math.sqrt(3.0))
    return model


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long and how fast a training goes: passes > 0, pictures of a step, and the learning rate of the first one.

    ``clip_norm`` is the L2 bound L on one picture's gradient, where a method has one.
    """

    passes: int
    batch: int
    rate: float
    clip_norm: float


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """What stands for the mean gradient of a batch.

    ``name`` is ``sgd``, ``clip``, ``dp-sgd``, ``dp-psac``, ``ldp-sgd``, or ``channel`` for noise on the pictures, fresh
    each time one is used. ``noise`` is the multiplier z of Gaussian noise in units of L, of DP-SGD and DP-PSAC.
    """

    name: str
    noise: float = 0.0
    mechanism: LdpSgd | None = None
    channel: Fitted | None = None


def shortened(gradients: Tensor, clip_norm: float) -> Tensor:
    """Return gradients as DP-PSAC weighs them, shape (m, d): each shorter than L, short ones hardly lengthened.

    A gradient g becomes L g / (||g|| + r / (||g|| + r)), with r = 0.1 and L > 0.

    Source: Xia et al. 2022, arXiv:2212.00328 (per-sample adaptive clipping).
    """
    norms = torch.linalg.vector_norm(gradients, dim=1, keepdim=True, dtype=torch.float64)
    weights = clip_norm / (norms + STABILITY / (norms + STABILITY))
    short: Tensor = gradients * weights.to(gradients.dtype)
    return short


def step_of(
    method: Method,
    model: ThreeLayerCnn,
    images: Tensor,
    labels: Tensor,
    clip_norm: float,
    generator: Generator,
) -> Tensor:
    """Return what a method makes of the mean gradient of a batch, shape (d,); the model is not changed."""
    if method.channel is not None:
        images = noisy(method.channel, images, generator)
    if method.name in ("sgd", "channel"):
        parts = torch.autograd.grad(cross_entropy(model(images), labels), list(model.parameters()))
        return torch.cat([part.reshape(-1) for part in parts])
    gradients = client_gradients(model, images, labels)
    if method.mechanism is not None:
        norms = torch.linalg.vector_norm(gradients, dim=1, dtype=torch.float64)
        units = torch.empty_like(gradients).normal_(generator=generator)
        units /= torch.linalg.vector_norm(units, dim=1, keepdim=True)
        draws = torch.rand(2, len(images), generator=generator, dtype=torch.float64)
        signs = report_signs(method.mechanism, gradients, norms, units, draws)
        return method.mechanism.aggregate((signs @ units / len(images)).unsqueeze(0))
    short = shortened(gradients, clip_norm) if method.name == "dp-psac" else clipped(gradients, clip_norm)
    mean = short.mean(dim=0)
    if method.noise:
        mean += torch.empty_like(mean).normal_(generator=generator) * (method.noise * clip_norm / len(images))
    return mean


def protected_passes(
    method: Method, model: ThreeLayerCnn, images: Tensor, labels: Tensor, recipe: Recipe, generator: Generator
) -> Iterator[int]:
    """Train a model in place; yield after each pass how many are done. Other arguments as in ``step_of``."""
    steps = recipe.passes * math.ceil(len(images) / recipe.batch)
    done = 0
    for number in range(1, recipe.passes + 1):
        for places in torch.split(torch.randperm(len(images), generator=generator), recipe.batch):
            step = step_of(method, model, images[places], labels[places], recipe.clip_norm, generator)
            rate, start = recipe.rate * (1.0 - done / steps), 0
            with torch.no_grad():
                for values in model.parameters():
                    values.sub_(rate * step[start : start + values.numel()].reshape(values.shape))
                    start += values.numel()
            done += 1
        yield number
