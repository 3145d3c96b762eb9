"""An audit of DP-SGD: what every study states of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ldp_core.studies.central import accountant_command, command, one_run_command, table
from ldp_core.studies.central.result import CentralConfig, CentralResult
from ldp_core.studies.central.workload import check_size
from ldp_core.studies.reading import KeptStudy, check_agrees


class Central(KeptStudy):
    """What one of six adversaries reaches against DP-SGD."""

    name: ClassVar[str] = "central"
    config: ClassVar[type] = CentralConfig
    timed: ClassVar[str] = "games"
    result: ClassVar[type[Any]] = CentralResult
    check_size = staticmethod(check_size)
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND, accountant_command, one_run_command, table)

    def found(self, result: CentralResult) -> bool:
        return bool(result.counts.num_trials)

    def check_stated(self, result: CentralResult, report: Mapping[str, Any]) -> None:
        check_agrees("seed", report["seed"], result.config.seed)

    def datasets(self, config: CentralConfig) -> tuple[str, ...]:
        return () if config.law else (config.dataset,)
