"""Intermediate models: the record of the static poison, but every model between is seen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ldp_core.central_adversaries._base import CentralAdversary, Plan, RecordCanary, shadow_models, worst_record

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.private_training import Task, Weights


class Intermediate(CentralAdversary):
    """The mean or the largest loss over all models."""

    name: ClassVar[str] = "intermediate"
    controls: ClassVar[str] = "models"
    rules: ClassVar[tuple[str, ...]] = ("mean-loss", "max-loss", "final-loss")

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Make the record."""
        record, label = worst_record(task, held_out, shadow_models(task, start, generator))
        return Plan(task, partial(RecordCanary, task, record, label))
