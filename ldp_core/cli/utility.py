"""The command ``utility``: what epsilon costs in accuracy."""

from __future__ import annotations

import argparse
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import _validate
from ldp_core.cli._numbers import check_threads, dataset_help, number, whole
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
from ldp_core.studies import UtilityConfig, UtilityResult, command, to_json

if TYPE_CHECKING:
    from ldp_core.federated import UtilityProgress

NAME = "utility"


def run(options: argparse.Namespace) -> int:
    """Train with and without privacy; print the accuracies."""
    check_writable("--json", options.json)
    check_html(options)
    check_folder("--figures", options.figures)
    config = UtilityConfig(
        epsilons=values_of("epsilons", options.epsilons, float),
        seed=secrets.randbits(53) if options.seed is None else options.seed,
        dataset=options.dataset,
        clients=options.clients,
        rounds=options.rounds,
        clip_norm=options.clip_norm,
        learning_rate=options.learning_rate,
        radius=options.radius,
    )
    _validate.choice("dataset", config.dataset, DATASETS)
    check_threads(options.threads)
    say("loading torch ...")
    from ldp_core.federated import utility

    steps = utility(config, data_dir=options.data_dir, download=options.download, threads=options.threads)
    result = follow(
        steps,
        lambda progress: _progress_line(progress, config),
        _stopped,
    ).result

    def save(folder: Path) -> list[Path]:
        from ldp_core.figures.paper import save_utility

        return save_utility([(curve.epsilon, curve.accuracy) for curve in result.curves], folder)

    return conclude(
        NOT_REJECTED,
        lambda: write_html(options.html, result),
        lambda: pictures(options.figures, save),
        lambda: deliver(options.json, text_of(result, options.data_dir), lambda: to_json(result)),
    )


def _stopped(progress: UtilityProgress) -> str:
    rounds = progress.result.curves[0].rounds
    return f"stopped after {rounds} of {progress.result.config.rounds} rounds; they are shown" if rounds else ""


def _progress_line(progress: UtilityProgress, config: UtilityConfig) -> str:
    if progress.stage != "rounds":
        return stage_line(progress.stage, config.dataset, progress.done, progress.total)
    return f"round {progress.done // config.clients:,} of {config.rounds:,}"


def text_of(result: UtilityResult, data_dir: Path | None = None) -> str:
    """Return the accuracies of nine rounds or so, what was spent, and how to repeat it (see ``reports.repeat``)."""
    config = result.config
    shown = sorted({*range(0, config.rounds + 1, max(1, config.rounds // 8)), config.rounds})
    lines = ["right of 100 held-out images after round  " + "".join(f"{number:>6}" for number in shown)]
    for curve in result.curves:
        name = "no privacy" if curve.epsilon is None else f"epsilon {curve.epsilon:g} a round"
        values = [f"{100 * curve.accuracy[n]:>6.1f}" if n < len(curve.accuracy) else f"{'':>6}" for n in shown]
        spent = "" if curve.spent is None else f"   a client in every round spends {curve.spent:g}"
        lines.append(f"{name:<42}" + "".join(values) + spent)
    lines.append(
        f"{config.clients:,} clients a round, {config.dataset}, seed {config.seed}, {result.seconds:.1f} s. "
        + repeat(command(config), (config.dataset,), data_dir)
    )
    return "\n".join(lines)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = UtilityConfig((1.0,), 0)
    parser = commands.add_parser(
        NAME,
        help="what epsilon costs: federated training with and without privacy",
        description="Train one model for each epsilon, and one without privacy, with many simulated clients a round.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--epsilons", default="0.5,1,2,4", help="what a client spends in one round, separated by commas")
    add("--dataset", default=default.dataset, help=f"one of {dataset_help(own=False)}")
    add("--data-dir", type=Path, help="folder that holds torchvision's data")
    add("--download", action="store_true", help="allow a missing data set to be downloaded")
    add("--clients", type=whole, default=default.clients, help="clients that report in a round")
    add("--rounds", type=whole, default=default.rounds, help="rounds")
    add("--clip-norm", type=number, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--learning-rate", type=number, default=default.learning_rate, help="server's first step size times L")
    add("--radius", type=number, default=default.radius, help="norm of the ball that the server's model stays in")
    add("--seed", type=whole, help="of all random streams; without it, from the operating system, and printed")
    add("--threads", type=whole, help="worker threads; without it, all cores")
    add("--json", metavar="FILE", help="write the result as JSON to a file, or - for standard output")
    add("--html", metavar="FILE", help="write the result as one page that opens and prints without internet")
    add("--figures", type=Path, metavar="FOLDER", help="save the figure as SVG, PDF and PNG")
    parser.set_defaults(run=run)
