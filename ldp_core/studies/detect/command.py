"""The command ``detect``: what a client's detectors refuse before it randomizes."""

from __future__ import annotations

import argparse
from pathlib import Path
from textwrap import fill
from typing import Any

from ldp_core import _validate
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.detectors import DETECTORS
from ldp_core.reports import repeat
from ldp_core.studies.detect.result import ADAPTIVE, SCHEMA, DetectConfig, DetectResult, command
from ldp_core.study import Step
from ldp_core.terminal import follow, say, stage_line, values_of
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
    _validate.choice("dataset", options.dataset, DATASETS)
    attacks = (*ATTACKS, *ADAPTIVE) if options.attacks == "all" else values_of("attacks", options.attacks, str)
    config = DetectConfig(**settings_of(options, DetectConfig, attacks=attacks))
    say("loading torch ...")
    from ldp_core.studies.detect.run import detect

    steps = detect(config, data_dir=options.data_dir, download=options.download)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result, lambda: text_of(result, options.data_dir))


def _stopped(progress: Step[DetectResult]) -> str:
    rows = progress.result.rows
    return f"stopped after {len(rows)} attacks; they are shown" if rows else ""


def _progress_line(progress: Step[DetectResult], config: DetectConfig) -> str:
    if progress.stage == "crafting":
        return f"pair {progress.done:,} of {progress.total:,}"
    if progress.stage == "training":
        return f"training the model: pass {progress.done}"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def text_of(result: DetectResult, data_dir: Path | None = None) -> str:
    """Return a table of attacks by detectors; ``data_dir`` as for ``reports.repeat``."""
    config = result.config
    width = max(map(len, (*config.attacks, "honest, pass 00"))) + 2
    columns = [name for name in DETECTORS]
    lines = [
        f"Refused of 100 by each detector, each set to {100 * config.false_alarm:g} of 100 honest ones:",
        f"{'':<{width}}" + "".join(f"{name:>17}" for name in columns),
    ]
    named = [(f"honest, pass {row.passes}", row.refused) for row in result.honest]
    named += [(row.attack, row.refused) for row in result.rows]
    for name, refused in named:
        shares = {one.detector: f"{100 * one.refused / one.looked:.0f}" for one in refused if one.looked}
        lines.append(f"{name:<{width}}" + "".join(f"{shares.get(column, '-'):>17}" for column in columns))
    by_some, updates = result.joint
    if updates:
        joint = f"{100 * by_some / updates:.0f} of 100 ({by_some:,} of {updates:,})"
        lines.append(f"Refused by at least one detector: {joint} honest updates, each with its model.")
    lines += [
        f"Epsilon {config.epsilon:g}: {100 * result.promise:.1f} right guesses of 100 at most, detectors or not.",
        f"{'':<{width}}{'pairs refused':>24}{'right of 100 about what passes':>36}{'without detectors':>20}",
    ]
    for row in result.rows:
        share, right = row.share_refused(config.significance), row.right(config.significance)
        caught = "-" if share is None else f"{row.pairs - row.passed}/{row.pairs} ({share.lower:.2f}-{share.upper:.2f})"
        kept = "nothing passed"
        if right is not None:
            kept = f"{100 * right.point:.1f} ({100 * right.lower:.1f}-{100 * right.upper:.1f})"
        all_ = row.unguarded
        without = f"{100 * all_.num_right / all_.num_trials:.1f}" if all_.num_trials else "-"
        lines.append(f"{row.attack:<{width}}{caught:>24}{kept:>36}{without:>20}")
    lines.append(WARNING)
    again = repeat(command(config), (config.dataset,), data_dir)
    lines.append(
        f"Model after {result.passes} passes, {config.dataset}, seed {config.seed}, {result.seconds:.1f} s. {again}"
    )
    return "\n".join(lines)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = DetectConfig(0)
    description = "Set detectors on the client's own data, and show them every attack, adaptive ones included."
    own = (
        "passes (of the training), honest (passes, refused, updates, refused_by_some), joint (refused by at least one "
        "detector, of all honest updates), rows (attack, pairs, refused, passed, counts, unguarded, "
        "share_refused, identification), theory_identification, seed"
    )
    parser = add_command(commands, NAME, run, description, f"{fill(WARNING, 118)}\n{json_fields(SCHEMA, own)}")
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
