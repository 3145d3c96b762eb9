"""What epsilon costs in accuracy: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import check_known
from ldp_core.studies.utility import command
from ldp_core.studies.utility import result as results
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.studies.utility.workload import check_size
from ldp_core.study import Request, Study

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class Utility(Study):
    """Federated training with and without privacy."""

    name: ClassVar[str] = "utility"
    config: ClassVar[type] = UtilityConfig
    timed: ClassVar[str] = "rounds"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.utility.run import utility

        return utility(request.config, threads=threads, data_dir=request.data_dir, download=request.download)

    def found(self, result: UtilityResult) -> bool:
        return any(curve.accuracy for curve in result.curves)

    def check_size(self, config: UtilityConfig) -> None:
        check_size(config)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[UtilityResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_known(dataset=(found.config.dataset,))
        if len({len(curve.accuracy) for curve in found.curves}) > 1:
            raise ValueError("all curves must have the same number of rounds")
        return found, ()

    def to_json(self, result: UtilityResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: UtilityResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def finding(self, result: UtilityResult, context: Context) -> Sequence[str]:
        from ldp_core.studies.utility import document

        return document.finding(result, context)

    def parts(self, result: UtilityResult, context: Context) -> list[str]:
        from ldp_core.studies.utility import document

        return document.parts(result, context)

    def save_figures(
        self, result: UtilityResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.presentation.figures import paper

        return paper.save_utility([(curve.epsilon, curve.accuracy) for curve in result.curves], folder, words=words)
