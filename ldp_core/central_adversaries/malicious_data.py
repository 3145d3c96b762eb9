"""Malicious data set: chooses every record, so that no other record hides the canary."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ldp_core.central_adversaries._base import (
    PRODUCTS,
    CentralAdversary,
    Plan,
    Products,
    RecordCanary,
    along,
    length,
)

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.private_training import Task, Weights

_BLANK_LABEL = 0
_BRIGHTNESSES = (8.0, 1.0, 0.5, 0.25)
"""Of the canary's pixels. A dark canary's gradient is short, or much like the others'; a bright one is soon learned, so
that models are certain of it, and it has no gradient left."""
_SHADOWS, _SHADOWS_CNN = 16, 2
"""Models that try a brightness."""
_LEAST_REACH = 1e-6
"""Of a gradient that still has a direction, in clipping norms."""


class MaliciousData(CentralAdversary):
    """All other records are one blank image, which moves the model in one direction, and that is left out."""

    name: ClassVar[str] = "malicious-data"
    controls: ClassVar[str] = "dataset"
    rules: ClassVar[tuple[str, ...]] = PRODUCTS
    exact: ClassVar[bool] = True

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Make the data set and the record."""
        import torch

        from ldp_core.learning.private_training import train

        blank = torch.zeros_like(task.inputs)
        blank[:, -1] = 1.0
        changed = replace(task, inputs=blank, labels=torch.full_like(task.labels, _BLANK_LABEL))
        models = _SHADOWS_CNN if task.model == "cnn" else _SHADOWS
        first = [layer.expand(models, -1, -1).clone() for layer in start]

        def canary(brightness: float) -> partial[ClearCanary]:
            record = torch.full_like(blank[0], brightness)
            record[-1] = 1.0
            return partial(ClearCanary, changed, record, task.classes - 1)

        def reach(brightness: float) -> float:
            tried = canary(brightness)(models)
            train(changed, tried, models, True, first, generator)
            return tried.reach

        return Plan(changed, canary(max(_BRIGHTNESSES, key=reach)))


class ClearCanary(Products):
    """Notes the inner product with a record's gradient, shape (d + 1,), leaving out the other records' gradient."""

    def __init__(self, task: Task, record: Tensor, label: int, models: int) -> None:
        import torch

        super().__init__(task, models)
        self._steps = task.steps
        self._clip_norm, self._reaches = task.clip_norm, torch.zeros((), device=task.inputs.device)
        self._record = RecordCanary(task, record, label, models)
        self._blank = RecordCanary(task, task.inputs[0], _BLANK_LABEL, models)

    def gradient(self, step: int, weights: Weights) -> Weights:
        """Return the record's clipped gradient."""
        return self._record.gradient(step, weights)

    def see(self, step: int, before: Weights, noisy: Weights, after: Weights) -> None:
        """Note the inner product with what the record adds beside the others' direction."""
        unit, reach = self._clear(before)
        self.add(along(noisy, unit) / self._clip_norm, reach.double())
        self._reaches += reach.mean() / self._steps

    @property
    def reach(self) -> float:
        """Mean length over C of what the record adds beside the others' direction, after all steps."""
        return float(self._reaches)

    def _clear(self, weights: Weights) -> tuple[Weights, Tensor]:
        """Return the direction of what the record adds beside the others' direction, and its length over C.

        Both are zero where the models are so certain of the record that it has no gradient.
        """
        given, others = self._record.gradient(0, weights), self._blank.gradient(0, weights)
        share = along(given, others) / along(others, others).clamp_min(1e-30)
        left = [layer - share[:, None, None] * other for layer, other in zip(given, others, strict=True)]
        size = length(left)
        some = size > _LEAST_REACH * self._clip_norm
        unit = [layer * (some / size)[:, None, None] for layer in left]
        return unit, some * size / self._clip_norm
