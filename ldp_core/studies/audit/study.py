"""One attack against one claim: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ldp_core import reports
from ldp_core.game.summary import expected_identification
from ldp_core.studies.audit.workload import check_size
from ldp_core.studies.reading import ToldStudy, check_agrees, check_known, counts_of
from ldp_core.study import Request, data_of
from ldp_core.types import AuditConfig, AuditResult

if TYPE_CHECKING:
    from ldp_core.cache import Cache

_TOLERANCE = 1e-6


class Audit(ToldStudy):
    """One attack against one claim of epsilon."""

    config = AuditConfig
    timed = "trials"
    schemas = (reports.SCHEMA,)

    def run(self, request: Request, cache: Cache, threads: int | None) -> Iterator[Any]:
        from ldp_core.studies.audit.run import audit

        where = yield from data_of(request, self.datasets(request.config))
        where |= {"device": request.device, "threads": threads, "halted": request.unwanted}
        yield from audit(request.config, cache, **where)

    def has_data(self, result: AuditResult) -> bool:
        return bool(result.counts.num_trials)

    def check_size(self, config: AuditConfig) -> None:
        check_size(config)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[AuditResult, tuple[str, ...]]:
        result = reports.from_json(content)
        config = result.config
        check_known(attack=(config.attack,), distinguisher=(config.distinguisher,), dataset=(config.dataset,))
        check_known(mechanism=(config.mechanism,))
        for item in result.measurements:
            law = expected_identification(config, item.pair)
            stated = item.expected_identification
            if stated is not None and (law is None or abs(stated - law) > _TOLERANCE):
                raise ValueError(f"expected_identification must follow from the pair, got {stated!r}")
        check_agrees("summary.counts", report["summary"]["counts"], counts_of(result))
        check_agrees("completed", report["completed"], result.completed)
        check_agrees("seed", report["seed"], config.seed)
        return result, ()

    def to_json(self, result: AuditResult, notes: Sequence[str] = ()) -> str:
        return reports.to_json(result)
