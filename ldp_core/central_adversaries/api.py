"""API access: asks the final model for the loss of one record that it does not choose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from ldp_core.central_adversaries._base import CentralAdversary, Plan, RecordCanary

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from ldp_core.learning.private_training import Task, Weights


class Api(CentralAdversary):
    """A random record of the data's kind, with its own label; the final loss."""

    name: ClassVar[str] = "api"
    controls: ClassVar[str] = "api"
    rules: ClassVar[tuple[str, ...]] = ("final-loss",)

    def plan(self, task: Task, held_out: tuple[Tensor, Tensor], start: Weights, generator: Generator) -> Plan:
        """Pick the record."""
        import torch

        place = int(torch.randint(len(held_out[0]), (1,), generator=generator))
        return Plan(task, partial(RecordCanary, task, held_out[0][place], int(held_out[1][place])))
