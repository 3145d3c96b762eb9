"""Detectors before the randomizer: what every study states of itself."""

from __future__ import annotations

from typing import Any, ClassVar

from ldp_core.studies.detect import command
from ldp_core.studies.detect.result import DetectConfig, DetectResult
from ldp_core.studies.reading import KeptStudy


class Detect(KeptStudy):
    """What a client's detectors refuse, and what the rest gives away."""

    name: ClassVar[str] = "detect"
    config: ClassVar[type] = DetectConfig
    timed: ClassVar[str] = "crafting"
    result: ClassVar[type[Any]] = DetectResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: DetectResult) -> bool:
        return bool(result.rows)
