"""Where pairs lie as the model learns: what every study states of itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from ldp_core.studies.reading import KeptStudy, check_known
from ldp_core.studies.trajectory import command
from ldp_core.studies.trajectory.places import level_points
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.study import Request

if TYPE_CHECKING:
    from ldp_core.cache import Cache

PATH_EPSILON = 4.0
"""Epsilon of the map unless another one is asked for: the papers' largest, where lines lie closest."""


class Trajectory(KeptStudy):
    """Where the pairs of the attacks lie in the plane of angle and norm as the model learns."""

    name: ClassVar[str] = "path"
    config: ClassVar[type] = TrainingPathConfig
    timed: ClassVar[str] = "levels"
    result: ClassVar[type[Any]] = TrainingPathResult
    commands: ClassVar[tuple[ModuleType, ...]] = (command,)

    def run(self, request: Request, cache: Cache, threads: int) -> Iterator[Any]:
        from ldp_core.studies.trajectory.run import training_path

        where: dict[str, Any] = {"data_dir": request.data_dir, "download": request.download}
        return training_path(request.config, halted=request.unwanted, **where)

    def found(self, result: TrainingPathResult) -> bool:
        return bool(result.levels)

    def place(self, step: Any) -> tuple[str, float, float]:
        if step.stage == "data":
            return super().place(step)
        planned = len(step.result.config.passes)
        return "levels", min(len(step.result.levels), planned), planned

    def check_stated(self, result: TrainingPathResult, report: Mapping[str, Any]) -> None:
        check_known(attack=result.config.attacks)

    def save_figures(
        self, result: TrainingPathResult, folder: Path, words: Mapping[str, str], epsilon: float | None
    ) -> list[Path]:
        from ldp_core.presentation.figures import mapping, paper

        clip_norm, epsilon = result.config.clip_norm, epsilon or PATH_EPSILON
        places = [level_points(level, epsilon, clip_norm) for level in result.levels]
        if not places:
            return []
        describe = partial(mapping.map_chart, epsilon, clip_norm, places[-1], trail=places[:-1])
        return paper.save_chart(describe, folder, "training-path", words=words)
