"""The command ``detect``: what a client's detectors refuse before it randomizes."""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import Any

from ldp_core import _validate
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.studies.detect.result import ADAPTIVE, DetectConfig, DetectResult
from ldp_core.study import Step
from ldp_core.terminal import follow, say, stage_line
from ldp_core.terminal.numbers import dataset_help, number, range_help, whole
from ldp_core.terminal.study_command import (
    OWN_DATA_DIR,
    add_command,
    add_shared,
    check_files,
    finish,
    json_fields,
    settings_of,
)
from ldp_core.types import SIGNIFICANCE

NAME = "detect"
WARNING = "Detectors are hygiene: what passes is protected by epsilon alone, and they justify no larger epsilon."


def run(options: argparse.Namespace) -> int:
    """Show every attack's pairs to every detector; print what was refused and what the rest gives away."""
    check_files(options)
    config = config_of(options)
    say("loading torch ...")
    from ldp_core.studies.detect.run import detect

    steps = detect(config, data_dir=options.data_dir, download=options.download)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> DetectConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("dataset", options.dataset, DATASETS)
    return DetectConfig(**settings_of(options, DetectConfig))


def _stopped(progress: Step[DetectResult]) -> str:
    rows = progress.result.rows
    return f"stopped after {len(rows)} attacks; they are shown" if rows else ""


def _progress_line(progress: Step[DetectResult], config: DetectConfig) -> str:
    if progress.stage == "crafting":
        return f"pair {progress.done:,} of {progress.total:,}"
    if progress.stage == "training":
        return f"training the model: pass {progress.done}"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = DetectConfig(0)
    description = "Set detectors on the client's own data, and show them every attack, adaptive ones included."
    own = (
        "passes (of the training), honest (passes, refused, updates, refused_by_some), joint (refused by at least one "
        "detector, of all honest updates), rows (attack, pairs, refused, passed, counts, unguarded, "
        "share_refused, identification), theory_identification, seed"
    )
    parser = add_command(
        commands, NAME, run, description, f"{fill(WARNING, 118)}\n{json_fields(DetectResult.SCHEMA, own)}"
    )
    add = parser.add_argument
    add("--attacks", default="all", help=f"all, or some of {', '.join((*ATTACKS, *ADAPTIVE))}")
    add("--pairs", type=whole, default=default.pairs, help="pairs of each attack")
    add(
        "--epsilon",
        type=number,
        default=default.epsilon,
        help=f"of the randomizer, {range_help(DetectConfig, 'epsilon')}",
    )
    add("--false-alarm", type=number, default=default.false_alarm, help="share of honest ones that each may refuse")
    add("--trials", type=whole, default=default.trials, help="games about each pair")
    add("--images", type=whole, default=default.images, help="own images at most")
    add("--clip-norm", type=number, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--confidence", type=number, default=1.0 - SIGNIFICANCE, help="of the ranges")
    add("--dataset", default=default.dataset, help=f"one of {dataset_help()}")
    add_shared(parser, data_dir=OWN_DATA_DIR)
    add_shared(parser, "download", "seed", "json", "html", "figures")
