"""The plane: what every study states of itself."""

from collections.abc import Callable

from ldp_core.studies.plane.config import PlaneConfig, method_of
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.studies.reading import KeptStudy

_WEIGHTS = {"sgd": 0.4, "natural": 0.6, "white": 0.8, "personalized": 0.6, "ldp-sgd": 2.0}
"""As how many random values a number of one picture's gradient counts in a pass; 1 of the others; measured."""
_REBUILT = 200.0


class Plane(KeptStudy):
    """Membership and reconstruction against accuracy, for training under each protection."""

    result = PlaneResult
    timed = "models"
    holds = "summaries"

    def values(self, config: PlaneConfig, dimension: Callable[[str], int]) -> float:
        samples = config.members * config.passes * (1 + config.shadows)
        trained = sum(_WEIGHTS.get(method_of(point), 1.0) for point in config.points) * samples
        rebuilt = len(config.points) * (_REBUILT * config.pictures + 10.0 * config.public)
        return config.repeats * dimension(config.dataset) * (trained + rebuilt)
