"""Rebuilding pictures from what is sent: what every study states of itself."""

from collections.abc import Callable

from ldp_core.channels import CHANNELS
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.reconstructions import RECONSTRUCTIONS, Effort
from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.reconstruction.result import CLASSES, ReconstructionConfig, ReconstructionResult

_SENT = 8.0
"""A number that a mechanism or a channel sends takes about as long as drawing this many values; measured."""


class Reconstruction(KeptStudy):
    """Attackers who rebuild pictures, or name them among known ones, and the limits of what a report carries."""

    result = ReconstructionResult
    timed = "pictures"

    def has_data(self, result: ReconstructionResult) -> bool:
        return any(entry.pictures for entry in result.results)

    def values(self, config: ReconstructionConfig, dimension: Callable[[str], int]) -> float:
        length, turned = dimension(config.dataset), config.protection in LDP_SGD_FAMILY
        attacker = RECONSTRUCTIONS[config.attacker]
        cost = attacker.values(
            Effort(
                length, config.counts, config.candidates, config.batch, config.steps, config.restarts,
                config.optimizer, config.local_steps, turned,
            )
        )  # fmt: skip
        if attacker.sees == "model":
            return CLASSES * cost
        sent = config.local_steps * config.batch
        if config.protection in CHANNELS:
            sent *= config.counts[-1]
        elif config.protection in MECHANISMS and not turned:
            sent += config.counts[-1]
        return config.pictures * (cost + _SENT * sent * length)
