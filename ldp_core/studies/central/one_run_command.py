"""The command ``central-one-run``: what a single training with many canaries shows of DP-SGD."""

import argparse
import json
import time
from dataclasses import asdict
from typing import Any

from ldp_core import _validate
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.studies.central.result import MODELS, SIGNIFICANCE, CentralConfig, claimed
from ldp_core.terminal import NOT_REJECTED, REJECTED, check_writable, conclude, deliver, say
from ldp_core.terminal.numbers import dataset_help, number, range_help, whole
from ldp_core.terminal.study_command import add_command, add_shared, settings_of
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from ldp_core.words import numbers

NAME = "central-one-run"
SCHEMA = "ldp-central-one-run/1"
CANARIES, SHARE = 1_000, 0.05
MOST_CANARIES = 1_000_000
EPILOG = """\
Each canary is a made-up gradient of the clipping length along one parameter, in the data with chance 1/2. After the
training the attacker, who saw every step, names those that look most like being in; how many is fixed beforehand. The
lower bound on epsilon holds for any program (Steinke, Nasr and Jagielski 2023). One training shows less than thousands
of them: see central.

JSON: claim (epsilon, delta, noise), canaries, guesses, right, epsilon (lower bound), confidence, verdict, seconds.
Exit code 0: the claim was not rejected; 1: it was; 2: anything else."""


def run(options: argparse.Namespace) -> int:
    """Train once, guess, and print the bound."""
    check_writable("--json", options.json)
    _validate.choice("dataset", options.dataset, PUBLIC_DATASETS)
    _validate.integer("canaries", options.canaries, 20, MOST_CANARIES)
    guesses = round(SHARE * options.canaries) if options.guesses is None else options.guesses
    _validate.integer("guesses", guesses, 1, options.canaries)
    config = CentralConfig(**settings_of(options, CentralConfig, adversary="gradient"))
    for warning in config.warnings:
        say(f"note: {warning}", end="\n")
    say("loading torch ...")
    from ldp_core.studies.central.one_run import audit

    start = time.monotonic()
    one_run = audit(config, options.canaries, guesses, options.data_dir)
    rejected = one_run.epsilon > config.epsilon
    report = {
        "schema": SCHEMA,
        "claim": {"epsilon": config.epsilon, "delta": config.delta, "noise": claimed(config).noise},
        **asdict(one_run),
        "confidence": 1.0 - SIGNIFICANCE,
        "model": "law" if config.law else config.model,
        "verdict": CLAIM_REJECTED if rejected else CLAIM_NOT_REJECTED,
        "seconds": time.monotonic() - start,
        "seed": config.seed,
    }
    return conclude(
        REJECTED if rejected else NOT_REJECTED,
        lambda: deliver(options.json, text_of(report), lambda: json.dumps(report, indent=2, allow_nan=False)),
    )


def text_of(report: dict[str, Any]) -> str:
    """Return the result as a few lines."""
    claim, seen = report["claim"], f"{report['right']:,} of {report['guesses']:,} guesses were right"
    verdict = "is rejected" if report["verdict"] == CLAIM_REJECTED else "is not rejected, which proves nothing"
    return "\n".join(
        [
            f"The claim {verdict}: epsilon is at least {numbers.floored(report['epsilon'], 2)} at delta "
            f"{claim['delta']:g}, whatever was done (claimed: {claim['epsilon']:g}; "
            f"confidence {100.0 * report['confidence']:g} %).",
            f"One training, {report['canaries']:,} canaries, each in with chance 1/2; {seen} (a coin: half).",
            f"seed {report['seed']}, {report['seconds']:.1f} s",
        ]
    )


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    description = "Train one model with many canaries, and guess which of them were in."
    parser = add_command(commands, NAME, run, description, EPILOG)
    default = CentralConfig("gradient", 0)
    add = parser.add_argument
    add("--model", default="mlp", help=f"one of {', '.join(MODELS)}")
    add("--epsilon", type=number, default=default.epsilon, help=f"claimed, {range_help(CentralConfig, 'epsilon')}")
    add("--delta", type=number, default=default.delta, help=f"claimed, {range_help(CentralConfig, 'delta')}")
    add("--records", type=whole, default=default.records, help="records of the data set without the canaries")
    add("--sampling-rate", type=number, default=default.sampling_rate, help="chance of a record to be in a batch")
    add("--steps", type=whole, default=default.steps, help=f"steps, {range_help(CentralConfig, 'steps')}")
    add("--canaries", type=whole, default=CANARIES, help="made-up gradients, 20 to 1,000,000")
    add("--guesses", type=whole, help="how many are said to be in; without it, 5 in 100 of the canaries")
    add("--law", action="store_true", help="draw from the exact law of each canary instead of training")
    add("--dataset", default=default.dataset, help=f"one of {dataset_help(own_images=False)}")
    add_shared(parser, "data_dir")
    add("--noise-factor", type=number, default=default.noise_factor, help="demonstration: real noise / claimed noise")
    add_shared(parser, "seed", "json")
