"""The command ``training-path``: where pairs lie in the plane of angle and norm as the model learns."""

import argparse
from typing import Any

from ldp_core import _validate
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.terminal.numbers import number
from ldp_core.terminal.study_command import StudyCommand, json_fields
from ldp_core.types import EPSILON_RANGE


class _TrainingPath(StudyCommand):
    def add_to(self, commands: Any) -> argparse.ArgumentParser:
        parser = super().add_to(commands)
        parser.add_argument("--epsilon", type=number, default=4.0, help="of the map's lines")
        return parser

    def epsilon_of(self, options: argparse.Namespace) -> float:
        return _validate.number("epsilon", options.epsilon, *EPSILON_RANGE)


COMMAND = _TrainingPath(
    default=TrainingPathConfig(),
    description="Train the global model pass by pass and make the same pairs at each level. No trials are run.",
    epilog=json_fields(
        TrainingPathResult.SCHEMA,
        "levels (passes, accuracy, and by attack pairs and left_out, how many could not be made), light_passes",
    ),
    told={
        "attacks": "",
        "dataset": "",
        "passes": "passes after which pairs are made, separated by commas",
        "num_measurements": "pairs of each attack at each level",
        "clip_norm": "L2 bound L on a gradient",
    },
    known={"attacks": ATTACKS, "dataset": PUBLIC_DATASETS},
    helps={"figures": "save the map with the pairs' trail as SVG, PDF and PNG"},
    lines={"crafting": "crafting pair {done:,} of {total:,} of this level"},
)
