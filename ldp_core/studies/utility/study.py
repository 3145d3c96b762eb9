"""What epsilon costs in accuracy: what every study states of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ldp_core import workload
from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.utility import command
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.studies.utility.workload import utility_values


class Utility(KeptStudy):
    """Federated training with and without privacy."""

    name: ClassVar[str] = "utility"
    config: ClassVar[type] = UtilityConfig
    timed: ClassVar[str] = "rounds"
    result: ClassVar[type[Any]] = UtilityResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: UtilityResult) -> bool:
        return any(curve.accuracy for curve in result.curves)

    def check_stated(self, result: UtilityResult, report: Mapping[str, Any]) -> None:
        if len({curve.rounds for curve in result.curves}) > 1:
            raise ValueError("all curves must have the same number of rounds")

    def check_size(self, config: UtilityConfig) -> None:
        workload.check(self.name, utility_values(config, workload.most_dimension), config.dataset == "own")
