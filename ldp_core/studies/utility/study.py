"""What epsilon costs in accuracy: what every study states of itself."""

from collections.abc import Callable, Mapping
from typing import Any

from ldp_core import workload
from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult

_LEARN_SHARE, _LEARN_COUNTED = 0.55, 0.25
"""As how many drawn values each number of a client's gradient and report counts for one more model, beside the
directions that all models share: as measured, and as counted against the limit of a run."""


class Utility(KeptStudy):
    """Federated training with and without privacy."""

    result = UtilityResult
    timed = "rounds"

    def has_data(self, result: UtilityResult) -> bool:
        return any(curve.rounds for curve in result.curves)  # its accuracy before the first round is no result yet

    def check_stated(self, result: UtilityResult, report: Mapping[str, Any]) -> None:
        if len({curve.rounds for curve in result.curves}) > 1:
            raise ValueError("all curves must have the same number of rounds")

    def values(self, config: UtilityConfig, dimension: Callable[[str], int]) -> float:
        return _values(config, dimension, _LEARN_COUNTED)

    def seconds(self, config: UtilityConfig, values_per_second: float | None) -> float:
        drawn = _values(config, workload.usual_dimension, _LEARN_SHARE)
        return workload.start_seconds((config.dataset,), "none") + drawn / workload.speed(values_per_second)


def _values(config: UtilityConfig, dimension: Callable[[str], int], share: float) -> float:
    reports = config.repeats * config.clients * config.rounds
    return reports * dimension(config.dataset) * (1.0 + share * (len(config.epsilons) + 1))
