"""Where pairs lie as the model learns: what every study states of itself."""

from collections.abc import Mapping
from typing import Any

from ldp_core.studies.reading import KeptStudy, check_known
from ldp_core.studies.trajectory.result import TrainingPathResult


class Trajectory(KeptStudy):
    """Where the pairs of the attacks lie in the plane of angle and norm as the model learns."""

    name = "path"
    result = TrainingPathResult
    timed = "levels"
    holds = "levels"

    def progress(self, step: Any) -> tuple[str, float, float]:
        if step.stage == "data":
            return super().progress(step)
        planned = len(step.result.config.passes)
        return "levels", min(len(step.result.levels), planned), planned

    def check_stated(self, result: TrainingPathResult, report: Mapping[str, Any]) -> None:
        check_known(attack=result.config.attacks)
