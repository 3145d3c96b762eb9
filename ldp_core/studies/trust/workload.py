"""What is known before a run: how long it takes on this device, and whether it is too large."""

from collections.abc import Callable

from ldp_core import workload
from ldp_core.studies.trust.config import TrustConfig

_COUNTED, _SUMMED = 60.0, 2.5
"""A projected game takes about as long as drawing this many values; of a sum, one for each other client who leans."""


def values(config: TrustConfig, dimension: Callable[[str], int]) -> float:
    """Return as how many random values a run counts."""
    if config.sampling == "full":
        return float(config.games) * config.reports * dimension(config.dataset)
    leaning = config.reports if config.others != "uniform" else 1
    summing = config.view == "aggregated" or config.rule == "cosine"
    each = _SUMMED * leaning if summing or config.others == "real" else 0.0
    return config.games * (_COUNTED + each)


def seconds(config: TrustConfig, values_per_second: float | None) -> float:
    """Return about how long a run takes."""
    start = workload.start_seconds((config.dataset,), config.training)
    return start + values(config, workload.usual_dimension) / workload.speed(values_per_second)
