"""The registry of the studies: each asks one question, in a folder of its own. No torch."""

from __future__ import annotations

from ldp_core.studies.audit.study import Audit
from ldp_core.studies.capacity.study import Capacity
from ldp_core.studies.central.study import Central
from ldp_core.studies.channels.study import Channels
from ldp_core.studies.check.study import Check
from ldp_core.studies.compare.study import Compare
from ldp_core.studies.detect.study import Detect
from ldp_core.studies.glimpse.study import OnePicture
from ldp_core.studies.plane.study import Plane
from ldp_core.studies.reconstruction.study import Reconstruction
from ldp_core.studies.training_check.study import TrainingCheck
from ldp_core.studies.trajectory.study import Trajectory
from ldp_core.studies.trust.study import Trust
from ldp_core.studies.utility.study import Utility
from ldp_core.study import Study

STUDIES: dict[str, Study] = {
    study.name: study
    for study in (
        Audit(),
        Reconstruction(),
        Channels(),
        Capacity(),
        Plane(),
        Compare(),
        Trajectory(),
        Utility(),
        Trust(),
        Detect(),
        Central(),
        Check(),
        TrainingCheck(),
        OnePicture(),
    )
}
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
