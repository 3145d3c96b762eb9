"""Gradient: hands the server a gradient of its choice, and sees every noisy sum (all models tell them)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ldp_core import _validate
from ldp_core.central_adversaries._base import (
    PRODUCTS,
    CentralAdversary,
    Plan,
    Products,
    along,
    shadow_models,
)

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.private_training import Task, Weights

DIRECTIONS = ("dead-inputs", "random", "watermark")
WATERMARK_HALF = 16
"""n of the watermark: 2n parameters are marked."""


@dataclass(frozen=True, slots=True)
class Gradient(CentralAdversary):
    """One direction of length C.

    ``direction``: ``dead-inputs`` (weights of inputs that are zero in every record: the others add nothing there, so
    that adversary 6's law is exact), ``random``, or ``watermark`` (the paper's: the 2n parameters that change least,
    alternating +C / sqrt(2n) and -C / sqrt(2n)).
    """

    direction: str = "dead-inputs"

    name: ClassVar[str] = "gradient"
    controls: ClassVar[str] = "gradients"
    rules: ClassVar[tuple[str, ...]] = PRODUCTS
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _validate.choice("direction", self.direction, DIRECTIONS)

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Make the direction; ``ValueError`` if dead inputs are asked for and there are none."""
        import torch

        flat = torch.cat([layer[0].flatten() for layer in start])
        if self.direction == "random":
            made = torch.empty(len(flat)).normal_(generator=generator).to(flat.device)
        else:
            dead = self.direction == "dead-inputs"
            places = self._dead(task, start) if dead else self._quiet(task, start, generator)
            signs = torch.ones(len(places), device=flat.device)
            signs[1::2] = -1.0
            made = torch.zeros_like(flat)
            made[places] = signs
        made = made / torch.linalg.vector_norm(made)
        sizes = [layer[0].numel() for layer in start]
        unit = [part.view_as(layer[0]) for part, layer in zip(made.split(sizes), start, strict=True)]
        return Plan(task, partial(DirectionCanary, task, unit, self.direction != "dead-inputs"))

    def _dead(self, task: Task, start: Weights) -> Tensor:
        """Return the places of the first layer's weights of inputs that no record has."""
        import torch

        dead = (task.inputs == 0).all(0)
        if task.model == "cnn" or not bool(dead.any()):
            raise ValueError(
                "the first layer must have an input that is zero in every record for the direction dead-inputs, "
                "got none: take random or watermark"
            )
        return torch.nonzero(dead.expand_as(start[0][0]).flatten()).flatten()

    def _quiet(self, task: Task, start: Weights, generator: Generator) -> Tensor:
        """Return the 2n places that change least between the start and the end of shadow models."""
        import torch

        shadows = shadow_models(task, start, generator)
        moves = [(end - first).abs().mean(0).flatten() for first, end in zip(shadows[0], shadows[-1], strict=True)]
        order = torch.cat(moves).argsort(stable=True)
        return order[: 2 * WATERMARK_HALF].sort().values


class DirectionCanary(Products):
    """A gradient of length C that is the same in every step.

    ``unit`` is its direction, of length 1, one tensor a layer; ``others`` says that the other records add something in
    this direction, whose mean is then subtracted.
    """

    def __init__(self, task: Task, unit: Weights, others: bool, models: int) -> None:
        super().__init__(task, models)
        self._task, self._unit, self._others = task, unit, others

    def gradient(self, step: int, weights: Weights) -> Weights:
        """Return the direction, of length C."""
        return [layer * self._task.clip_norm for layer in self._unit]

    def see(self, step: int, before: Weights, noisy: Weights, after: Weights) -> None:
        """Note the inner product with the direction, less the others' mean."""
        import torch

        from ldp_core.learning.private_training import clipped_sum

        task, product = self._task, along(noisy, self._unit)
        if self._others:
            count = len(before[0])
            inputs, labels = task.inputs.expand(count, -1, -1), task.labels.expand(count, -1)
            every = clipped_sum(task, before, inputs, labels, torch.ones_like(labels, dtype=torch.float32))
            product = product - task.sampling_rate * along(every, self._unit)
        self.add(product / task.clip_norm)
