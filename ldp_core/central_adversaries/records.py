"""Adversaries who put in a record and look at its loss: from asking the model to a new record for each step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ldp_core.central_adversaries._base import (
    CentralAdversary,
    Plan,
    RecordCanary,
    moved,
    shadow_models,
    strength,
    worst_record,
)

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.private_training import Task, Weights


class Api(CentralAdversary):
    """API access: the final loss of a random record of the data's kind, with its own label."""

    name: ClassVar[str] = "api"
    controls: ClassVar[str] = "api"
    rules: ClassVar[tuple[str, ...]] = ("final-loss",)

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Pick the record."""
        import torch

        place = int(torch.randint(len(held_out[0]), (1,), generator=generator))
        return Plan(task, partial(RecordCanary, task, held_out[0][place], int(held_out[1][place])))


class StaticPoison(CentralAdversary):
    """Static poison: the final loss of the record that shadow models say is the worst."""

    name: ClassVar[str] = "static-poison"
    controls: ClassVar[str] = "record"
    rules: ClassVar[tuple[str, ...]] = ("final-loss",)

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Make the record."""
        record, label = worst_record(task, held_out, shadow_models(task, start, generator))
        return Plan(task, partial(RecordCanary, task, record, label))


class Intermediate(StaticPoison):
    """Intermediate models: the mean or the largest loss of the same record over all models."""

    name: ClassVar[str] = "intermediate"
    controls: ClassVar[str] = "models"
    rules: ClassVar[tuple[str, ...]] = ("mean-loss", "max-loss", "final-loss")


class AdaptivePoison(CentralAdversary):
    """Adaptive poison: before each step, moves the record towards a larger fall of its loss by that step."""

    name: ClassVar[str] = "adaptive-poison"
    controls: ClassVar[str] = "batches"
    rules: ClassVar[tuple[str, ...]] = ("mean-loss", "max-loss", "final-loss")

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Make the record of the first step."""
        record, label = worst_record(task, held_out, shadow_models(task, start, generator))
        return Plan(task, partial(MovingCanary, task, held_out, record, label))


class MovingCanary(RecordCanary):
    """A record of each model's own, moved before each step by the sign of a gradient, its pixels in [0, 1].

    It notes how much the step changed the loss of the step's record, in units of what the record itself would change.
    The gradient is of that change in standard deviations, through the step, see ``strength``.
    """

    def __init__(self, task: Task, held_out: tuple[Tensor, Tensor], record: Tensor, label: int, models: int) -> None:
        super().__init__(task, record, label, models)
        self._held_out = held_out

    def gradient(self, step: int, weights: Weights) -> Weights:
        """Move the record and return its clipped gradient."""
        import torch

        varied = self.inputs.detach().clone().requires_grad_()
        effect = strength(self._task, weights, self._held_out, varied, self.labels)
        (slope,) = torch.autograd.grad(effect.sum(), [varied])
        self.inputs = moved(self.inputs, 0.05 * slope.sign())
        return super().gradient(step, weights)

    def see(self, step: int, before: Weights, noisy: Weights, after: Weights) -> None:
        """Note the change of the loss."""
        gradients = self._task.backward(before, self.inputs, self.labels)
        size, was = gradients.norms()[:, 0].clamp_min(1e-12), gradients.losses[:, 0]
        now = self._task.backward(after, self.inputs, self.labels).losses[:, 0]
        self._last = (now - was) / (size * self._task.scale * self._task.clip_norm)
        self._sum += self._last
        self._most = self._most.maximum(self._last)
