"""The command ``audit``: one attack at one epsilon."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.game.summary import planned_max_provable, planned_trials_needed, summarize
from ldp_core.mechanisms import DEMONSTRATION, HONEST, MECHANISMS, TURNED, claimed_delta
from ldp_core.reports import to_text
from ldp_core.studies.audit.configuration import check_config
from ldp_core.studies.audit.help import EPILOG
from ldp_core.terminal import follow, opened_cache, say, stage_line
from ldp_core.terminal.numbers import (
    LABEL_HELP,
    STEP_HELP,
    check_threads,
    dataset_help,
    number,
    range_help,
    training_help,
    whole,
)
from ldp_core.terminal.study_command import add_command, add_shared, check_files, finish, settings_of
from ldp_core.types import BOUNDS, SAMPLINGS, SIGNIFICANCE, USUAL_STEP, WRONG_LABELS, AuditConfig, server_step
from ldp_core.words import attacks, distinguishers, numbers

if TYPE_CHECKING:
    from ldp_core.studies.audit.run import AuditProgress

NAME = "audit"


def run(options: argparse.Namespace) -> int:
    """Run a test, print progress on standard error and the result on standard output or to a file."""
    check_files(options)
    config = config_of(options)
    check_config(config)
    check_threads(options.threads)
    say("loading torch ...")
    from ldp_core.studies.audit.run import audit

    if warning := _too_few(config):
        say(warning, end="\n")
    steps = audit(
        config,
        opened_cache(),
        device=options.device,
        threads=options.threads,
        data_dir=options.data_dir,
        download=options.download,
    )
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result, lambda: to_text(result, options.data_dir))


def config_of(options: argparse.Namespace) -> AuditConfig:
    """Return the configuration that parsed options ask for, checked as far as that can be done without torch."""
    for option in ("trials", "measurements"):
        _validate.integer(option, getattr(options, option), *limits(AuditConfig, f"num_{option}"))
    for name, known in (("attack", ATTACKS), ("dataset", DATASETS), ("distinguisher", DISTINGUISHERS)):
        _validate.choice(name, getattr(options, name), known)
    bound = options.bound.replace("-", "_") if options.bound else DISTINGUISHERS[options.distinguisher].bound
    return AuditConfig(**settings_of(options, AuditConfig, bound=bound))


def _too_few(config: AuditConfig) -> str:
    """Say before the run if even a perfect attack could not show epsilon with these trials; else "" ."""
    most = planned_max_provable(config)
    if most >= config.epsilon:
        return ""
    needed = planned_trials_needed(config)
    enough = "no practical number of trials can" if needed is None else f"{needed:,} trials a measurement could"
    return f"note: these trials can show at most epsilon {most:.2f}, below the claimed {config.epsilon:g}; {enough}"


def _stopped(progress: AuditProgress) -> str:
    trials = progress.result.counts.num_trials
    return f"stopped after {trials} trials; they are valid and shown" if trials else ""


def _progress_line(progress: AuditProgress, config: AuditConfig) -> str:
    """Describe the state; counts are shown only in a watched run, whose bound allows for looking."""
    if progress.stage in ("data", "download", "training"):
        return stage_line(progress.stage, config.dataset, progress.done, progress.total)
    if progress.stage == "crafting":
        return f"crafting pair {progress.done + 1} of {progress.total}"
    line = f"trial {progress.done:,} of {progress.total:,} ({100 * progress.done // progress.total} %)"
    if config.watch:
        summary = summarize(progress.result)
        share = summary.identification.point if summary.identification else 0.0
        line += f", right {share:.4f}, epsilon at least {numbers.floored(summary.epsilon.lower, 3)}"
    return line


def _rules(view: str) -> str:
    return ", ".join(name for name, rule in DISTINGUISHERS.items() if rule.view == view)


def _explained(view: str) -> str:
    titles = {name: words.title.partition(" (")[0] for name, words in distinguishers("en").items()}
    return ", ".join(f"{name} ({titles[name]})" for name, rule in DISTINGUISHERS.items() if rule.view == view)


def _listed(names: Collection[str], *, turned: bool | None = None) -> str:
    """Name mechanisms with the delta that each claims; only those that are, or are not, in ``TURNED`` where it says."""
    found = [name for name in MECHANISMS if name in names and turned in (None, name in TURNED)]
    return ", ".join(f"{name} (delta {delta:g})" if (delta := claimed_delta(name)) else name for name in found)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    description = "Test one attack at one epsilon: craft pairs of gradients, randomize, guess, count, bound."
    audit = add_command(commands, NAME, run, description, EPILOG)
    add = audit.add_argument
    add("--attack", default="dummy", help=f"one of {', '.join(ATTACKS)}")
    add("--epsilon", type=number, default=1.0, help=f"claimed privacy parameter, {range_help(AuditConfig, 'epsilon')}")
    add("--trials", type=whole, default=10_000, help="trials of one measurement, both gradients together")
    add("--measurements", type=whole, default=10, help="measurements, each with a pair of its own")
    add("--dataset", default="digits", help=f"one of {dataset_help()}")
    add("--training", default="light", help=f"how far the global model is trained: {training_help()}")
    add(
        "--distinguisher",
        default="cosine",
        help=f"white box: {_explained('white')}; black box: {_rules('black')}",
    )
    add("--clip-norm", type=number, default=1.0, help="L2 bound L on a gradient")
    add("--confidence", type=number, default=1.0 - SIGNIFICANCE, help="of the stated lower bound")
    add("--bound", choices=[name.replace("_", "-") for name in BOUNDS] + ["clopper_pearson"], metavar="BOUND",
        help="pooled or clopper-pearson; without it, the distinguisher's own")  # fmt: skip
    add("--watch", action="store_true", help="show counts and bound during the run, and pay for looking")
    add("--sampling", default="full", help=f"{' or '.join(SAMPLINGS)}; projected simulates our own mechanism fast")
    add(
        "--mechanism",
        default="ldp-sgd",
        help=f"{_listed(HONEST, turned=True)}, or for white boxes {_listed(HONEST, turned=False)}; or "
        f"{_listed((DEMONSTRATION,))}: a demonstration that breaks its promise",
    )
    add(
        "--strength",
        type=number,
        default=1.0,
        help=" ".join(f"{name}: {words.strength}" for name, words in attacks("en").items() if words.strength),
    )
    add("--clients", type=whole, default=1, help="clients whose reports the server averages; black box only")
    add("--radius", type=number, help="norm of the server's ball, black box only; without it, three times the model's")
    add("--server-step", type=server_step, default=USUAL_STEP, help=f"{STEP_HELP}; black box only")
    add("--wrong-label", default=WRONG_LABELS[0], help=LABEL_HELP)
    add_shared(audit, "seed", "device", "threads")
    add(
        "--data-dir",
        type=Path,
        help="folder with torchvision's data; for own, a folder (or .zip) of one folder per label",
    )
    add_shared(audit, "download", "json", "html")
