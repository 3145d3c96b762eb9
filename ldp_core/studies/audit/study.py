"""One attack against one claim: what every study states of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ldp_core import reports
from ldp_core.game.summary import expected_identification
from ldp_core.studies.audit.workload import check_size
from ldp_core.studies.reading import ToldStudy, check_agrees, check_known, counts_of
from ldp_core.types import AuditConfig, AuditResult

_TOLERANCE = 1e-6


class Audit(ToldStudy):
    """One attack against one claim of epsilon."""

    config = AuditConfig
    timed = "trials"
    schemas = (reports.SCHEMA,)

    def check_size(self, config: AuditConfig) -> None:
        check_size(config)

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[AuditResult, tuple[str, ...]]:
        result = reports.from_json(content)
        self.check_head(result, report)
        check_known(distinguisher=(result.config.distinguisher,))
        for item in result.measurements:
            law = expected_identification(result.config, item.pair)
            stated = item.expected_identification
            if stated is not None and (law is None or abs(stated - law) > _TOLERANCE):
                raise ValueError(f"expected_identification must follow from the pair, got {stated!r}")
        check_agrees("summary.counts", report["summary"]["counts"], counts_of(result))
        return result, ()

    def to_json(self, result: AuditResult, notes: Sequence[str] = ()) -> str:
        return reports.to_json(result)
