"""The registry of the studies: each asks one question, in a folder of its own. No torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from ldp_core.study import Study

_CLASSES = {
    "audit": "audit.study.Audit",
    "reconstruction": "reconstruction.study.Reconstruction",
    "channels": "channels.study.Channels",
    "capacity": "capacity.study.Capacity",
    "plane": "plane.study.Plane",
    "compare": "compare.study.Compare",
    "path": "trajectory.study.Trajectory",
    "utility": "utility.study.Utility",
    "trust": "trust.study.Trust",
    "detect": "detect.study.Detect",
    "central": "central.study.Central",
    "check": "check.study.Check",
    "training_check": "training_check.study.TrainingCheck",
    "glimpse": "glimpse.study.OnePicture",
}
"""Name of a study -> its class, below this folder; in the order of their commands."""


class _Studies(Mapping[str, Study]):
    """Loads a study when it is asked for: a command needs no other."""

    def __getitem__(self, name: str) -> Study:
        return _made(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


@cache
def _made(name: str) -> Study:
    module, _, kind = _CLASSES[name].rpartition(".")
    study: Study = getattr(import_module(f"{__name__}.{module}"), kind)()
    return study


STUDIES: Mapping[str, Study] = _Studies()
"""Name -> study, in the order of their commands."""


def study_of(config: object) -> Study:
    """Return the study that a configuration belongs to.

    Raises:
        TypeError: if it belongs to none.
    """
    for study in STUDIES.values():
        if isinstance(config, study.config):
            return study
    raise TypeError(f"a configuration must be that of a study, got {type(config).__name__}")
