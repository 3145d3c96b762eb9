"""Detectors before the randomizer: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.detect import command
from ldp_core.studies.detect import result as results
from ldp_core.studies.detect.result import DetectConfig, DetectResult
from ldp_core.studies.reading import KeptStudy
from ldp_core.study import Request, data_of

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Detect(KeptStudy):
    """What a client's detectors refuse, and what the rest gives away."""

    name: ClassVar[str] = "detect"
    config: ClassVar[type] = DetectConfig
    timed: ClassVar[str] = "crafting"
    results: ClassVar[ModuleType] = results
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.detect.run import detect

        where = yield from data_of(request, self.datasets(request.config))
        yield from detect(request.config, halted=request.unwanted, **where)

    def found(self, result: DetectResult) -> bool:
        return bool(result.rows)

    def finding(self, result: DetectResult, context: Context) -> Sequence[str]:
        from ldp_core.studies.detect import document

        return document.finding(result, context.words)
