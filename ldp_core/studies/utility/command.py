"""The command ``utility``: what epsilon costs in accuracy."""

from __future__ import annotations

import argparse
from typing import Any

from ldp_core import _validate
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.utility.result import UtilityConfig, UtilityResult
from ldp_core.study import Step
from ldp_core.terminal import follow, say, stage_line
from ldp_core.terminal.numbers import check_threads, number, whole
from ldp_core.terminal.study_command import (
    add_command,
    add_public_data,
    add_shared,
    check_files,
    finish,
    json_fields,
    settings_of,
)

NAME = "utility"


def run(options: argparse.Namespace) -> int:
    """Train with and without privacy; print the accuracies."""
    check_files(options)
    config = config_of(options)
    check_threads(options.threads)
    say("loading torch ...")
    from ldp_core.studies.utility.run import utility

    steps = utility(config, data_dir=options.data_dir, download=options.download, threads=options.threads)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> UtilityConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    return UtilityConfig(**settings_of(options, UtilityConfig))


def _stopped(progress: Step[UtilityResult]) -> str:
    rounds = progress.result.curves[0].rounds
    return f"stopped after {rounds} of {progress.result.config.rounds} rounds; they are shown" if rounds else ""


def _progress_line(progress: Step[UtilityResult], config: UtilityConfig) -> str:
    if progress.stage != "rounds":
        return stage_line(progress.stage, config.dataset, progress.done, progress.total)
    return f"round {progress.done // (config.clients * config.repeats):,} of {config.rounds:,}"


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = UtilityConfig((1.0,), 0)
    description = "Train one model for each epsilon, and one without privacy, with many simulated clients a round."
    own = (
        "curves (epsilon, null without privacy; trainings: for each seed the accuracy before the first round and after "
        "each; accuracy: their mean; lowest, highest)"
    )
    parser = add_command(commands, NAME, run, description, json_fields(UtilityResult.SCHEMA, own))
    add = parser.add_argument
    add("--epsilons", default="0.5,1,2,4", help="what a client spends in one round, separated by commas")
    add_public_data(parser, default.dataset)
    add("--clients", type=whole, default=default.clients, help="clients that report in a round")
    add("--rounds", type=whole, default=default.rounds, help="rounds")
    add("--clip-norm", type=number, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--learning-rate", type=number, default=default.learning_rate, help="server's first step size times L")
    add("--repeats", type=whole, default=default.repeats, help="trainings of each, with seeds --seed, --seed + 1, ...")
    add("--radius", type=number, default=default.radius, help="norm of the ball that the server's model stays in")
    add_shared(parser, "seed", "threads", "json", "html", "figures")
