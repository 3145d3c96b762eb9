"""A mechanism under examination: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ldp_core.checking import claims
from ldp_core.checking.claims import CheckConfig, CheckResult, Subject
from ldp_core.studies.check.command import code_of
from ldp_core.studies.check.workload import check_size
from ldp_core.studies.reading import ToldStudy
from ldp_core.study import Request
from ldp_core.types import CLAIM_NOT_REJECTED

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Check(ToldStudy):
    """A mechanism under examination."""

    config = CheckConfig
    timed = "privacy"
    schemas = (claims.SCHEMA,)
    command_modules = ("command", "challenge")

    def run(self, request: Request, cache: Cache, threads: int | None) -> Iterator[Any]:
        """Check one of our mechanisms by what it states of itself, or a vendor's answers."""
        from ldp_core.checking.exam import check
        from ldp_core.checking.subjects.builtin import builtin, stated_by

        config, factory = request.config, request.own
        subject: Subject
        if callable(factory):
            subject = factory()
        else:
            names = ("epsilon", "clip_norm", "dimension")
            values = {name: getattr(config, name) for name in names}
            config = replace(config, **stated_by(config.subject, values, names))
            subject = builtin(config.subject, config)
        with closing(subject):
            for progress in check(config, subject):
                if progress.result.completed and progress.result.verdict == CLAIM_NOT_REJECTED:
                    claims.detectable_epsilons(progress.result)  # takes seconds; it is kept for the page and the files
                    claims.needed_reports(progress.result)
                yield progress

    def has_data(self, result: CheckResult) -> bool:
        return bool(result.clauses or result.looks)

    def progress(self, step: Any) -> tuple[str, float, float]:
        return "privacy" if step.stage == "trials" else step.stage, step.done, step.total

    def check_size(self, config: CheckConfig) -> None:
        check_size(config)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[CheckResult, tuple[str, ...]]:
        return claims.from_json(content), ()

    def to_json(self, result: CheckResult, notes: Sequence[str] = ()) -> str:
        return claims.to_json(result)

    def code(self, result: CheckResult) -> int:
        return code_of(result)
