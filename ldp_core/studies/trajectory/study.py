"""Where pairs lie as the model learns: what every study states of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ldp_core.studies.reading import KeptStudy, check_known
from ldp_core.studies.trajectory import command
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult


class Trajectory(KeptStudy):
    """Where the pairs of the attacks lie in the plane of angle and norm as the model learns."""

    name: ClassVar[str] = "path"
    config: ClassVar[type] = TrainingPathConfig
    timed: ClassVar[str] = "levels"
    result: ClassVar[type[Any]] = TrainingPathResult
    commands: ClassVar[tuple[Any, ...]] = (command.COMMAND,)

    def found(self, result: TrainingPathResult) -> bool:
        return bool(result.levels)

    def place(self, step: Any) -> tuple[str, float, float]:
        if step.stage == "data":
            return super().place(step)
        planned = len(step.result.config.passes)
        return "levels", min(len(step.result.levels), planned), planned

    def check_stated(self, result: TrainingPathResult, report: Mapping[str, Any]) -> None:
        check_known(attack=result.config.attacks)
