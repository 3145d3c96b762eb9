"""Rebuilding pictures from what is sent: what every study states of itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ldp_core import workload
from ldp_core.channels import CHANNELS
from ldp_core.mechanisms import MECHANISMS, TURNED
from ldp_core.reconstructions import RECONSTRUCTIONS, Effort
from ldp_core.studies.reading import KeptStudy
from ldp_core.studies.reconstruction import command
from ldp_core.studies.reconstruction.result import CLASSES, ReconstructionConfig, ReconstructionResult

_SENT = 8.0
"""A number that a mechanism or a channel sends takes about as long as drawing this many values; measured."""


class Reconstruction(KeptStudy):
    """Attackers who rebuild pictures, or name them among known ones, and the limits of what a report carries."""

    name: ClassVar[str] = "reconstruction"
    config: ClassVar[type] = ReconstructionConfig
    timed: ClassVar[str] = "pictures"
    result: ClassVar[type[Any]] = ReconstructionResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: ReconstructionResult) -> bool:
        return any(entry.pictures for entry in result.results)

    def check_size(self, config: ReconstructionConfig) -> None:
        workload.check(self.name, values(config))


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
