"""The command ``trust``: what an attacker sees of one client's report behind a shuffler or in a sum."""

from __future__ import annotations

import argparse
from typing import Any

from ldp_core import _validate
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies.trust.config import RULES, TrustConfig
from ldp_core.studies.trust.help import EPILOG
from ldp_core.studies.trust.result import TrustResult
from ldp_core.study import Step
from ldp_core.terminal import follow, opened_cache, say, stage_line
from ldp_core.terminal.numbers import check_threads, dataset_help, number, range_help, training_help, whole
from ldp_core.terminal.study_command import OWN_DATA_DIR, add_command, add_shared, check_files, finish, settings_of
from ldp_core.types import SAMPLINGS, SIGNIFICANCE

NAME = "trust"


def run(options: argparse.Namespace) -> int:
    """Play games, print progress on standard error and the result on standard output or to a file."""
    check_files(options)
    config = config_of(options)
    check_threads(options.threads)
    say("loading torch ...")
    from ldp_core.studies.trust.run import trust

    where = {"data_dir": options.data_dir, "download": options.download}
    steps = trust(config, opened_cache(), device=options.device, threads=options.threads, **where)
    result = follow(steps, lambda progress: _progress_line(progress, config), _stopped).result
    return finish(options, result)


def config_of(options: argparse.Namespace) -> TrustConfig:
    """Return the configuration that parsed options ask for, checked as far as that can be done without torch."""
    for name, known in (("attack", ATTACKS), ("dataset", DATASETS)):
        _validate.choice(name, getattr(options, name), known)
    return TrustConfig(**settings_of(options, TrustConfig))


def _stopped(progress: Step[TrustResult]) -> str:
    games = progress.result.counts.num_trials
    return f"stopped after {games} games; they are valid and shown" if games else ""


def _progress_line(progress: Step[TrustResult], config: TrustConfig) -> str:
    if progress.stage == "crafting":
        return "crafting the pair"
    if progress.stage == "trials":
        return f"game {progress.done:,} of {progress.total:,}"
    return stage_line(progress.stage, config.dataset, progress.done, progress.total)


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    default = TrustConfig("dummy", 4.0, 0)
    description = "Guess which of two updates one client sent, from its report, a shuffled list, or a sum."
    parser = add_command(commands, NAME, run, description, EPILOG)
    add = parser.add_argument
    add("--view", default=default.view, help=f"what the attacker sees: {', '.join(VIEWS)}")
    add("--others", default=default.others, help=f"what the other clients send: {', '.join(OTHERS)}")
    add("--clients", type=whole, default=default.clients, help="clients, the tested one included, 1 to 100,000")
    add("--sybils", type=whole, default=0, help="how many of them are the attacker's own, and hide nobody")
    add("--attack", default=default.attack, help=f"one of {', '.join(ATTACKS)}")
    add("--epsilon", type=number, default=default.epsilon, help=f"local, {range_help(TrustConfig, 'epsilon')}")
    add("--games", type=whole, default=default.games, help="games")
    add("--delta", type=number, default=default.delta, help="of the shuffled promise and of the bound")
    add("--rule", default=default.rule, help=f"{' or '.join(RULES)}: the likelihood, or the papers' cosine of the sum")
    add("--sampling", default=default.sampling, help=f"{' or '.join(SAMPLINGS)}; full builds every report")
    add("--mechanism", default=default.mechanism, help=f"of every client, one of {', '.join(MECHANISMS)}")
    add("--dataset", default=default.dataset, help=f"one of {dataset_help()}")
    add("--training", default=default.training, help=f"how far the global model is trained: {training_help()}")
    add("--strength", type=number, default=default.strength, help="of an attack that has one, as in audit")
    add("--clip-norm", type=number, default=default.clip_norm, help="L2 bound L on a gradient")
    add("--confidence", type=number, default=1.0 - SIGNIFICANCE, help="of the stated bound and range")
    add_shared(parser, "seed")
    add("--device", default="cpu", help="of full games: cpu, cuda (the first card), one card as in cuda:1, or auto")
    add_shared(parser, "threads", data_dir=OWN_DATA_DIR)
    add_shared(parser, "download", "json", "html", "figures")
