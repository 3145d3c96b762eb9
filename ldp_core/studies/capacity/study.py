"""Figures of a capacity: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.capacity import command, told
from ldp_core.studies.capacity import result as results
from ldp_core.studies.capacity.result import CapacityConfig, CapacityResult
from ldp_core.studies.capacity.workload import check_size
from ldp_core.studies.reading import check_known
from ldp_core.study import Request, Study

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Capacity(Study):
    """What a capacity stops, and what it does not: a crafted model, batches, compression, similar pictures."""

    name: ClassVar[str] = "capacity"
    config: ClassVar[type] = CapacityConfig
    timed: ClassVar[str] = "figures"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.capacity.run import capacity

        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download}
        return capacity(request.config, halted=request.unwanted, **where)

    def check_size(self, config: CapacityConfig) -> None:
        check_size(config)

    def found(self, result: CapacityResult) -> bool:
        return bool(result.panels)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[CapacityResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(dataset=(found.config.dataset,))
        return found, ()

    def to_json(self, result: CapacityResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: CapacityResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def sentences(self, result: CapacityResult) -> Sequence[str]:
        return told.sentences(result)

    def finding(self, result: CapacityResult, context: Context) -> Sequence[str]:
        return told.sentences(result, context.words)

    def parts(self, result: CapacityResult, context: Context) -> list[str]:
        from ldp_core.studies.capacity import document

        return document.parts(result, context)

    def save_figures(
        self, result: CapacityResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.studies.capacity import document

        return document.save(result, folder, words)
