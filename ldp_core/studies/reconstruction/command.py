"""The command ``reconstruct``: could somebody see a picture from what is sent?"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from ldp_core import _validate, record
from ldp_core._validate import limits
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.presentation.documents.words import WORDS
from ldp_core.reconstructions import RECONSTRUCTIONS
from ldp_core.reports import repeat
from ldp_core.studies.reconstruction.result import PROTECTIONS, Interval, ReconstructionConfig, ReconstructionResult
from ldp_core.studies.reconstruction.told import sentences
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
    return finish(options, result, lambda: text_of(result, options.data_dir))


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


def text_of(result: ReconstructionResult, data_dir: Path | None = None) -> str:
    """Return what was reached with each number of reports, the limits, and how to repeat it."""
    config = result.config
    lines = [sentence.replace("**", "") for sentence in sentences(result)]
    lines.append(WORDS["recon_numbers"])
    lines.append(
        f"{'reports':>10}  {'MSE':>22}  {'SSIM':>6}  {'top-1 of 20':>20}  {'label':>6}  {'named':>20}  {'limit':>6}"
    )
    for entry in result.results:
        limits_here = result.limits_of(entry.reports)
        known = [one for one in (limits_here.doubling, limits_here.fano, limits_here.general) if one is not None]
        limit = f"{min(known):6.3f}" if known and entry.right is not None else f"{'–':>6}"
        lines.append(
            f"{entry.reports:>10,}  {_shown(entry.mse, 4):>22}  {_point(entry.ssim):>6}  {_shown(entry.top1, 2):>20}  "
            f"{_point(entry.label_right):>6}  {_shown(entry.identified, 3):>20}  {limit}"
        )
    base = result.baselines["mean"]
    if base is not None:
        lines.append(f"without any update the mean picture has MSE {base:.4f} (whole picture)")
    lines.append(
        f"{config.attacker} against {config.protection}, {config.dataset}, training {config.training}, "
        f"{result.results[0].pictures:,} pictures, seed {config.seed}, {result.seconds:.1f} s. "
        + repeat(record.command(config), (config.dataset,), data_dir)
    )
    return "\n".join(lines)


def _shown(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return "–"
    if interval.lower is None or interval.upper is None:
        return f"{interval.point:.{digits}f}"
    return f"{interval.point:.{digits}f} ({interval.lower:.{digits}f}–{interval.upper:.{digits}f})"


def _point(interval: Interval | None) -> str:
    return "–" if interval is None else f"{interval.point:.2f}"


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
