"""Detectors before the randomizer: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.detect import command
from ldp_core.studies.detect import result as results
from ldp_core.studies.detect.result import DetectConfig, DetectResult
from ldp_core.studies.reading import check_known
from ldp_core.study import Request, Study, own_images

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Detect(Study):
    """What a client's detectors refuse, and what the rest gives away."""

    name: ClassVar[str] = "detect"
    config: ClassVar[type] = DetectConfig
    timed: ClassVar[str] = "crafting"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.detect.run import detect

        images = None
        if request.config.dataset == "own":
            images = yield from own_images(request)
        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download, "images": images}
        yield from detect(request.config, halted=request.unwanted, **where)

    def found(self, result: DetectResult) -> bool:
        return bool(result.rows)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[DetectResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(dataset=(found.config.dataset,))
        return found, ()

    def to_json(self, result: DetectResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: DetectResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def finding(self, result: DetectResult, context: Context) -> Sequence[str]:
        from ldp_core.studies.detect import document

        return document.finding(result, context.words)

    def parts(self, result: DetectResult, context: Context) -> list[str]:
        from ldp_core.studies.detect import document

        return document.parts(result, context)

    def save_figures(
        self, result: DetectResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.studies.detect import document

        return document.save(result, folder, words)
