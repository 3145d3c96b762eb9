"""Whom must you trust: what every study states of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ldp_core import workload
from ldp_core.studies.reading import KeptStudy, check_agrees, check_known
from ldp_core.studies.trust import command
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.result import TrustResult
from ldp_core.studies.trust.workload import values


class Trust(KeptStudy):
    """One client's report, seen alone, in a shuffled list, or in a sum."""

    name: ClassVar[str] = "trust"
    config: ClassVar[type] = TrustConfig
    timed: ClassVar[str] = "trials"
    result: ClassVar[type[Any]] = TrustResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: TrustResult) -> bool:
        return bool(result.counts.num_trials)

    def check_stated(self, result: TrustResult, report: Mapping[str, Any]) -> None:
        check_known(attack=(result.config.attack,))
        check_agrees("seed", report["seed"], result.config.seed)

    def check_size(self, config: TrustConfig) -> None:
        workload.check(self.name, values(config, workload.most_dimension), config.dataset == "own")
