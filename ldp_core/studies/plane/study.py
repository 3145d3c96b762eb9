"""The plane: what every study states of itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ldp_core.studies.plane import command
from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.studies.plane.workload import check_size
from ldp_core.studies.reading import KeptStudy


class Plane(KeptStudy):
    """Membership and reconstruction against accuracy, for training under each protection."""

    name: ClassVar[str] = "plane"
    config: ClassVar[type] = PlaneConfig
    timed: ClassVar[str] = "models"
    result: ClassVar[type[Any]] = PlaneResult
    check_size = staticmethod(check_size)
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: PlaneResult) -> bool:
        return bool(result.summaries)
