"""An audit of DP-SGD: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.central import accountant_command, command, one_run_command, table
from ldp_core.studies.central.result import CentralConfig, CentralResult
from ldp_core.studies.central.workload import check_size
from ldp_core.studies.reading import KeptStudy, check_agrees
from ldp_core.study import Request

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Central(KeptStudy):
    """What one of six adversaries reaches against DP-SGD."""

    name: ClassVar[str] = "central"
    config: ClassVar[type] = CentralConfig
    timed: ClassVar[str] = "games"
    result: ClassVar[type[Any]] = CentralResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command, accountant_command, one_run_command, table)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.central.run import central

        return central(request.config, threads=threads, data_dir=request.data_dir, download=request.download)

    def found(self, result: CentralResult) -> bool:
        return bool(result.counts.num_trials)

    def check_size(self, config: CentralConfig) -> None:
        check_size(config)

    def check_stated(self, result: CentralResult, report: Mapping[str, Any]) -> None:
        check_agrees("seed", report["seed"], result.config.seed)

    def datasets(self, config: CentralConfig) -> tuple[str, ...]:
        return () if config.law else (config.dataset,)
