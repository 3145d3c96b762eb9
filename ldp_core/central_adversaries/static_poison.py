"""Static poison: puts in the record that shadow models say is the worst, and asks the final model for its loss."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ldp_core.central_adversaries._base import CentralAdversary, Plan, RecordCanary, shadow_models, worst_record

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.private_training import Task, Weights


class StaticPoison(CentralAdversary):
    """One record made with shadow models; the final loss."""

    name: ClassVar[str] = "static-poison"
    controls: ClassVar[str] = "record"
    rules: ClassVar[tuple[str, ...]] = ("final-loss",)

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Make the record."""
        record, label = worst_record(task, held_out, shadow_models(task, start, generator))
        return Plan(task, partial(RecordCanary, task, record, label))
