"""What is known before a federated training: how long it takes on this device, and whether it is too large."""

from collections.abc import Callable

from ldp_core import workload
from ldp_core.studies.utility.result import UtilityConfig

_LEARN_SHARE, _LEARN_COUNTED = 0.55, 0.25
"""As how many drawn values each number of a client's gradient and report counts for one more model, beside the
directions that all models share: as measured, and as counted against the limit of a run."""


def utility_values(config: UtilityConfig, dimension: Callable[[str], int]) -> float:
    """Return as how many random values a federated training counts: reports times numbers."""
    return _trained(config, dimension, _LEARN_COUNTED)


def _trained(config: UtilityConfig, dimension: Callable[[str], int], share: float) -> float:
    numbers = dimension(config.dataset)
    return config.repeats * config.clients * config.rounds * numbers * (1.0 + share * (len(config.epsilons) + 1))


def utility_seconds(config: UtilityConfig, values_per_second: float | None) -> float:
    """Return about how long a federated training takes."""
    start = workload.start_seconds((config.dataset,), "none")
    return start + _trained(config, workload.usual_dimension, _LEARN_SHARE) / workload.speed(values_per_second)
