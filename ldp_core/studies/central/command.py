"""The command ``central``: what one of six adversaries reaches against DP-SGD."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core.central_adversaries import ADVERSARIES, DIRECTIONS, DISTINGUISHERS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.central.result import MODELS, CentralConfig, CentralResult
from ldp_core.study import Step
from ldp_core.terminal import follow, say, stage_line
from ldp_core.terminal.numbers import check_threads, number, range_help, whole
from ldp_core.terminal.study_command import add_command, add_public_data, add_shared, check_files, finish, settings_of

NAME = "central"
EPILOG = """\
Games: half of the models are trained with one more record, half without; the attacker says which. The first games
choose the thresholds, the others are judged, and only these are counted.

JSON: claim (epsilon, delta, noise), counts (first: the record is in) at the threshold with the most right guesses,
point_counts at the one that is best for the bound at (epsilon, delta), identification (share of right guesses with
limits), epsilon (lower bounds: clopper_pearson holds for any mechanism; curve and gdp only within their family),
ceiling (share of right guesses of the best attacker by the exact law, who sees all iterates), ceiling_last_iterate (who
sees the last model alone), confidence, verdict, warnings, completed, seconds, seed, device, versions, config, schema.

Exit code 0: the claim was not rejected; 1: it was; 2: anything else. At epsilon 1 or less a few thousand trainings
separate nothing: that a claim is not rejected then says nothing."""


def run(options: argparse.Namespace) -> int:
    """Play the games, print progress on standard error and the result on standard output or to a file."""
    check_files(options)
    config = config_of(options)
    check_threads(options.threads)
    for warning in config.warnings:
        say(f"note: {warning}", end="\n")
    say("loading torch ...")
    from ldp_core.studies.central.run import central

    steps = central(
        config,
        device=options.device,
        threads=options.threads,
        data_dir=options.data_dir,
        download=options.download,
        resume=options.resume,
    )
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> CentralConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    return CentralConfig(**settings_of(options, CentralConfig))


def _stopped(progress: Step[CentralResult]) -> str:
    games = progress.result.counts.num_trials
    return f"stopped after {games:,} judged games; they are valid and shown" if games else ""


def _progress_line(progress: Step[CentralResult], config: CentralConfig) -> str:
    if progress.stage in ("data", "download"):
        return stage_line(progress.stage, config.dataset, progress.done, progress.total)
    if progress.stage == "attack":
        return "preparing the attack"
    return f"game {progress.done:,} of {progress.total:,} ({100 * progress.done // max(1, progress.total)} %)"


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    description = "Train many models with DP-SGD, with and without one record, and let an adversary tell them apart."
    parser = add_command(commands, NAME, run, description, EPILOG)
    default = CentralConfig("malicious-data", 0)
    add = parser.add_argument
    add("--adversary", default=default.adversary, help=f"one of {', '.join(ADVERSARIES)}")
    add("--model", default=default.model, help=f"one of {', '.join(MODELS)}")
    add("--epsilon", type=number, default=default.epsilon, help=f"claimed, {range_help(CentralConfig, 'epsilon')}")
    add("--delta", type=number, default=default.delta, help=f"claimed, {range_help(CentralConfig, 'delta')}")
    add("--records", type=whole, default=default.records, help="records of the data set without the one looked for")
    add("--sampling-rate", type=number, default=default.sampling_rate, help="chance of a record to be in a batch")
    add("--steps", type=whole, default=default.steps, help=f"steps, {range_help(CentralConfig, 'steps')}")
    add("--games", type=whole, default=default.games, help="judged games in each world")
    add("--threshold-games", type=whole, help="other games in each world; without it, as many as are judged")
    add("--distinguisher", help=f"one of {', '.join(DISTINGUISHERS)}; without it, the adversary's own")
    add("--direction", help=f"of the adversary gradient: {', '.join(DIRECTIONS)}; without it, the first (cnn: random)")
    add("--law", action="store_true", help="play by the exact law instead of training (gradient, malicious-data)")
    add_public_data(parser, default.dataset)
    add("--clip-norm", type=number, default=default.clip_norm, help="L2 bound C on a record's gradient")
    add(
        "--learning-rate",
        type=number,
        default=0.0,
        help="of a step, times the mean noisy gradient; 0: 4, or 0.5 for cnn",
    )
    add("--noise-factor", type=number, default=default.noise_factor, help="demonstration: real noise / claimed noise")
    add_shared(parser, "seed", "device", "threads")
    add("--resume", type=Path, metavar="FILE", help="keep the scores of finished games in a file, and go on from it")
    add_shared(parser, "json", "html", "figures")
