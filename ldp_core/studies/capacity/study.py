"""Figures of a capacity: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.capacity import command
from ldp_core.studies.capacity.result import CapacityConfig, CapacityResult
from ldp_core.studies.capacity.workload import check_size
from ldp_core.studies.reading import KeptStudy
from ldp_core.study import Request

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Capacity(KeptStudy):
    """What a capacity stops, and what it does not: a crafted model, batches, compression, similar pictures."""

    name: ClassVar[str] = "capacity"
    config: ClassVar[type] = CapacityConfig
    timed: ClassVar[str] = "figures"
    result: ClassVar[type[Any]] = CapacityResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.capacity.run import capacity

        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download}
        return capacity(request.config, halted=request.unwanted, **where)

    def check_size(self, config: CapacityConfig) -> None:
        check_size(config)

    def found(self, result: CapacityResult) -> bool:
        return bool(result.panels)
