"""The command ``central``: what one of six adversaries, or one training with many canaries, shows of DP-SGD."""

import argparse
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core.central_adversaries import ADVERSARIES, DIRECTIONS, DISTINGUISHERS
from ldp_core.datasets import PUBLIC_DATASETS
from ldp_core.record import strict_json
from ldp_core.studies.central.result import MODELS, SIGNIFICANCE, CentralConfig, claimed
from ldp_core.terminal import NOT_REJECTED, REJECTED, check_writable, conclude, deliver, say
from ldp_core.terminal.numbers import whole
from ldp_core.terminal.study_command import StudyCommand
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED
from ldp_core.words import numbers

EPILOG = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")
SHARE, MOST_CANARIES = 0.05, 1_000_000
_OF_GAMES = (
    "adversary", "games", "threshold_games", "distinguisher", "direction", "threads", "resume", "html", "figures"
)  # fmt: skip


class _Central(StudyCommand):
    def add_to(self, commands: Any) -> argparse.ArgumentParser:
        parser = super().add_to(commands)
        text = "instead, train once with so many made-up gradients, 20 to 1,000,000; see below"
        parser.add_argument("--canaries", type=whole, metavar="N", help=text)
        text = "of the canaries, how many are said to be in; without it, 5 in 100"
        parser.add_argument("--guesses", type=whole, metavar="N", help=text)
        return parser

    def run(self, options: argparse.Namespace) -> int:
        if options.canaries is not None:
            return self._train_once(options)
        if options.guesses is not None:
            raise ValueError("--guesses must be given with --canaries, got it alone")
        if options.adversary is None:
            options.adversary = self.default.adversary
        return super().run(options)

    def _train_once(self, options: argparse.Namespace) -> int:
        """Train once, guess, and print the bound."""
        check_writable("--json", options.json)
        given = [name for name in _OF_GAMES if getattr(options, name) is not None]
        given += ["download"] * options.download + ["device"] * (options.device != "cpu")
        if given:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in given)
            raise ValueError(f"with --canaries one model is trained here, so others must be left out, got {names}")
        _validate.integer("canaries", options.canaries, 20, MOST_CANARIES)
        guesses = round(SHARE * options.canaries) if options.guesses is None else options.guesses
        _validate.integer("guesses", guesses, 1, options.canaries)
        options.adversary = "gradient"
        config = self.config_of(options)
        for warning in self._warnings(config):
            say(f"note: {warning}", end="\n")
        say("loading torch ...")
        from ldp_core.studies.central.one_run import audit

        start = time.monotonic()
        one_run = audit(config, options.canaries, guesses, options.data_dir)
        rejected = one_run.epsilon > config.epsilon
        report = {
            "schema": "ldp-central-one-run/1",
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
            lambda: deliver(options.json, _text(report), lambda: strict_json(report)),
        )


COMMAND = _Central(
    default=CentralConfig("malicious-data", 0),
    description="Train many models with DP-SGD, with and without one record, and let an adversary tell them apart.",
    epilog=EPILOG,
    told={
        "adversary": "without it, malicious-data",
        "model": "",
        "epsilon": "claimed",
        "delta": "claimed",
        "records": "records of the data set without the one looked for",
        "sampling_rate": "chance of a record to be in a batch",
        "steps": "steps",
        "games": "judged games in each world; without it, 1,000",
        "threshold_games": "other games in each world; without it, as many as are judged",
        "distinguisher": "without it, the adversary's own",
        "direction": "of the adversary gradient; without it, the first (cnn: random)",
        "law": "play by the exact law instead of training (gradient, malicious-data)",
        "dataset": "",
        "clip_norm": "L2 bound C on a record's gradient",
        "learning_rate": "of a step, times the mean noisy gradient; 0: 4, or 0.5 for cnn",
        "noise_factor": "demonstration: real noise / claimed noise",
    },
    known={
        "adversary": ADVERSARIES, "model": MODELS, "distinguisher": DISTINGUISHERS, "direction": DIRECTIONS,
        "dataset": PUBLIC_DATASETS,
    },
    more={
        "adversary": {"default": None}, "games": {"default": None},
        "threshold_games": {"default": None}, "distinguisher": {"default": None}, "direction": {"default": None},
        "learning_rate": {"default": 0.0},
    },
    shared=("data_dir", "download", "seed", "device", "threads", "resume", "json", "html", "figures"),
    lines={"attack": "preparing the attack", "games": "game {done:,} of {total:,} ({percent} %)"},
)  # fmt: skip


def _text(report: dict[str, Any]) -> str:
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
