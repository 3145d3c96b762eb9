"""The plane: the result; nothing here loads torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ldp_core import _validate
from ldp_core.studies.plane.config import PlaneConfig
from ldp_core.studies.plane.summary import Cost, PlaneRun, Summary, summaries
from ldp_core.studies.reading import check_completed


@dataclass(frozen=True, slots=True)
class PlaneResult:
    """The plane, whole or cut short.

    Args:
        runs: in the order of ``config.planned``, those that are done.
        costs: of each method, timed in one run; empty until they are.
    """

    SCHEMA: ClassVar[str] = "ldp-plane/1"
    DERIVED: ClassVar[tuple[str, ...]] = ("summaries",)
    config: PlaneConfig
    runs: tuple[PlaneRun, ...]
    costs: tuple[Cost, ...]
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        config = self.config
        done = tuple((one.point, one.repeat) for one in self.runs)
        if done != config.planned[: len(done)]:
            raise ValueError("runs must be the first ones that were planned, in their order, got others")
        for one in self.runs:
            _validate.integer("train_right", one.train_right, 0, config.members)
            _validate.integer("held_out", one.held_out, 1)
            _validate.integer("right", one.right, 0, one.held_out)
            _validate.integer("training", one.training, 2 * config.members + config.public)
            if tuple(one.areas) != config.attacks:
                raise ValueError(f"areas must be of {', '.join(config.attacks)}, got {', '.join(one.areas) or 'none'}")
            for area in one.areas.values():
                _validate.number("area", area.value, 0.0, 1.0)
        timed = tuple(one.method for one in self.costs)
        if timed and timed != config.methods:
            raise ValueError(f"costs must be of {', '.join(config.methods)}, got {', '.join(timed)}")
        whole = len(done) == len(config.planned) and (bool(timed) or not config.timings)
        check_completed(self.completed, whole)
        _validate.number("seconds", self.seconds, 0.0, 1e9)

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """What was measured of each point of which all trainings are done."""
        return summaries(self.config, self.runs)
