"""The command ``channels``: noise on pictures, as strong as a capacity allows."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from ldp_core import _validate
from ldp_core.channels import CHANNELS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.channels.result import MOST_UNASKED, ChannelsConfig, ChannelsResult
from ldp_core.study import Step
from ldp_core.terminal import follow, say, stage_line
from ldp_core.terminal.numbers import number, whole
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

NAME = "channels"
_FIELDS = (
    "sigma, rank, dimension, capacity, rounds (rounds, capacity, capacity_once) in nats; wiener_error_per_pixel, "
    "share_of_variance, gaussian_floor with its floor_components, water_filling, of Gaussian data; diagonal_capacity "
    "(upper bound in nats); real_error, gaussian_error as measured (point, lower, upper); right of so many pictures "
    "named among candidates, and their share found; accuracy (plain, fresh, once)"
)


def run(options: argparse.Namespace) -> int:
    """Fit a channel; print what it leaves and leaks."""
    check_files(options)
    config = config_of(options)
    say("loading torch ...")
    from ldp_core.studies.channels.run import channels

    steps = channels(config, data_dir=options.data_dir, download=options.download)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> ChannelsConfig:
    """Return the configuration that parsed options ask for."""
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    return ChannelsConfig(**settings_of(options, ChannelsConfig))


def _stopped(progress: Step[ChannelsResult]) -> str:
    return "stopped; what was measured is shown" if progress.result.fit is not None else ""


def _progress_line(progress: Step[ChannelsResult], config: ChannelsConfig) -> str:
    if progress.stage == "channel":
        return f"fitting and measuring the channel: part {progress.done} of {progress.total}"
    if progress.stage == "passes":
        return f"training on noisy pictures: pass {progress.done} of {progress.total}"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = ChannelsConfig()
    description = "Fit a channel of the information-theoretic defence to public pictures, and measure it."
    parser = add_command(commands, NAME, run, description, json_fields(ChannelsResult.SCHEMA, _FIELDS))
    add, ranged = partial(add_field, parser, default), partial(add_ranged, parser, default)
    add("channel", str, f"one of {', '.join(CHANNELS)}")
    add("capacity", number, "C in nats")
    add_public_data(parser, default.dataset)
    rounds = ",".join(map(str, default.rounds))
    parser.add_argument("--rounds", default=rounds, help="numbers of rounds of one picture, separated by commas")
    ranged(
        "importance", number, "how much more noise the personalized channel gives rows 12-19, columns 8-23 of 32 x 32"
    )
    ranged("pictures", whole, "held-out pictures on which it is measured")
    ranged("candidates", whole, f"pictures among which a noisy one is looked up, at most {MOST_UNASKED:,} without it")
    ranged("passes", whole, "of a training on noisy pictures")
    add_shared(parser, "seed", "json", "html")
