"""The command ``trust``: what an attacker sees of one client's report behind a shuffler or in a sum."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ldp_core import _validate, record
from ldp_core.adversaries import ATTACKS
from ldp_core.datasets import DATASETS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.reports import repeat, strength_sentence
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies.trust.config import RULES, TrustConfig
from ldp_core.studies.trust.help import EPILOG
from ldp_core.studies.trust.laws import is_amplified
from ldp_core.studies.trust.result import TrustResult, TrustSummary, summarize
from ldp_core.study import Step
from ldp_core.terminal import follow, opened_cache, say, stage_line
from ldp_core.terminal.numbers import check_threads, dataset_help, number, range_help, training_help, whole
from ldp_core.terminal.study_command import OWN_DATA_DIR, add_command, add_shared, check_files, finish, settings_of
from ldp_core.types import SAMPLINGS, SIGNIFICANCE
from ldp_core.words import numbers

NAME = "trust"
_SEEN = {
    "local": "the report itself",
    "shuffled": "all {clients} reports in random order",
    "aggregated": "the sum of {clients} reports",
}
_SENT = {
    "uniform": "the others' updates have nothing to do with the pair",
    "agree": "all others send the first update",
    "real": "the others send gradients of images",
}


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
    return finish(options, result, lambda: text_of(result, options.data_dir))


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


def text_of(result: TrustResult, data_dir: Path | None = None) -> str:
    """Return a short summary for a terminal; ``data_dir`` as for ``reports.repeat``."""
    config, summary = result.config, summarize(result)
    seen = _SEEN[config.view].format(clients=config.honest)
    lines = [
        f"Attack {config.attack}, mechanism {config.mechanism}, local epsilon {config.epsilon:g}. "
        f"The attacker sees {seen}" + ("." if config.view == "local" else f"; {_SENT[config.others]}.")
    ]
    share, expected = summary.identification, summary.expected_identification
    if share is not None:
        stopped = "" if result.completed else " (stopped early)"
        lines.append(
            f"Right guesses:    {share.point:.4f} (range {share.lower:.4f} to {share.upper:.4f}) in "
            f"{result.counts.num_trials:,} games{stopped}"
        )
    lines.append("  exact law:      " + ("none is known" if expected is None else f"{expected:.4f}"))
    exact = "" if summary.epsilon_expected is None else f"; exactly {summary.epsilon_expected:.3f} for this pair"
    lines.append(
        f"Epsilon seen:     at least {numbers.floored(summary.epsilon_lower, 3)} at confidence "
        f"{100 * (1 - config.significance):.6g} %, delta {config.delta:g}{exact}"
    )
    lines += _promised(config, summary)
    if summary.sights:
        lines.append("Right guesses of 100 by the exact laws, others uniform / all agree:")
        for view in VIEWS:
            ends = [100 * sight.identification for sight in summary.sights if sight.view == view]
            lines.append(f"  {view:<12}" + " / ".join(f"{end:.1f}" for end in ends))
    lines += [verdict_sentence(summary), strength_sentence(summary.promise, delta=config.delta)]
    lines.append(
        f"Seed {config.seed}, {result.seconds:.1f} s on {result.device}. "
        + repeat(record.command(config, result.device), (config.dataset,), data_dir)
    )
    return "\n".join(lines)


def _promised(config: TrustConfig, summary: TrustSummary) -> list[str]:
    if config.view == "local":
        return [f"  the promise:    at most {numbers.ceiled(summary.promise, 4)}"]
    if not is_amplified(config):
        return [
            f"  the promise:    at most {numbers.ceiled(summary.promise, 4)}, as alone: "
            "a shuffler's bounds need a local delta of 0"
        ]
    bounds = ", ".join(f"{name} {value:.3f}" for name, value in summary.amplified.items())
    return [
        f"  the promise:    at most {numbers.ceiled(summary.promise, 3)} "
        f"for every randomizer ({bounds}), of honest clients only"
    ]


def verdict_sentence(summary: TrustSummary) -> str:
    """Return the verdict in one sentence."""
    if summary.rejected:
        return (
            "Rejected: more was seen than is promised. The randomizer, or whoever shuffles, does not do what was said."
        )
    return "Not rejected: no more was seen than is promised. A better attack may see more."


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
