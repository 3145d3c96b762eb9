"""What is known before the plane: whether it is too large for the page. No torch."""

from ldp_core import workload
from ldp_core.studies.plane.config import PlaneConfig, method_of

_WEIGHTS = {"sgd": 0.4, "natural": 0.6, "white": 0.8, "personalized": 0.6, "ldp-sgd": 2.0}
"""As how many random values a number of one picture's gradient counts in a pass; 1 of the others; measured."""
_REBUILT = 200.0


def values(config: PlaneConfig) -> float:
    """Return as how many random values a plane counts."""
    dimension = workload.most_dimension(config.dataset)
    each = config.members * config.passes * (1 + config.shadows)
    trained = sum(_WEIGHTS.get(method_of(point), 1.0) for point in config.points) * each
    rebuilt = len(config.points) * (_REBUILT * config.pictures + 10.0 * config.public)
    return config.repeats * dimension * (trained + rebuilt)


def check_size(config: PlaneConfig) -> None:
    """Raise ``workload.TooLargeError`` if the run would keep the page's worker too long."""
    asked = values(config)
    if asked > workload.MOST_VALUES:
        raise workload.TooLargeError(workload.MOST_VALUES, round(asked), "plane")
