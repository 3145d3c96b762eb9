"""The command ``check-training``: is a stranger's training the DP-SGD that it claims to be?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.studies.training_check.faulty_trainings import FAULTY_TRAININGS
from ldp_core.studies.training_check.result import NEIGHBOURS, TrainingCheckConfig
from ldp_core.terminal import ignore_interrupts
from ldp_core.terminal.study_command import StudyCommand, limits_of

EPILOG = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")
EPILOG += "\n".join(f"  {name:<18} {liar.games:>6,}" for name, liar in FAULTY_TRAININGS.items()) + " with --records 10"


class _TrainingCheck(StudyCommand):
    """The function runs in processes that end with the run."""

    def add_to(self, commands: Any) -> argparse.ArgumentParser:
        parser = super().add_to(commands)
        parser.add_argument("subject", metavar="FILE:FUNCTION", help="FILE.py:function, or package.module:function")
        return parser

    def config_of(self, options: argparse.Namespace) -> Any:
        if options.records is not None:
            _validate.integer("records", options.records, 10, limits(TrainingCheckConfig, "records")[1])
        return super().config_of(options)

    def steps(self, config: Any, options: argparse.Namespace, cache: Any) -> Iterator[Any]:
        from ldp_core.checking.trainings.remote import Training, check_target
        from ldp_core.studies.training_check.run import check_training

        check_target(config.subject)
        allowed = limits_of(options)

        def steps() -> Iterator[Any]:
            trainers: list[Training] = []
            try:
                trainers.extend(Training(config.subject, allowed) for _ in range(allowed.workers))
                yield from check_training(config, trainers)
            finally:
                ignore_interrupts()  # a child process is ended, however often Ctrl-C is pressed
                for trainer in trainers:
                    trainer.close()

        return steps()

    def _stopped(self, config: Any, step: Any) -> str:
        games = step.result.counts.num_trials if step.result else 0
        return f"stopped after {games:,} judged trainings; they are valid and shown" if games else ""


COMMAND = _TrainingCheck(
    default=TrainingCheckConfig("", 0),
    description="""\
Have a stranger's training function train many times, with and without one record, and test its claim. It runs in a
process of its own with your rights: it can read and write your files, and use the network. Of the environment it gets
PATH, HOME, the locale, numbers of threads and what --env names. Where that matters, run it as another user or in a
container.""",
    epilog=EPILOG,
    told={
        "sampling_rate": "claimed chance of each record to be in a batch, above 0, at most 1",
        "noise": "claimed, in clipping norms",
        "steps": "claimed",
        "clip_norm": "claimed L2 bound on a record's gradient",
        "delta": "at which epsilon is stated",
        "games": "judged trainings in each world",
        "threshold_games": "others, in each world and for both canaries; without it, as many",
        "neighbours": "what differs between the worlds: the record is absent from one, or has its label or its "
        "features turned; a claim allows a changed record what it allows two absent ones",
        "records": "",
        "significance": "chance that a right DP-SGD is not rejected",
    },
    more={
        "threshold_games": {"default": None}, "neighbours": {"choices": NEIGHBOURS},
        "records": {"default": None, "help": "without it, 100, or more if a batch would hold less than 4"},
    },
    shared=("memory_limit", "env", "json", "html"),
    helps={
        "seed": "of the check; without it, from the operating system, and printed",
        "timeout": "seconds for one training; 120 or more to be imported",
        "workers": "processes that train at a time",
    },
    begins="starting the training function ...",
    lines={"probe": "probing what a record moves", "games": "training {done:,} of {total:,}"},
)  # fmt: skip
