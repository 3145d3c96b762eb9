"""Figures of a capacity: what every study states of itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ldp_core.studies.capacity import command
from ldp_core.studies.capacity.result import CapacityConfig, CapacityResult
from ldp_core.studies.capacity.workload import check_size
from ldp_core.studies.reading import KeptStudy


class Capacity(KeptStudy):
    """What a capacity stops, and what it does not: a crafted model, batches, compression, similar pictures."""

    name: ClassVar[str] = "capacity"
    config: ClassVar[type] = CapacityConfig
    timed: ClassVar[str] = "figures"
    result: ClassVar[type[Any]] = CapacityResult
    check_size = staticmethod(check_size)
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: CapacityResult) -> bool:
        return bool(result.panels)
