"""The command ``plane``: membership and reconstruction against accuracy, for training under each protection."""

from __future__ import annotations

import argparse
from collections.abc import Generator
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from ldp_core import _validate, record
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.plane.config import STRENGTHS, PlaneConfig
from ldp_core.studies.plane.result import PlaneResult
from ldp_core.study import Step
from ldp_core.terminal import follow, say, stage_line, write
from ldp_core.terminal.numbers import number, whole
from ldp_core.terminal.study_command import (
    CHARTS,
    add_command,
    add_public_data,
    add_ranged,
    add_shared,
    check_files,
    finish,
    json_fields,
    settings_of,
)

NAME = "plane"
COST = (
    "What the app shows (mnist, all points, one training of each, 8 shadow models) took 17 minutes on two busy cores; "
    "--repeats R takes R times as long: 10, about 3 hours."
)


def run(options: argparse.Namespace) -> int:
    """Train under each protection and attack; models that a file of an earlier run holds are not trained again."""
    check_files(options)
    config = config_of(options)
    earlier: PlaneResult | None = None
    if options.resume is not None and options.resume.exists() and options.resume.stat().st_size:
        earlier = record.from_json(options.resume.read_bytes(), PlaneResult)
        if options.seed is None:
            config = replace(config, seed=earlier.config.seed)
    if earlier is not None and earlier.config != config:
        raise ValueError(f"--resume must name a file of the same settings, got {str(options.resume)!r}")
    say("loading torch ...")
    from ldp_core.studies.plane.run import plane

    steps = plane(config, data_dir=options.data_dir, download=options.download, earlier=earlier)
    result = follow(_kept(steps, options.resume), _progress_line(config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> PlaneConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    return PlaneConfig(**settings_of(options, PlaneConfig))


def _kept(
    steps: Generator[Step[PlaneResult], None, None], file: Path | None
) -> Generator[Step[PlaneResult], None, None]:
    """Write what is done to a file whenever a training of a point is."""
    done = 0
    for progress in steps:
        if file is not None and len(progress.result.runs) > done:
            done = len(progress.result.runs)
            write("--resume", str(file), record.to_json(progress.result))
        yield progress


def _stopped(progress: Step[PlaneResult]) -> str:
    done = len(progress.result.runs)
    return f"stopped after {done} of {len(progress.result.config.planned)} trainings; they are shown" if done else ""


def _progress_line(config: PlaneConfig) -> Any:
    def line(progress: Step[PlaneResult]) -> str:
        if progress.stage == "models":
            return f"model {progress.done:,} of {progress.total:,}"
        if progress.stage == "timing":
            return f"timing: pass {progress.done:,} of {progress.total:,}"
        return stage_line(progress.stage, config.dataset, progress.done, progress.total)

    return line


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = PlaneConfig()
    description = "Train under each protection; let attackers on membership and on pictures at what it gives away."
    description += " Trainings begin at sqrt(3) times torch's weights: plain gradient steps stall from shorter ones."
    own = (
        "runs (point, repeat, train_right, right of held_out, training, areas, rebuilt, guess), costs (method, "
        "seconds, plain, ratio), summaries (point, train_accuracy, accuracy, areas, strongest, area, rebuilt, guess, "
        "membership, reconstruction, defence)"
    )
    parser = add_command(commands, NAME, run, description, f"{fill(COST, 118)}\n{json_fields(PlaneResult.SCHEMA, own)}")
    add, ranged = parser.add_argument, partial(add_ranged, parser, default)
    add("--points", default="all", help=f"all, or sgd and some, as dp-sgd:0.8; of {', '.join(STRENGTHS)}")
    add_public_data(parser, default.dataset)
    ranged("members", whole, "pictures of a training; as many others are not trained on")
    ranged("passes", whole, "of a training")
    ranged("batch", whole, "pictures of a step")
    ranged("repeats", whole, "trainings of each point; ranges are over them where there are several")
    ranged("shadows", whole, "models of the likelihood-ratio attack, an even number; 0 leaves it out")
    ranged("pictures", whole, "held-out pictures that are rebuilt")
    ranged("public", whole, "pictures that the attacker knows and the channels are fitted to")
    ranged("clip_norm", number, "L2 bound L on one picture's gradient")
    ranged("importance", number, "more noise of the personalized channel on rows 12-19, columns 8-23 of 32 x 32")
    ranged("timings", whole, "timed passes of each method; 0 for none")
    add_shared(parser, "seed")
    add("--resume", type=Path, metavar="FILE", help="keep what is done in a file, and go on from it")
    add_shared(parser, "json", "html", figures=CHARTS)
