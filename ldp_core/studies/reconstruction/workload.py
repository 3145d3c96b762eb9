"""What is known before a reconstruction: whether it is too large for the page. No torch."""

from ldp_core import workload
from ldp_core.channels import CHANNELS
from ldp_core.mechanisms import MECHANISMS, TURNED
from ldp_core.reconstructions import RECONSTRUCTIONS, Effort
from ldp_core.studies.reconstruction.result import CLASSES, ReconstructionConfig

_SENT = 8.0
"""A number that a mechanism or a channel sends takes about as long as drawing this many values; measured."""


def values(config: ReconstructionConfig) -> float:
    """Return as how many random values a run counts."""
    dimension, turned = workload.most_dimension(config.dataset), config.protection in TURNED
    attacker = RECONSTRUCTIONS[config.attacker]
    each = attacker.values(
        Effort(
            dimension, config.counts, config.candidates, config.batch, config.steps, config.restarts,
            config.optimizer, config.local_steps, turned,
        )
    )  # fmt: skip
    if attacker.sees == "model":
        return CLASSES * each
    sent = config.local_steps * config.batch
    if config.protection in CHANNELS:
        sent *= config.counts[-1]
    elif config.protection in MECHANISMS and not turned:
        sent += config.counts[-1]
    return config.pictures * (each + _SENT * sent * dimension)


def check_size(config: ReconstructionConfig) -> None:
    """Raise ``workload.TooLargeError`` if the run would keep the page's worker too long."""
    asked = values(config)
    if asked > workload.MOST_VALUES:
        raise workload.TooLargeError(workload.MOST_VALUES, round(asked), "reconstruction")
