"""Whom must you trust: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import check_agrees, check_known
from ldp_core.studies.trust import command
from ldp_core.studies.trust import result as results
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.result import TrustResult, summarize
from ldp_core.studies.trust.workload import check_size
from ldp_core.study import Request, Study, own_images

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Trust(Study):
    """One client's report, seen alone, in a shuffled list, or in a sum."""

    name: ClassVar[str] = "trust"
    config: ClassVar[type] = TrustConfig
    timed: ClassVar[str] = "trials"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.trust.run import trust

        images = None
        if request.config.dataset == "own":
            images = yield from own_images(request)
        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download, "images": images}
        yield from trust(request.config, cache, threads=threads, halted=request.unwanted, **where)

    def found(self, result: TrustResult) -> bool:
        return bool(result.counts.num_trials)

    def check_size(self, config: TrustConfig) -> None:
        check_size(config)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[TrustResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(attack=(found.config.attack,), dataset=(found.config.dataset,))
        check_agrees("seed", report["seed"], found.config.seed)
        return found, ()

    def to_json(self, result: TrustResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: TrustResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def sentences(self, result: TrustResult) -> Sequence[str]:
        return [command.verdict_sentence(summarize(result))]

    def code(self, result: TrustResult) -> int:
        return int(summarize(result).rejected)

    def finding(self, result: TrustResult, context: Context) -> Sequence[str]:
        from ldp_core.studies.trust import document

        return document.finding(result, context)

    def parts(self, result: TrustResult, context: Context) -> list[str]:
        from ldp_core.studies.trust import document

        return document.parts(result, context)

    def save_figures(
        self, result: TrustResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.studies.trust import document

        return document.save(result, folder, words)
