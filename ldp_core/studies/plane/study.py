"""The plane: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.plane import command
from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.studies.plane.workload import check_size
from ldp_core.studies.reading import KeptStudy
from ldp_core.study import Request

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Plane(KeptStudy):
    """Membership and reconstruction against accuracy, for training under each protection."""

    name: ClassVar[str] = "plane"
    config: ClassVar[type] = PlaneConfig
    timed: ClassVar[str] = "models"
    result: ClassVar[type[Any]] = PlaneResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.plane.run import plane

        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download}
        return plane(request.config, halted=request.unwanted, **where)

    def check_size(self, config: PlaneConfig) -> None:
        check_size(config)

    def found(self, result: PlaneResult) -> bool:
        return bool(result.summaries)
