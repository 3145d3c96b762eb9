"""What is known before the figures of a capacity: whether they are too many for the page. No torch."""

from ldp_core import workload
from ldp_core.datasets import DATASETS
from ldp_core.studies.capacity.result import REPORTS, CapacityConfig

_PICTURE, _TRAINED, _INVERTED, _PROBED = 3.0, 1.0, 10_000.0, 27.0
"""As how many random values a number of a gradient counts: for a picture that is sent and looked at; for one of a pass
of a training with noise; for a model that is asked; and for each pixel by which slopes are taken; measured."""
_TRAINING, _PIXELS = 9_000, 3 * 32 * 32


def values(config: CapacityConfig) -> float:
    """Return as how many random values the figures count."""
    dimension, shape = workload.most_dimension(config.dataset), DATASETS[config.dataset].shape
    pixels = _PIXELS if shape is None else shape[0] * shape[1] ** 2
    channels, known = 3 * len(config.capacities), _PICTURE * (config.public + config.pictures)
    each = {
        "server": config.rounds * (_TRAINED * _TRAINING + 3.0 * known + _PROBED * pixels),
        "batch": len(config.batches) * 4.0 * known,
        "direction": 7.0 * known,
        "compression": 6.0 * known,
        "similarity": 2.0 * channels * known,
        "inversion": (1 + channels) * (config.passes * _TRAINED * _TRAINING + _INVERTED),
        "reports": known + 4.0 * config.pictures * REPORTS[-1] * config.public**2 / 100.0 / dimension,
        "gaussian": 2.0 * known,
        "noise": 2.0 * known,
    }
    return dimension * sum(each[part] for part in config.parts)


def check_size(config: CapacityConfig) -> None:
    """Raise ``workload.TooLargeError`` if the run would keep the page's worker too long."""
    asked = values(config)
    if asked > workload.MOST_VALUES:
        raise workload.TooLargeError(workload.MOST_VALUES, round(asked), "capacity")
