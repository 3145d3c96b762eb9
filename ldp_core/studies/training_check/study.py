"""A check of a stranger's training function: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import check_agrees
from ldp_core.studies.training_check import command
from ldp_core.studies.training_check import result as results
from ldp_core.studies.training_check.result import TrainingCheckConfig, TrainingCheckResult
from ldp_core.study import Request, Study
from ldp_core.types import CLAIM_REJECTED

if TYPE_CHECKING:
    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context


class TrainingCheck(Study):
    """Whether a training function is the DP-SGD that it claims to be."""

    name: ClassVar[str] = "training_check"
    config: ClassVar[type] = TrainingCheckConfig
    timed: ClassVar[str] = "games"
    schemas: ClassVar[tuple[str, ...]] = (results.SCHEMA,)
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        """Refuse: a page runs no stranger's code."""
        raise ValueError("a training function must be checked from the command line, got a request of a page")

    def found(self, result: TrainingCheckResult) -> bool:
        return bool(result.counts.num_trials)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[TrainingCheckResult, tuple[str, ...]]:
        found = results.from_json(content)
        check_agrees("seed", report["seed"], found.config.seed)
        return found, ()

    def to_json(self, result: TrainingCheckResult, notes: Sequence[str] = ()) -> str:
        return results.to_json(result)

    def text(self, result: TrainingCheckResult, notes: Sequence[str] = ()) -> str:
        return command.text_of(result)

    def sentences(self, result: TrainingCheckResult) -> Sequence[str]:
        return command.sentences_of(result)

    def code(self, result: TrainingCheckResult) -> int:
        return int(result.verdict == CLAIM_REJECTED)

    def datasets(self, config: TrainingCheckConfig) -> tuple[str, ...]:
        return ()

    def finding(self, result: TrainingCheckResult, context: Context) -> Sequence[str]:
        from ldp_core.studies.training_check.text import sentences

        return sentences(result, context.words)

    def parts(self, result: TrainingCheckResult, context: Context) -> list[str]:
        from ldp_core.studies.training_check import document

        return document.parts(result, context)
