"""The command ``training-path``: where pairs lie in the plane of angle and norm as the model learns."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ldp_core import _validate
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.trajectory.result import TrainingPathConfig, TrainingPathResult
from ldp_core.terminal import follow, say, stage_line
from ldp_core.terminal.numbers import number, whole
from ldp_core.terminal.study_command import (
    add_command,
    add_public_data,
    add_shared,
    check_files,
    finish,
    json_fields,
    settings_of,
)
from ldp_core.types import EPSILON_RANGE

if TYPE_CHECKING:
    from ldp_core.studies.trajectory.run import TrainingPathProgress

NAME = "training-path"


def run(options: argparse.Namespace) -> int:
    """Train pass by pass, craft pairs, print where they lie."""
    check_files(options)
    _validate.number("epsilon", options.epsilon, *EPSILON_RANGE)
    config = config_of(options)
    say("loading torch ...")
    from ldp_core.studies.trajectory.run import training_path

    steps = training_path(config, data_dir=options.data_dir, download=options.download)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).so_far
    return finish(options, result, epsilon=options.epsilon)


def config_of(options: argparse.Namespace) -> TrainingPathConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    config = TrainingPathConfig(**settings_of(options, TrainingPathConfig))
    for attack in config.attacks:
        _validate.choice("attack", attack, ATTACKS)
    return config


def _stopped(progress: TrainingPathProgress) -> str:
    return "stopped; the pairs so far are shown" if progress.so_far.levels else ""


def _progress_line(progress: TrainingPathProgress, config: TrainingPathConfig) -> str:
    if progress.stage == "crafting":
        return f"crafting pair {progress.done:,} of {progress.total:,} of this level"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = TrainingPathConfig()
    description = "Train the global model pass by pass and make the same pairs at each level. No trials are run."
    own = "levels (passes, accuracy, and by attack pairs and left_out, how many could not be made), light_passes"
    parser = add_command(commands, NAME, run, description, json_fields(TrainingPathResult.SCHEMA, own))
    add = parser.add_argument
    add("--attacks", default="all", help=f"all, or some of {', '.join(ATTACKS)}")
    add_public_data(parser, default.dataset)
    add("--passes", default=",".join(map(str, default.passes)), help="passes after which pairs are made")
    add("--measurements", type=whole, default=default.num_measurements, help="pairs of each attack at each level")
    add("--clip-norm", type=number, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--seed", type=whole, help="of the images; without it, from the operating system, and printed")
    add_shared(parser, "html", figures="save the map with the pairs' trail as SVG, PDF and PNG")
    add("--epsilon", type=number, default=4.0, help="of the map's lines")
    add_shared(parser, "json")
