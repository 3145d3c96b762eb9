"""The command ``capacity``: figures of what a capacity stops and what it does not."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ldp_core import _validate
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.record import shortest
from ldp_core.studies.capacity.result import PARTS, CapacityConfig, CapacityResult
from ldp_core.study import Step
from ldp_core.terminal import follow, say, stage_line
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

NAME = "capacity"


def run(options: argparse.Namespace) -> int:
    """Measure the figures; print what they say."""
    check_files(options)
    config = config_of(options)
    say("loading torch ...")
    from ldp_core.studies.capacity.run import capacity

    steps = capacity(config, data_dir=options.data_dir, download=options.download)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> CapacityConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    return CapacityConfig(**settings_of(options, CapacityConfig))


def _stopped(progress: Step[CapacityResult]) -> str:
    done = len(progress.result.panels)
    return f"stopped after {done} of {len(progress.result.config.panels)} charts; they are shown" if done else ""


def _progress_line(progress: Step[CapacityResult], config: CapacityConfig) -> str:
    if progress.stage == "figures":
        return f"measuring: step {progress.done} of {progress.total}"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = CapacityConfig()
    description = "Measure what a capacity of the information-theoretic defence stops and what it does not."
    description += " The client's first model is that of reconstruct --training none."
    own = "panels (one for each chart: name, lines with a name and points of x, value, lower, upper)"
    parser = add_command(commands, NAME, run, description, json_fields(CapacityResult.SCHEMA, own))
    add, ranged = parser.add_argument, partial(add_ranged, parser, default)
    add("--parts", default="all", help=f"all, or some of {', '.join(PARTS)}")
    add_public_data(parser, default.dataset)
    add("--capacity", type=number, default=default.capacity, help="C in nats, of the parts that have one")
    capacities = ",".join(map(shortest, default.capacities))
    add("--capacities", default=capacities, help="C in nats of the parts that compare several, separated by commas")
    ranged("rounds", whole, "of the server that crafts its model")
    ranged("factor", number, "by which that server multiplies its last layer in each round")
    add("--batches", default=",".join(map(str, default.batches)), help="pictures behind an update, separated by commas")
    ranged("noise", number, "noise multiplier z of DP-SGD")
    ranged("clip_norm", number, "L2 bound L on one picture's gradient")
    ranged("epsilon", number, "of LDP-SGD, in nats")
    ranged("importance", number, "more noise of the personalized channel on rows 12-19, columns 8-23 of 32 x 32")
    ranged("public", whole, "pictures that everybody knows, noise is fitted to, and a picture is named among")
    ranged("pictures", whole, "held-out pictures, or batches of them, on which is measured")
    ranged("passes", whole, "of each training of the model inversion")
    add_shared(parser, "seed", "json", "html", figures=CHARTS)
