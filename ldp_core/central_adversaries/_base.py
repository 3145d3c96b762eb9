"""What the six adversaries of DP-SGD have in common."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.private_training import Task, Weights

LOSSES = ("final-loss", "max-loss", "mean-loss")
PRODUCTS = ("likelihood-ratio", "sum")
DISTINGUISHERS = (*LOSSES, *PRODUCTS)
"""Rules 1 to 3 of the paper, by the loss; and by the noisy sums: the best rule, and what the last iterate gives."""
_CLIMBS = 30


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """An attack that is ready, made once before any game; a malicious data set replaces the task's records.

    ``note``, given a number of models, makes what follows one group of them: a canary with ``scores``.
    """

    task: Task
    note: partial[Any]

    def on(self, device: str) -> Plan:
        """Return the same attack with all of its tensors on a device."""
        return Plan(_on(self.task, device), partial(self.note.func, *_on(self.note.args, device)))


def _on(value: Any, device: str) -> Any:
    """Return tensors, and what holds them, on a device; anything else as it is."""
    from torch import Tensor

    from ldp_core.learning.private_training import Task

    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, Task):
        return replace(value, inputs=value.inputs.to(device), labels=value.labels.to(device))
    return type(value)(_on(item, device) for item in value) if isinstance(value, tuple | list) else value


class CentralAdversary(ABC):
    """One of the adversaries of Nasr et al. 2021, arXiv:2101.04535.

    ``controls`` is what it must control, weakest first: ``api``, ``record``, ``models``, ``batches``, ``gradients``,
    ``dataset``. ``rules`` are distinguishers that it can use, its own first. ``exact`` says that adversary 6's exact
    law is its own.
    """

    name: ClassVar[str]
    controls: ClassVar[str]
    rules: ClassVar[tuple[str, ...]]
    exact: ClassVar[bool] = False

    @abstractmethod
    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Prepare the attack on a task, from one model's parameters before the first step.

        ``held_out`` are records of the same kind that are not in the data set: inputs (n, d + 1) and labels (n,).
        """


class RecordCanary:
    """One record, shape (d + 1,), the same in every step; notes its loss before the first step and after each one."""

    def __init__(self, task: Task, record: Tensor, label: int, models: int) -> None:
        import torch

        self._task = task
        self.inputs = record.expand(models, 1, -1)
        self.labels = torch.full((models, 1), label, device=record.device)
        self._most = torch.full((models,), -math.inf, device=record.device)
        self._sum = torch.zeros(models, device=record.device)
        self._last = torch.zeros(models, device=record.device)

    def gradient(self, step: int, weights: Weights) -> Weights:
        """Return the record's clipped gradient."""
        import torch

        from ldp_core.learning.private_training import clipped_sum

        return clipped_sum(self._task, weights, self.inputs, self.labels, torch.ones_like(self._last[:, None]))

    def see(self, step: int, before: Weights, noisy: Weights, after: Weights) -> None:
        """Note the record's loss."""
        self._last = self._task.backward(after, self.inputs, self.labels).losses[:, 0]
        self._sum += self._last
        self._most = self._most.maximum(self._last)

    def scores(self) -> dict[str, Tensor]:
        """Return what each rule says of each model: the larger, the likelier the record was in."""
        return {"final-loss": -self._last, "max-loss": -self._most, "mean-loss": -self._sum / self._task.steps}


class Products:
    """Adds up what inner products with the canary's gradient say."""

    def __init__(self, task: Task, models: int) -> None:
        import torch

        self._rate, self._noise = task.sampling_rate, task.noise
        self._ratio = torch.zeros(models, device=task.inputs.device, dtype=torch.float64)
        self._sum = torch.zeros_like(self._ratio)

    def add(self, products: Tensor, reach: Tensor | float = 1.0) -> None:
        """Note x = <noisy sum - mean of the others, v> / C of one step, shape (models,), where v is the unit direction.

        ``reach`` r is what the record adds to x when it is sampled; 1 if its gradient is C long.

        Source: derived here. Out x ~ N(0, sigma^2), in (1 - q) N(0, sigma^2) + q N(r, sigma^2).
        """
        import torch

        x = products.double()
        exponent = math.log(self._rate) + reach * (2.0 * x - reach) / (2.0 * self._noise**2)
        rest = torch.full_like(x, math.log1p(-self._rate) if self._rate < 1.0 else -math.inf)
        self._ratio += torch.logaddexp(rest, exponent)
        self._sum += x

    def scores(self) -> dict[str, Tensor]:
        """Return what each rule says of each model."""
        return {"likelihood-ratio": self._ratio, "sum": self._sum}


def shadow_models(task: Task, start: Weights, generator: Generator) -> list[Weights]:
    """Return models trained without the canary, at the start, after half of the steps, and at the end."""
    from ldp_core.learning.private_training import train

    models = 2 if task.model == "cnn" else 8
    first = [layer.expand(models, -1, -1).clone() for layer in start]
    half = train(replace(task, steps=max(1, task.steps // 2)), None, models, False, first, generator)
    rest = task.steps - max(1, task.steps // 2)
    end = train(replace(task, steps=rest), None, models, False, half, generator) if rest else half
    return [first, half, end]


def worst_record(task: Task, held_out: tuple[Tensor, Tensor], shadows: list[Weights]) -> tuple[Tensor, int]:
    """Return the record of pixels in [0, 1] and the label whose trace in a step stands out most on shadow models.

    It starts at held-out records with their likeliest wrong labels and climbs by the sign of the gradient, as DeepFool
    does towards the border.
    """
    import torch

    weights = [torch.cat(layers) for layers in zip(*shadows, strict=True)]
    inputs, labels = held_out[0][:64], held_out[1][:64]
    shifts = range(1, task.classes)
    trace = partial(strength, task, weights, held_out)

    def effect(records: Tensor, classes: Tensor) -> Tensor:
        count = len(weights[0])
        return trace(records.expand(count, -1, -1), classes.expand(count, -1)).mean(0)

    gains = torch.stack([effect(inputs, (labels + shift) % task.classes) for shift in shifts])
    classes = (labels + 1 + gains.argmax(0)) % task.classes
    for _ in range(_CLIMBS):
        varied = inputs.clone().requires_grad_()
        (slope,) = torch.autograd.grad(effect(varied, classes).sum(), [varied])
        inputs = moved(inputs, 0.1 * slope.sign())
    best = int(effect(inputs, classes).argmax())
    return inputs[best], int(classes[best])


def strength(task: Task, weights: Weights, held_out: tuple[Tensor, Tensor], records: Tensor, labels: Tensor) -> Tensor:
    """Return how far a step that samples a record changes its own loss, in standard deviations of it, shape (B, M).

    The loss changes by <gradient, noisy sum>: the record adds its clipped length times its length, the noise sigma C
    times its length, and the others, for whom ``held_out`` stands, what sampling makes of their inner products with it.
    The records of B models have shape (B, M, d + 1), the labels (B, M).
    """
    count, some = len(records), 128
    gradients = task.backward(weights, records, labels)
    sizes = gradients.norms().clamp_min(1e-12)
    inputs, classes = held_out[0][:some].expand(count, -1, -1), held_out[1][:some].expand(count, -1)
    others = task.backward(weights, inputs, classes)
    clipped = (task.clip_norm / others.norms().clamp_min(1e-12)).clamp_max(1.0)
    inner = gradients.inner(others)
    square = (inner * clipped[:, None]).square().mean(2)
    sampled = task.sampling_rate * (1.0 - task.sampling_rate) * len(task.inputs)
    spread = ((task.noise * task.clip_norm * sizes).square() + sampled * square).sqrt()
    return sizes * sizes.clamp_max(task.clip_norm) / spread


def moved(inputs: Tensor, change: Tensor) -> Tensor:
    """Return records whose pixels are moved and kept in [0, 1]; the last number stays 1."""
    import torch

    pixels = (inputs + change)[..., :-1].clamp(0.0, 1.0)
    return torch.cat([pixels, torch.ones_like(pixels[..., :1])], dim=-1)


def along(layers: Weights, unit: Weights) -> Tensor:
    """Return inner products of many models' vectors with one direction (or one each), shape (models,)."""
    parts = [(layer * direction).flatten(1).sum(1) for layer, direction in zip(layers, unit, strict=True)]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def length(layers: Weights) -> Tensor:
    """Return the L2 norm of many models' vectors, shape (models,)."""
    return along(layers, layers).sqrt().clamp_min(math.ldexp(1.0, -100))
