"""The command ``training-path``: where pairs lie in the plane of angle and norm as the model learns."""

from __future__ import annotations

import argparse
import secrets
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import _validate, tables
from ldp_core.cli._terminal import (
    NOT_REJECTED,
    check_folder,
    check_html,
    check_writable,
    deliver,
    follow,
    say,
    stage_line,
    values_of,
    write_html,
)
from ldp_core.grid import ATTACKS
from ldp_core.studies import TrainingPathConfig, TrainingPathResult, command, place, to_json
from ldp_core.types import EPSILON_RANGE

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
        passes=values_of("passes", options.passes, int),
        num_measurements=options.measurements,
        clip_norm=options.clip_norm,
    )
    say("loading torch ...")
    from ldp_core.training_path import training_path

    steps = training_path(config, data_dir=options.data_dir, download=options.download)
    result = follow(
        steps,
        lambda progress: _progress_line(progress, config),
        lambda progress: "stopped; the levels so far are shown",
    ).result
    deliver(options.json, text_of(result), lambda: to_json(result))
    write_html(options.html, result, epsilon=options.epsilon)
    if options.figures is not None and result.levels:
        from ldp_core.figures.paper import save_training_path

        places = [tables.level_points(level, options.epsilon, config.clip_norm) for level in result.levels]
        saved = save_training_path(options.epsilon, config.clip_norm, places, options.figures)
        say(f"{len(saved)} pictures are in {options.figures}", end="\n")
    return NOT_REJECTED


def _progress_line(progress: TrainingPathProgress, config: TrainingPathConfig) -> str:
    if progress.stage == "crafting":
        return f"crafting pair {progress.done:,} of {progress.total:,} of this level"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def text_of(result: TrainingPathResult) -> str:
    """Return the mean place of each attack's pairs at each level."""
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
            places.append(f"{mean[0]:.0f} / {mean[1]:.2f}" if mean else "none")
        row = "".join(f"{text:>{width}}" for text in places)
        lines.append(f"{level.passes:>6}  {100 * level.accuracy:>12.1f}  {row}{mark}")
    lines.append(
        f"{config.num_measurements} pairs each, {config.dataset}, seed {config.seed}. Repeat: {command(config)}"
    )
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
    add("--dataset", default=default.dataset, help="digits (built in), mnist, fashion-mnist, cifar10 or svhn")
    add("--data-dir", type=Path, help="folder that holds torchvision's data")
    add("--download", action="store_true", help="allow a missing data set to be downloaded")
    add("--passes", default=",".join(map(str, default.passes)), help="passes after which pairs are made")
    add("--measurements", type=int, default=default.num_measurements, help="pairs of each attack at each level")
    add("--clip-norm", type=float, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--seed", type=int, help="of the images; without it, from the operating system, and printed")
    add("--html", metavar="FILE", help="write the result as one page that opens and prints without internet")
    add("--figures", type=Path, metavar="FOLDER", help="save the map with the pairs' trail as SVG, PDF and PNG")
    add("--epsilon", type=float, default=4.0, help="of the map's lines")
    add("--json", metavar="FILE", help="write the result as JSON to a file, or - for standard output")
    parser.set_defaults(run=run)
