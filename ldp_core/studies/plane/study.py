"""The plane: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.plane import command, told
from ldp_core.studies.plane import result as results
from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.studies.plane.workload import check_size
from ldp_core.studies.reading import check_known
from ldp_core.study import Request, Study

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Plane(Study):
    """Membership and reconstruction against accuracy, for training under each protection."""

    name: ClassVar[str] = "plane"
    config: ClassVar[type] = PlaneConfig
    timed: ClassVar[str] = "models"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.plane.run import plane

        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download}
        return plane(request.config, halted=request.unwanted, **where)

    def check_size(self, config: PlaneConfig) -> None:
        check_size(config)

    def found(self, result: PlaneResult) -> bool:
        return bool(result.summaries)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[PlaneResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(dataset=(found.config.dataset,))
        return found, ()

    def to_json(self, result: PlaneResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: PlaneResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def sentences(self, result: PlaneResult) -> Sequence[str]:
        return told.sentences(result)

    def finding(self, result: PlaneResult, context: Context) -> Sequence[str]:
        return told.sentences(result, context.words)

    def parts(self, result: PlaneResult, context: Context) -> list[str]:
        from ldp_core.studies.plane import document

        return document.parts(result, context)

    def save_figures(
        self, result: PlaneResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.studies.plane import document

        return document.save(result, folder, words)
