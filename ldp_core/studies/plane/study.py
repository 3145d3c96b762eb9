"""The plane: what every study states of itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ldp_core import workload
from ldp_core.studies.plane import command
from ldp_core.studies.plane.config import PlaneConfig, method_of
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.studies.reading import KeptStudy

_WEIGHTS = {"sgd": 0.4, "natural": 0.6, "white": 0.8, "personalized": 0.6, "ldp-sgd": 2.0}
"""As how many random values a number of one picture's gradient counts in a pass; 1 of the others; measured."""
_REBUILT = 200.0


class Plane(KeptStudy):
    """Membership and reconstruction against accuracy, for training under each protection."""

    name: ClassVar[str] = "plane"
    config: ClassVar[type] = PlaneConfig
    timed: ClassVar[str] = "models"
    result: ClassVar[type[Any]] = PlaneResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: PlaneResult) -> bool:
        return bool(result.summaries)

    def check_size(self, config: PlaneConfig) -> None:
        workload.check(self.name, values(config))


def values(config: PlaneConfig) -> float:
    """Return as how many random values a plane counts."""
    dimension = workload.most_dimension(config.dataset)
    each = config.members * config.passes * (1 + config.shadows)
    trained = sum(_WEIGHTS.get(method_of(point), 1.0) for point in config.points) * each
    rebuilt = len(config.points) * (_REBUILT * config.pictures + 10.0 * config.public)
    return config.repeats * dimension * (trained + rebuilt)
