"""What epsilon costs in accuracy: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.utility import command
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.studies.utility.workload import check_size
from ldp_core.study import Request

if TYPE_CHECKING:
    from ldp_core.cache import Cache


class Utility(KeptStudy):
    """Federated training with and without privacy."""

    name: ClassVar[str] = "utility"
    config: ClassVar[type] = UtilityConfig
    timed: ClassVar[str] = "rounds"
    result: ClassVar[type[Any]] = UtilityResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.utility.run import utility

        return utility(request.config, threads=threads, data_dir=request.data_dir, download=request.download)

    def found(self, result: UtilityResult) -> bool:
        return any(curve.accuracy for curve in result.curves)

    def check_size(self, config: UtilityConfig) -> None:
        check_size(config)

    def check_stated(self, result: UtilityResult, report: Mapping[str, Any]) -> None:
        if len({curve.rounds for curve in result.curves}) > 1:
            raise ValueError("all curves must have the same number of rounds")
