"""The command ``check-training``: is a stranger's training the DP-SGD that it claims to be?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core._validate import limits
from ldp_core.studies.training_check.faulty_trainings import FAULTY_TRAININGS
from ldp_core.studies.training_check.result import NEIGHBOURS, TrainingCheckConfig, TrainingCheckResult
from ldp_core.terminal import follow, ignore_interrupts, say
from ldp_core.terminal.numbers import number, range_help, size, whole
from ldp_core.terminal.study_command import add_command, add_env, add_shared, check_files, finish, settings_of
from ldp_core.types import SIGNIFICANCE

NAME = "check-training"
_DEFAULT = TrainingCheckConfig("", 0)
_DESCRIPTION = """\
Have a stranger's training function train many times, with and without one record, and test its claim. It runs in a
process of its own with your rights: it can read and write your files, and use the network. Of the environment it gets
PATH, HOME, the locale, numbers of threads and what --env names. Where that matters, run it as another user or in a
container."""
EPILOG = Path(__file__).with_name("help.txt").read_text(encoding="utf-8")
EPILOG += "\n".join(f"  {name:<18} {liar.games:>6,}" for name, liar in FAULTY_TRAININGS.items()) + " with --records 10"


def run(options: argparse.Namespace) -> int:
    """Check a training function, print progress on standard error and the result on standard output or to a file."""
    check_files(options)
    config = config_of(options)
    from ldp_core.checking.trainings.remote import Limits, Training, check_target

    check_target(options.function)
    memory = None if options.memory_limit is None else size("--memory-limit", options.memory_limit)
    limits = Limits(
        options.timeout, memory, 1 if options.workers is None else options.workers, tuple(options.env or ())
    )
    for warning in config.warnings:
        say(f"note: {warning}", end="\n")
    say("starting the training function ...")
    from ldp_core.studies.training_check.run import check_training

    trainers: list[Training] = []
    try:
        for _ in range(limits.workers):
            trainers.append(Training(options.function, limits))
        result = follow(check_training(config, trainers), _progress_line, lambda state: _stopped(state.result)).result
    finally:
        ignore_interrupts()  # a child process is ended, however often Ctrl-C is pressed
        for trainer in trainers:
            trainer.close()
    assert result is not None
    return finish(options, result)


def config_of(options: argparse.Namespace) -> TrainingCheckConfig:
    """Return the configuration that parsed options ask for."""
    if options.records is not None:
        _validate.integer("records", options.records, 10, limits(TrainingCheckConfig, "records")[1])
    return TrainingCheckConfig(**settings_of(options, TrainingCheckConfig, subject=options.function))


def _stopped(result: TrainingCheckResult | None) -> str:
    games = result.counts.num_trials if result else 0
    return f"stopped after {games:,} judged trainings; they are valid and shown" if games else ""


def _progress_line(state: Any) -> str:
    if state.stage == "probe":
        return "probing what a record moves"
    return f"training {state.done:,} of {state.total:,}"


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = add_command(commands, NAME, run, _DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("function", metavar="FILE:FUNCTION", help="FILE.py:function, or package.module:function")
    rate_help = "claimed chance of each record to be in a batch, above 0, at most 1"
    add("--sampling-rate", type=number, default=_DEFAULT.sampling_rate, help=rate_help)
    add("--noise", type=number, default=_DEFAULT.noise, help=f"claimed, in clipping norms, {_range('noise')}")
    add("--steps", type=whole, default=_DEFAULT.steps, help=f"claimed, {_range('steps')}")
    add("--clip-norm", type=number, default=_DEFAULT.clip_norm, help="claimed L2 bound on a record's gradient")
    add("--delta", type=number, default=_DEFAULT.delta, help=f"at which epsilon is stated, {_range('delta')}")
    add("--games", type=whole, default=_DEFAULT.games, help="judged trainings in each world")
    add("--threshold-games", type=whole, help="others, in each world and for both canaries; without it, as many")
    text = "what differs between the worlds: the record is absent from one, or has its label or its features turned; "
    add(
        "--neighbours", choices=NEIGHBOURS, help=text + "a claim allows a changed record what it allows two absent ones"
    )
    add("--records", type=whole, help="records; without it, 100, or more if a batch would hold less than 4")
    add("--confidence", type=number, default=1.0 - SIGNIFICANCE, help="chance that a right DP-SGD is not rejected")
    add("--seed", type=whole, help="of the check; without it, from the operating system, and printed")
    add("--timeout", type=number, default=60.0, help="seconds for one training; 120 or more to be imported")
    add("--workers", type=whole, help="processes that train at a time (default 1)")
    add("--memory-limit", metavar="SIZE", help="data that each process may hold, such as 2GB; without it, no limit")
    add_env(add)
    add_shared(parser, "json", "html")


def _range(name: str) -> str:
    return range_help(TrainingCheckConfig, name)
