"""The command ``reconstruct``: could somebody see a picture from what is sent?"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.studies.reconstruction.result import PROTECTIONS, ReconstructionConfig, ReconstructionResult
from ldp_core.study import Step
from ldp_core.terminal import follow, opened_cache, say, stage_line
from ldp_core.terminal.numbers import number, training_help, whole
from ldp_core.terminal.study_command import (
    add_command,
    add_field,
    add_public_data,
    add_ranged,
    add_shared,
    check_files,
    finish,
    json_fields,
    settings_of,
)
from ldp_core.types import SIGNIFICANCE, TRAININGS

NAME = "reconstruct"
_FIELDS = (
    "results (for each number of reports: pictures; mse of the whole picture, psnr, ssim, cosine and top1 of the part "
    "that the network sees, label_right and identified with point, lower, upper; sureness; right, right_by_mean of the "
    "pictures; limits), limits of all reports (doubling, fano, general, information_per_report), baselines (mean, "
    "class_mean), dimension, blind (share of pixels never seen)"
)
_FEW = {"identify": 400, "linear": 100, "half-space": 20, "inversion": 10, "peel": 10, "model-inversion": 10}
"""Pictures that are attacked unless a number is given: about half a minute."""


def run(options: argparse.Namespace) -> int:
    """Attack pictures; print what was reached beside what nobody exceeds."""
    check_files(options)
    config = config_of(options)
    cache = opened_cache()
    say("loading torch ...")
    from ldp_core.studies.reconstruction.run import reconstruct

    steps = reconstruct(config, data_dir=options.data_dir, download=options.download, cache=cache)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> ReconstructionConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("attacker", options.attacker, tuple(RECONSTRUCTIONS))
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    asks_model = RECONSTRUCTIONS[options.attacker].sees == "model"
    usual = {"pictures": _FEW[options.attacker], "training": "light" if asks_model else "none"}
    return ReconstructionConfig(**usual | settings_of(options, ReconstructionConfig))


def _stopped(progress: Step[ReconstructionResult]) -> str:
    done = progress.result.results[0].pictures
    return f"stopped after {done} of {progress.result.planned} pictures; they are shown" if done else ""


def _progress_line(progress: Step[ReconstructionResult], config: ReconstructionConfig) -> str:
    if progress.stage != "pictures":
        return stage_line(progress.stage, config.dataset, progress.done, progress.total)
    return f"picture {progress.done:,} of {progress.total:,}"


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = ReconstructionConfig()
    description = "Let attackers rebuild pictures, or name them among known ones, from reports of one update."
    parser = add_command(commands, NAME, run, description, json_fields(ReconstructionResult.SCHEMA, _FIELDS))
    add, ranged = partial(add_field, parser, default), partial(add_ranged, parser, default)
    add("attacker", str, f"one of {', '.join(RECONSTRUCTIONS)}")
    add_public_data(parser, default.dataset)
    parser.add_argument(
        "--training", choices=TRAININGS, help=f"of the model: {training_help()}; none, and light for model-inversion"
    )
    add("protection", str, f"one of {', '.join(PROTECTIONS)}")
    ranged("epsilon", number, "of a mechanism, in nats")
    reports = ",".join(map(str, default.reports))
    parser.add_argument("--reports", default=reports, help="numbers of reports of one picture, separated by commas")
    low, high = limits(ReconstructionConfig, "pictures")
    parser.add_argument(
        "--pictures", type=whole, help=f"pictures that are attacked, {low} to {high:,}; without it, about half a minute"
    )
    ranged("candidates", whole, "pictures among which identify chooses")
    parser.add_argument(
        "--confidence", type=number, default=1.0 - SIGNIFICANCE, help="of the verdict; ranges are 95 %% ranges"
    )
    ranged("public", whole, "public pictures that the attacker knows")
    ranged("clip_norm", number, "L2 bound L on an update")
    add("capacity", number, "of a channel, in nats")
    ranged("noise", number, "multiplier z of gaussian noise, in units of L; without it, as strong as epsilon needs")
    ranged("keep", number, "share of numbers that top-k sends")
    ranged(
        "importance", number, "how much more noise the personalized channel gives rows 12-19, columns 8-23 of 32 x 32"
    )
    ranged("batch", whole, "pictures behind one update")
    ranged(
        "local_steps",
        whole,
        "steps of gradient descent on the batch that make one update; all attackers but peel know them",
    )
    ranged("local_rate", number, "their learning rate")
    ranged("steps", whole, "of an attacker that optimizes")
    ranged("restarts", whole, "of inversion")
    add("optimizer", str, "of inversion: adam (signed) or lbfgs")
    add_shared(parser, "seed", "json", "html", "figures")
