"""The command ``channels``: noise on pictures, as strong as a capacity allows."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from ldp_core import _validate, record
from ldp_core.channels import CHANNELS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.reports import repeat
from ldp_core.studies.channels.result import MOST_UNASKED, ChannelsConfig, ChannelsResult
from ldp_core.studies.channels.told import sentences
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
    return finish(options, result, lambda: text_of(result, options.data_dir))


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


def text_of(result: ChannelsResult, data_dir: Path | None = None) -> str:
    """Return what was found, and how to repeat it (see ``reports.repeat``)."""
    config, fit = result.config, result.fit
    lines = [sentence.replace("**", "") for sentence in sentences(result)]
    if fit is not None:
        sigma = "of its own in each direction" if fit.sigma is None else f"{fit.sigma:.6g}"
        lines.append(f"noise sigma {sigma}; pictures differ in {fit.rank} of {fit.dimension} directions")
        rounds = ", ".join(f"{n:,}: {told:.1f}" for n, told in zip(config.rounds, fit.rounds, strict=True))
        lines.append(f"nats after rounds with fresh noise: {rounds}; with noise drawn once: {fit.capacity:.1f}")
        lines.append(
            f"Gaussian model, squared error per pixel: linear estimate {fit.wiener_error_per_pixel:.5f}, water-filling "
            f"{fit.water_filling:.5f}, floor over {fit.floor_components} components {fit.gaussian_floor:.5f}"
        )
        if fit.diagonal_capacity is not None:
            lines.append(f"upper bound on the capacity by the paper's Theorem 3: {fit.diagonal_capacity:.1f} nats")
    if result.accuracy is not None:
        for name, shares in (
            ("plain pictures", result.accuracy.plain),
            ("fresh noise", result.accuracy.fresh),
            ("noise drawn once", result.accuracy.once),
        ):
            lines.append(f"accuracy, {name}: " + " ".join(f"{share:.3f}" for share in shares))
    lines.append(
        f"{config.channel} channel, {config.dataset}, seed {config.seed}, {result.seconds:.1f} s. "
        + repeat(record.command(config), (config.dataset,), data_dir)
    )
    return "\n".join(lines)


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
