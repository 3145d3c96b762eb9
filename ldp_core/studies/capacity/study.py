"""Figures of a capacity: what every study states of itself."""

from collections.abc import Callable

from ldp_core.datasets import DATASETS
from ldp_core.studies.capacity.result import REPORTS, CapacityConfig, CapacityResult
from ldp_core.studies.reading import KeptStudy

_PICTURE, _TRAINED, _INVERTED, _PROBED = 3.0, 1.0, 10_000.0, 27.0
"""As how many random values a number of a gradient counts: for a picture that is sent and looked at; for one of a pass
of a training with noise; for a model that is asked; and for each pixel by which slopes are taken; measured."""
_TRAINING, _PIXELS = 9_000, 3 * 32 * 32


class Capacity(KeptStudy):
    """What a capacity stops, and what it does not: a crafted model, batches, compression, similar pictures."""

    result = CapacityResult
    timed = "figures"
    holds = "panels"

    def values(self, config: CapacityConfig, dimension: Callable[[str], int]) -> float:
        length, shape = dimension(config.dataset), DATASETS[config.dataset].shape
        pixels = _PIXELS if shape is None else shape[0] * shape[1] ** 2
        channels, known = 3 * len(config.capacities), _PICTURE * (config.public + config.pictures)
        costs = {
            "server": config.rounds * (_TRAINED * _TRAINING + 3.0 * known + _PROBED * pixels),
            "batch": len(config.batches) * 4.0 * known,
            "direction": 7.0 * known,
            "compression": 6.0 * known,
            "similarity": 2.0 * channels * known,
            "inversion": (1 + channels) * (config.passes * _TRAINED * _TRAINING + _INVERTED),
            "reports": known + 4.0 * config.pictures * REPORTS[-1] * config.public**2 / 100.0 / length,
            "gaussian": 2.0 * known,
            "noise": 2.0 * known,
        }
        return length * sum(costs[part] for part in config.parts)
