"""The command ``utility``: what epsilon costs in accuracy."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core.cli._terminal import (
    NOT_REJECTED,
    Progress,
    check_folder,
    check_writable,
    ignore_interrupts,
    say,
    stage_line,
    values_of,
    write,
)
from ldp_core.studies import UtilityConfig, UtilityResult, to_json

if TYPE_CHECKING:
    from ldp_core.federated import UtilityProgress

NAME = "utility"


def run(options: argparse.Namespace) -> int:
    """Train with and without privacy; print the accuracies."""
    check_writable("--json", options.json)
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
    say("loading torch ...")
    from ldp_core.federated import utility

    result: UtilityResult | None = None
    shown = Progress()
    try:
        for progress in utility(config, data_dir=options.data_dir, download=options.download, threads=options.threads):
            result = progress.result
            shown.show(progress.stage, _progress_line(progress, config))
    except KeyboardInterrupt:
        ignore_interrupts()
        if result is None:
            raise
        say("stopped; what was trained so far is shown", end="\n")
    else:
        ignore_interrupts()
        say("done", end="\n")
    assert result is not None
    print(to_json(result) if options.json == "-" else _text(result))
    sys.stdout.flush()
    if options.json not in (None, "-"):
        write("--json", options.json, to_json(result) + "\n")
    if options.figures is not None:
        from ldp_core.figures.paper import save_utility

        saved = save_utility([(curve.epsilon, curve.accuracy) for curve in result.curves], options.figures)
        say(f"{len(saved)} pictures are in {options.figures}", end="\n")
    return NOT_REJECTED


def _progress_line(progress: UtilityProgress, config: UtilityConfig) -> str:
    if progress.stage != "rounds":
        return stage_line(progress.stage, config.dataset, progress.done, progress.total)
    return f"round {progress.done // config.clients:,} of {config.rounds:,}"


def _text(result: UtilityResult) -> str:
    """Return the accuracies of nine rounds or so, and what was spent."""
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
        f"Repeat: {command(config)}"
    )
    return "\n".join(lines)


def command(config: UtilityConfig) -> str:
    """Return the command line that repeats a training."""
    epsilons = ",".join(f"{epsilon:.12g}" for epsilon in config.epsilons)
    return (
        f"python -m ldp_core utility --epsilons {epsilons} --dataset {config.dataset} --clients {config.clients} "
        f"--rounds {config.rounds} --clip-norm {config.clip_norm:.12g} --learning-rate {config.learning_rate:.12g} "
        f"--radius {config.radius:.12g} --seed {config.seed}"
    )


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
    add("--dataset", default=default.dataset, help="digits (built in), mnist, fashion-mnist, cifar10 or svhn")
    add("--data-dir", type=Path, help="folder that holds torchvision's data")
    add("--download", action="store_true", help="allow a missing data set to be downloaded")
    add("--clients", type=int, default=default.clients, help="clients that report in a round")
    add("--rounds", type=int, default=default.rounds, help="rounds")
    add("--clip-norm", type=float, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--learning-rate", type=float, default=default.learning_rate, help="server's first step size times L")
    add("--radius", type=float, default=default.radius, help="norm of the ball that the server's model stays in")
    add("--seed", type=int, help="of all random streams; without it, from the operating system, and printed")
    add("--threads", type=int, help="worker threads; without it, all cores")
    add("--json", metavar="FILE", help="write the result as JSON to a file, or - for standard output")
    add("--figures", type=Path, metavar="FOLDER", help="save the figure as SVG, PDF and PNG")
    parser.set_defaults(run=run)
