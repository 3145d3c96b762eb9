"""Detectors before the randomizer: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.detect import command
from ldp_core.studies.detect.result import DetectConfig, DetectResult
from ldp_core.studies.reading import KeptStudy
from ldp_core.study import Request, data_of

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Detect(KeptStudy):
    """What a client's detectors refuse, and what the rest gives away."""

    name: ClassVar[str] = "detect"
    config: ClassVar[type] = DetectConfig
    timed: ClassVar[str] = "crafting"
    result: ClassVar[type[Any]] = DetectResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.detect.run import detect

        where = yield from data_of(request, self.datasets(request.config))
        yield from detect(request.config, halted=request.unwanted, **where)

    def found(self, result: DetectResult) -> bool:
        return bool(result.rows)
