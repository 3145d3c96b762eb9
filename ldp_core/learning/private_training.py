"""DP-SGD of many models at once: stacked parameters, and every model draws its own Poisson batches.

The norm of a record's gradient needs no gradient: for linear layers ||g||^2 is the sum over layers of
||slope||^2 ||input||^2, with a 1 appended to the input for the bias (Goodfellow 2015, arXiv:1510.01799). So clipped
sums cost about as much as training without privacy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import torch
from torch import Generator, Tensor

from ldp_core.learning.models import ThreeLayerCnn, optimizer_for, train_pass
from ldp_core.learning.private_cnn import cnn_backward, layer_sizes

HIDDEN = 32


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What is trained, and how.

    Args:
        inputs: records, a 1 appended to each, shape (N, d + 1), float32.
        labels: shape (N,), int64.
        model: ``logistic``, ``mlp`` (one hidden layer of 32 units with ReLU), ``cnn`` (the clients' network), or
            ``features``, which is logistic on what a network with frozen weights makes of images.
        sampling_rate, noise, steps: q, sigma in units of the clipping norm, and T.
        learning_rate: a step moves the parameters by this times the noisy sum over q N.
        image: channels, and height and width, of the records of ``cnn``, which are flat images.
    """

    inputs: Tensor
    labels: Tensor
    classes: int
    model: str
    sampling_rate: float
    noise: float
    steps: int
    clip_norm: float
    learning_rate: float
    image: tuple[int, int] = (0, 0)

    @property
    def scale(self) -> float:
        """What a noisy sum is multiplied by in a step."""
        return self.learning_rate / (self.sampling_rate * len(self.inputs))

    def backward(self, weights: Weights, inputs: Tensor, labels: Tensor) -> Backward:
        """Return losses and gradients of B models on inputs of shape (B, M, d + 1) and labels of shape (B, M)."""
        if self.model == "cnn":
            return cnn_backward(weights, inputs, labels, self.image)
        return linear_backward(weights, inputs, labels)


Weights = list[Tensor]
"""One tensor a layer, shape (models, outputs, inputs + 1)."""


class Backward(Protocol):
    """Losses of B models on M records each, shape (B, M), and what is asked of the records' gradients."""

    @property
    def losses(self) -> Tensor:
        """Cross-entropy losses, shape (B, M)."""
        ...

    def norms(self) -> Tensor:
        """Return the L2 norm of each record's gradient, shape (B, M)."""
        ...

    def inner(self, other: Any) -> Tensor:
        """Return the inner products of gradients with those of another pass of these models, shape (B, M, others)."""
        ...

    def weighted(self, factors: Tensor) -> Weights:
        """Return the sum of gradients times factors of shape (B, M), one tensor a layer."""
        ...


class Canary(Protocol):
    """What the attacker puts into training, and what the attacker notes."""

    def gradient(self, step: int, weights: Weights) -> Weights:
        """Return the clipped gradient that the record adds when it is sampled, shapes (models, outputs, inputs + 1)."""
        ...

    def see(self, step: int, before: Weights, noisy: Weights, after: Weights) -> None:
        """Note one step: the models before, the noisy sum, the models after."""
        ...


def initial(task: Task, models: int, generator: Generator) -> Weights:
    """Return parameters at the start: the same for all models, as the attacker knows them."""
    weights = []
    for outputs, inputs in _sizes(task):
        layer = torch.empty(outputs, inputs + 1).uniform_(-1.0, 1.0, generator=generator) / math.sqrt(inputs)
        weights.append(layer.to(task.inputs.device).expand(models, -1, -1).clone())
    return weights


def _sizes(task: Task) -> list[tuple[int, int]]:
    if task.model == "cnn":
        return layer_sizes(*task.image, task.classes)
    units = [task.inputs.shape[1] - 1, *([HIDDEN] if task.model == "mlp" else []), task.classes]
    return [(after, before) for before, after in pairwise(units)]


@dataclass(frozen=True, slots=True, eq=False)
class LinearBackward:
    """What linear layers saw and their slopes, from which norms and sums follow without a gradient.

    ``losses`` are cross-entropies, shape (B, M); ``seen`` the inputs of each layer, shape (B, M, inputs + 1);
    ``slopes`` those of each layer's outputs, shape (B, M, outputs).
    """

    losses: Tensor
    seen: list[Tensor]
    slopes: list[Tensor]

    def norms(self) -> Tensor:
        """Return the L2 norm of each record's gradient, shape (B, M)."""
        pairs = zip(self.slopes, self.seen, strict=True)
        return torch.stack([slope.square().sum(2) * values.square().sum(2) for slope, values in pairs]).sum(0).sqrt()

    def inner(self, other: LinearBackward) -> Tensor:
        """Return the inner products of gradients with another pass's, shape (B, M, others)."""
        layers = zip(self.slopes, other.slopes, self.seen, other.seen, strict=True)
        return torch.stack([(ours @ theirs.mT) * (values @ saw.mT) for ours, theirs, values, saw in layers]).sum(0)

    def weighted(self, factors: Tensor) -> Weights:
        """Return the sum of gradients times factors of shape (B, M), one tensor a layer."""
        pairs = zip(self.slopes, self.seen, strict=True)
        return [torch.bmm((slope * factors.unsqueeze(2)).mT, values) for slope, values in pairs]


def linear_backward(weights: Weights, inputs: Tensor, labels: Tensor) -> LinearBackward:
    """Return losses and slopes of linear layers with ReLU between them; see ``Task.backward``."""
    seen = [inputs]
    for place, layer in enumerate(weights):
        outputs = torch.bmm(seen[-1], layer.mT)
        if place < len(weights) - 1:
            hidden = outputs.clamp_min(0.0)
            seen.append(torch.cat([hidden, torch.ones_like(hidden[..., :1])], dim=2))
    logs = torch.log_softmax(outputs, dim=2)
    losses = -logs.gather(2, labels.unsqueeze(2)).squeeze(2)
    slope = logs.exp()
    slope = slope.scatter_add(2, labels.unsqueeze(2), -torch.ones_like(losses).unsqueeze(2))
    slopes = [slope]
    for layer, values in zip(reversed(weights[1:]), reversed(seen[1:]), strict=True):
        slopes.append(torch.bmm(slopes[-1], layer[..., :-1]) * (values[..., :-1] > 0))
    return LinearBackward(losses, seen, slopes[::-1])


def clipped_sum(task: Task, weights: Weights, inputs: Tensor, labels: Tensor, counted: Tensor) -> Weights:
    """Return the sum of clipped gradients of the records where ``counted``, shape (B, M), is 1, one tensor a layer."""
    gradients = task.backward(weights, inputs, labels)
    return gradients.weighted(counted * (task.clip_norm / gradients.norms().clamp_min(1e-30)).clamp_max(1.0))


def poisson_batches(records: int, models: int, rate: float, generator: Generator) -> tuple[Tensor, Tensor]:
    """Return each model's own batch: places (B, M), padded with 0, and 1 where a place counts (B, M), float32."""
    drawn = torch.rand(models, records, generator=generator, device=generator.device) < rate
    rows, places = drawn.nonzero(as_tuple=True)
    sizes = drawn.sum(1)
    position = torch.arange(len(rows), device=rows.device) - (sizes.cumsum(0) - sizes)[rows]
    longest = max(1, int(sizes.max()))
    batch = torch.zeros(models, longest, dtype=torch.int64, device=rows.device)
    counted = torch.zeros(models, longest, device=rows.device)
    batch[rows, position] = places
    counted[rows, position] = 1.0
    return batch, counted


def train(
    task: Task,
    canary: Canary | None,
    models: int,
    inside: bool,
    start: Weights,
    generator: Generator,
    halted: Callable[[], bool] = bool,
) -> Weights:
    """Train B models at once, whose canary is a record if ``inside``, and return their final parameters.

    ``start`` is not changed; ``generator`` is of all coins of these models. ``halted`` is asked before each step
    whether to give up; then ``InterruptedError`` is raised.
    """
    weights = start
    for step in range(task.steps):
        if halted():
            raise InterruptedError("the training was halted")
        batch, counted = poisson_batches(len(task.inputs), models, task.sampling_rate, generator)
        total = clipped_sum(task, weights, task.inputs[batch], task.labels[batch], counted)
        sampled = torch.rand(models, generator=generator, device=generator.device) < task.sampling_rate
        if canary is not None:
            added = canary.gradient(step, weights)
            if inside:
                total = [layer + extra * sampled[:, None, None] for layer, extra in zip(total, added, strict=True)]
        spread = task.noise * task.clip_norm
        noisy = [layer + spread * torch.empty_like(layer).normal_(generator=generator) for layer in total]
        after = [layer - task.scale * change for layer, change in zip(weights, noisy, strict=True)]
        if canary is not None:
            canary.see(step, weights, noisy, after)
        weights = after
    return weights


_BATCHES = 300
_AT_A_TIME = 1_000


class FrozenFeatures:
    """The 32 hidden units of the clients' network, trained on public pictures and scaled so that these reach 1."""

    def __init__(self, images: Tensor, labels: Tensor, classes: int, generator: Generator) -> None:
        model = ThreeLayerCnn(images.shape[1], images.shape[2], classes, generator)
        optimizer = optimizer_for(model)
        for _ in range(max(1, round(_BATCHES / -(-len(images) // 64)))):
            train_pass(model, optimizer, images, labels, generator)
        self._layers = model.layers[:-1]
        self._most = self._hidden(images).max().clamp_min(1e-6)

    def of(self, images: Tensor) -> Tensor:
        """Return features in [0, 1], shape (n, 32)."""
        return (self._hidden(images) / self._most).clamp(0.0, 1.0)

    def _hidden(self, images: Tensor) -> Tensor:
        with torch.no_grad():
            return torch.cat([self._layers(some) for some in torch.split(images, _AT_A_TIME)])
