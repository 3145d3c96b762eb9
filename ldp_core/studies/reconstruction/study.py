"""Rebuilding pictures from what is sent: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import check_known
from ldp_core.studies.reconstruction import command, told
from ldp_core.studies.reconstruction import result as results
from ldp_core.studies.reconstruction.result import ReconstructionConfig, ReconstructionResult
from ldp_core.studies.reconstruction.workload import check_size
from ldp_core.study import Request, Study

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Reconstruction(Study):
    """Attackers who rebuild pictures, or name them among known ones, and the limits of what a report carries."""

    name: ClassVar[str] = "reconstruction"
    config: ClassVar[type] = ReconstructionConfig
    timed: ClassVar[str] = "pictures"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.reconstruction.run import reconstruct

        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download}
        return reconstruct(request.config, cache=cache, halted=request.unwanted, **where)

    def check_size(self, config: ReconstructionConfig) -> None:
        check_size(config)

    def found(self, result: ReconstructionResult) -> bool:
        return any(entry.pictures for entry in result.results)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[ReconstructionResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(dataset=(found.config.dataset,))
        return found, ()

    def to_json(self, result: ReconstructionResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: ReconstructionResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def sentences(self, result: ReconstructionResult) -> Sequence[str]:
        return told.sentences(result)

    def code(self, result: ReconstructionResult) -> int:
        return 1 if result.above_limit else 0

    def finding(self, result: ReconstructionResult, context: Context) -> Sequence[str]:
        return told.sentences(result, context.words)

    def parts(self, result: ReconstructionResult, context: Context) -> list[str]:
        from ldp_core.studies.reconstruction import document

        return document.parts(result, context)

    def save_figures(
        self, result: ReconstructionResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.studies.reconstruction import document

        return document.save(result, folder, words)
