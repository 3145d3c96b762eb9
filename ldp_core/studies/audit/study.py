"""One attack against one claim: what every study states of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ldp_core import reports, workload
from ldp_core.game.summary import expected_identification
from ldp_core.studies.reading import ToldStudy, check_agrees, check_known, counts_of
from ldp_core.types import AuditConfig, AuditResult

_TOLERANCE = 1e-6


class Audit(ToldStudy):
    """One attack against one claim of epsilon."""

    config = AuditConfig
    timed = "trials"
    schemas = (reports.SCHEMA,)

    def values(self, config: AuditConfig, dimension: Callable[[str], int]) -> float:
        return workload.pass_values([config], dimension) * config.num_trials * config.num_measurements

    def check_size(self, config: AuditConfig) -> None:
        trials = config.num_trials * config.num_measurements
        limit = int(workload.MOST_VALUES * trials / self.values(config, workload.most_dimension))
        if trials > limit:
            raise workload.TooLargeError(limit, trials, own=config.dataset == "own" and config.sampling != "projected")

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
