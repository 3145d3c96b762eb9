"""Rebuilding pictures from what is sent: what every study states of itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.reconstruction import command
from ldp_core.studies.reconstruction.result import ReconstructionConfig, ReconstructionResult
from ldp_core.studies.reconstruction.workload import check_size


class Reconstruction(KeptStudy):
    """Attackers who rebuild pictures, or name them among known ones, and the limits of what a report carries."""

    name: ClassVar[str] = "reconstruction"
    config: ClassVar[type] = ReconstructionConfig
    timed: ClassVar[str] = "pictures"
    result: ClassVar[type[Any]] = ReconstructionResult
    check_size = staticmethod(check_size)
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: ReconstructionResult) -> bool:
        return any(entry.pictures for entry in result.results)
