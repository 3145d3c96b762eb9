"""The command ``training-path``: where pairs lie in the plane of angle and norm as the model learns."""

from __future__ import annotations

import argparse
import secrets
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import _validate, tables
from ldp_core.adversaries import ATTACKS
from ldp_core.cli._numbers import dataset_help, number, whole
from ldp_core.cli._terminal import (
    NOT_REJECTED,
    check_folder,
    check_html,
    check_writable,
    conclude,
    deliver,
    follow,
    pictures,
    say,
    stage_line,
    values_of,
    write_html,
)
from ldp_core.datasets import DATASETS
from ldp_core.reports import repeat
from ldp_core.studies import TrainingPathConfig, TrainingPathResult, command, place, to_json
from ldp_core.types import EPSILON_RANGE, TRAINING_WORDS

if TYPE_CHECKING:
    from ldp_core.training_path import TrainingPathProgress

NAME = "training-path"


def run(options: argparse.Namespace) -> int:
    """Train pass by pass, craft pairs, print where they lie."""
    check_writable("--json", options.json)
    check_html(options)
    check_folder("--figures", options.figures)
    _validate.number("epsilon", options.epsilon, *EPSILON_RANGE)
    config = TrainingPathConfig(
        attacks=ATTACKS if options.attacks == "all" else values_of("attacks", options.attacks, str),
        seed=secrets.randbits(53) if options.seed is None else options.seed,
        dataset=options.dataset,
        passes=values_of("passes", options.passes, whole),
        num_measurements=options.measurements,
        clip_norm=options.clip_norm,
    )
    _validate.choice("dataset", config.dataset, DATASETS)
    for attack in config.attacks:
        _validate.choice("attack", attack, ATTACKS)
    say("loading torch ...")
    from ldp_core.training_path import training_path

    steps = training_path(config, data_dir=options.data_dir, download=options.download)
    result = follow(
        steps,
        lambda progress: _progress_line(progress, config),
        _stopped,
    ).so_far

    def save(folder: Path) -> list[Path]:
        from ldp_core.figures.paper import save_training_path

        places = [tables.level_points(level, options.epsilon, config.clip_norm) for level in result.levels]
        return save_training_path(options.epsilon, config.clip_norm, places, folder)

    return conclude(
        NOT_REJECTED,
        lambda: write_html(options.html, result, epsilon=options.epsilon),
        lambda: pictures(options.figures, save),
        lambda: deliver(options.json, text_of(result, options.data_dir), lambda: to_json(result)),
    )


def _stopped(progress: TrainingPathProgress) -> str:
    return "stopped; the pairs so far are shown" if progress.so_far.levels else ""


def _progress_line(progress: TrainingPathProgress, config: TrainingPathConfig) -> str:
    if progress.stage == "crafting":
        return f"crafting pair {progress.done:,} of {progress.total:,} of this level"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def text_of(result: TrainingPathResult, data_dir: Path | None = None) -> str:
    """Return the mean place of each attack's pairs at each level, and how to repeat it (see ``reports.repeat``)."""
    config = result.config
    width = max(12, *map(len, config.attacks)) + 2
    lines = ["mean angle in degrees / mean clipped norm"]
    lines.append("passes  right of 100  " + "".join(f"{attack:>{width}}" for attack in config.attacks))
    for level in result.levels:
        mark = " light" if level.passes == result.light_passes else ""
        places = []
        for attack in config.attacks:
            found = [place(pair, config.clip_norm) for pair in level.pairs[attack]]
            mean = [statistics.fmean(values) for values in zip(*found, strict=True)]
            missing = "none" if level.made[attack] else "not made"
            places.append(f"{mean[0]:.0f} / {mean[1]:.2f}" if mean else missing)
        row = "".join(f"{text:>{width}}" for text in places)
        lines.append(f"{level.passes:>6}  {100 * level.accuracy:>12.1f}  {row}{mark}")
    if result.light_passes is not None:
        lines.append(f"light: {TRAINING_WORDS['light']}")
    if result.levels and (fewest := min(result.levels[-1].made.values())) < config.num_measurements:
        lines.append(f"The last level was cut short: at least {fewest} pairs of each attack were made.")
    again = repeat(command(config), (config.dataset,), data_dir)
    lines.append(f"{config.num_measurements} pairs each, {config.dataset}, seed {config.seed}. {again}")
    return "\n".join(lines)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = TrainingPathConfig(ATTACKS, 0)
    parser = commands.add_parser(
        NAME,
        help="how pairs wander in angle and norm as the model learns",
        description="Train the global model pass by pass and make the same pairs at each level. No trials are run.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--attacks", default="all", help=f"all, or some of {', '.join(ATTACKS)}")
    add("--dataset", default=default.dataset, help=f"one of {dataset_help(own=False)}")
    add("--data-dir", type=Path, help="folder that holds torchvision's data")
    add("--download", action="store_true", help="allow a missing data set to be downloaded")
    add("--passes", default=",".join(map(str, default.passes)), help="passes after which pairs are made")
    add("--measurements", type=whole, default=default.num_measurements, help="pairs of each attack at each level")
    add("--clip-norm", type=number, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--seed", type=whole, help="of the images; without it, from the operating system, and printed")
    add("--html", metavar="FILE", help="write the result as one page that opens and prints without internet")
    add("--figures", type=Path, metavar="FOLDER", help="save the map with the pairs' trail as SVG, PDF and PNG")
    add("--epsilon", type=number, default=4.0, help="of the map's lines")
    add("--json", metavar="FILE", help="write the result as JSON to a file, or - for standard output")
    parser.set_defaults(run=run)
