"""An audit of DP-SGD: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.central import accountant_command, command, one_run_command, table
from ldp_core.studies.central import result as results
from ldp_core.studies.central.result import CentralConfig, CentralResult
from ldp_core.studies.central.workload import check_size
from ldp_core.studies.reading import check_agrees, check_known
from ldp_core.study import Request, Study
from ldp_core.types import CLAIM_REJECTED

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Central(Study):
    """What one of six adversaries reaches against DP-SGD."""

    name: ClassVar[str] = "central"
    config: ClassVar[type] = CentralConfig
    timed: ClassVar[str] = "games"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (accountant_command, command, one_run_command, table)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.central.run import central

        return central(request.config, threads=threads, data_dir=request.data_dir, download=request.download)

    def found(self, result: CentralResult) -> bool:
        return bool(result.counts.num_trials)

    def check_size(self, config: CentralConfig) -> None:
        check_size(config)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[CentralResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(dataset=(found.config.dataset,))
        check_agrees("seed", report["seed"], found.config.seed)
        return found, ()

    def to_json(self, result: CentralResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: CentralResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def sentences(self, result: CentralResult) -> Sequence[str]:
        return command.sentences_of(result)

    def code(self, result: CentralResult) -> int:
        return int(result.verdict == CLAIM_REJECTED)

    def datasets(self, config: CentralConfig) -> tuple[str, ...]:
        return () if config.law else (config.dataset,)

    def finding(self, result: CentralResult, context: Context) -> Sequence[str]:
        from ldp_core.studies.central.text import sentences

        return sentences(result, context.words)

    def parts(self, result: CentralResult, context: Context) -> list[str]:
        from ldp_core.studies.central import document

        return document.parts(result, context)

    def save_figures(
        self, result: CentralResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.studies.central import document

        return document.save_figures(result, folder, words)
