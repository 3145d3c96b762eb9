"""Rebuilding pictures from what is sent: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.reconstruction import command
from ldp_core.studies.reconstruction.result import ReconstructionConfig, ReconstructionResult
from ldp_core.studies.reconstruction.workload import check_size
from ldp_core.study import Request

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Reconstruction(KeptStudy):
    """Attackers who rebuild pictures, or name them among known ones, and the limits of what a report carries."""

    name: ClassVar[str] = "reconstruction"
    config: ClassVar[type] = ReconstructionConfig
    timed: ClassVar[str] = "pictures"
    result: ClassVar[type[Any]] = ReconstructionResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.reconstruction.run import reconstruct

        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download}
        return reconstruct(request.config, cache=cache, halted=request.unwanted, **where)

    def check_size(self, config: ReconstructionConfig) -> None:
        check_size(config)

    def found(self, result: ReconstructionResult) -> bool:
        return any(entry.pictures for entry in result.results)
