"""The ways from the options of ``check`` to a mechanism, and the words that repeat them."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import adapters
from ldp_core.checking.claims import DEFAULT, CheckConfig, command
from ldp_core.checking.subjects.builtin import mechanisms
from ldp_core.checking.subjects.calls import ARGUMENTS
from ldp_core.checking.subjects.reach import Reached, reach
from ldp_core.studies.check.replies import TAKEN
from ldp_core.terminal import say, significance_of
from ldp_core.terminal.study_command import limits_of, seed_of
from ldp_core.words import document

if TYPE_CHECKING:
    from ldp_core.checking.subjects.inputs import OwnInputs

CLAIMS = ("epsilon", "delta", "dimension", "clip_norm", "clip_order", "scale", "report_norm")
_ASKED = (*CLAIMS, "reports", "confidence", "seed")
"""Options that say what is asked; with ``--responses`` the key says it."""


def check_way(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` unless there is one way to the mechanism, and the options fit it."""
    ways = {
        "MECHANISM": options.mechanism,
        "--command": options.command_line,
        "--responses": options.responses,
        "--replies": options.replies,
    }
    chosen = [name for name, value in ways.items() if value is not None]
    if len(chosen) != 1:
        raise ValueError(f"one of {', '.join(ways)} must be given, got {' and '.join(chosen) or 'none'}")
    if options.replies is not None:
        other = [name for name, value in vars(options).items() if value and name not in (*TAKEN, "command", "run")]
        if other:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in other)
            raise ValueError(f"with --replies the file alone is asked, so others must be left out, got {names}")
    elif options.gaussian is not None or options.public:
        raise ValueError("--gaussian and --public must be given with --replies, got them without")
    if (options.key is None) != (options.responses is None):
        raise ValueError("--key and --responses must be given together, got one of them")
    conflicts = (*_ASKED, "workers", "memory_limit", "env") if options.responses is not None else ()
    if options.memoizes and options.responses is not None:
        raise ValueError("--memoizes must be given with a mechanism that is asked here, got --responses")
    if options.claim_from_mechanism and options.mechanism is None:
        raise ValueError("--claim-from-mechanism must be given with MECHANISM, which alone can state a claim")
    given = [f"--{name.replace('_', '-')}" for name in conflicts if getattr(options, name) is not None]
    if given:
        raise ValueError(f"with --responses the key says what was asked, so nothing else may, got {', '.join(given)}")
    for written in ("json", "html"):
        for read in ("key", "responses", "replies"):
            to, of = getattr(options, written), getattr(options, read)
            if to and of and os.path.realpath(to) == os.path.realpath(of):
                raise ValueError(f"--{written} must not overwrite the file of --{read}, got {to!r} for both")


def check_numbers(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` for a number out of range, before anything large or anybody else's is loaded."""
    limits_of(options)
    config_of(options, "", {"epsilon": DEFAULT.epsilon})


def opened(options: argparse.Namespace, inputs: OwnInputs | None = None) -> tuple[Reached, str]:
    """Return the mechanism that the options name, asked with the client's own pairs too, and what repeats the check."""
    if options.responses is not None:
        from ldp_core.checking.subjects.files import read_key, read_responses

        key = read_key(Path(options.key))
        words = _worded(options, "--responses", options.responses, "--key", options.key)
        _refuse_other_inputs(key.config, inputs)
        subject = read_responses(Path(options.responses), key, requests_with(key.config, inputs))
        if subject.notice:
            say(document("en")[f"check_notice_{subject.notice}"], end="\n")
        return Reached(key.config, subject, foreign=False), f"python -m ldp_core check {words}"
    name = options.mechanism
    if name in mechanisms() and (options.workers is not None or options.memory_limit is not None):
        raise ValueError(f"--workers and --memory-limit must be given for the code of others, got {name}, one of ours")
    if name is not None and adapters.find(name):
        say(f"what is tested: {adapters.describe(name)}", end="\n")

    def configured(subject: str, stated: Mapping[str, float | str]) -> CheckConfig:
        fallbacks = _fallbacks(stated)
        if fallbacks:
            words = ", ".join(f"{name.replace('_', '-')} {_short(value)}" for name, value in fallbacks.items())
            say(f"taken from the mechanism itself: {words}", end="\n")
        return _with_own(config_of(options, subject, fallbacks), inputs)

    given = {name: getattr(options, name) for name in CLAIMS if getattr(options, name) is not None}
    mechanism = _program(options.command_line) if name is None else name
    how = "auto" if options.arrays is None else options.arrays, limits_of(options)
    reached = reach(mechanism, given, configured, *how, claim_from_mechanism=options.claim_from_mechanism)
    left = set(ARGUMENTS) - {*given, *_fallbacks(reached.taken)} if reached.maker else ()  # a factory's defaults stay
    if options.memoizes:  # its independent reports are those of inputs of their own alone
        reached = replace(reached, maker=None)
    words = _worded(options, *(["--command", options.command_line] if name is None else [name]))
    return reached, command(reached.config, words, [name.replace("_", "-") for name in left])


def own_inputs(options: argparse.Namespace) -> OwnInputs | None:
    """Return the client's own pairs, whose length stands for a dimension that was not given."""
    if options.inputs is None:
        return None
    from ldp_core.checking.claims import FAR_LENGTH
    from ldp_core.checking.subjects.inputs import read_inputs

    inputs = read_inputs(Path(options.inputs), FAR_LENGTH if options.longer_inputs else 1.0)
    if options.dimension is None and getattr(options, "responses", None) is None:
        options.dimension = inputs.first.shape[1]
    return inputs


def single_round(config: CheckConfig, inputs: OwnInputs | None) -> CheckConfig:
    """Return what a file is asked once, with the client's own pairs; raises ``ValueError`` if they do not fit."""
    return _with_own(replace(config, adaptive=False), inputs)


def requests_with(config: CheckConfig, inputs: OwnInputs | None) -> list[Any] | None:
    """Return what a check by file asks for, if there are pairs of the client's own; None leaves it to the program."""
    if inputs is None:
        return None
    from ldp_core.checking.exam import own_pairs, requests

    return list(requests(config, own_pairs(inputs.first, inputs.second)))


def _with_own(config: CheckConfig, inputs: OwnInputs | None) -> CheckConfig:
    if inputs is None:
        return config
    from ldp_core.checking.subjects.inputs import asked_with

    return asked_with(config, inputs)


def _refuse_other_inputs(config: CheckConfig, inputs: OwnInputs | None) -> None:
    """Raise ``ValueError`` unless the client's own pairs are those that a challenge was made with."""
    digest = inputs.digest if inputs else ""
    if digest != config.inputs_digest:
        made = f"those with the digest {config.inputs_digest[:12]}" if config.own_pairs else "none"
        raise ValueError(
            f"--inputs must be the pairs that the challenge was made with, {made}, got {digest[:12] or 'none'}"
        )


def config_of(
    options: argparse.Namespace, subject: str, fallbacks: Mapping[str, float | str] | None = None
) -> CheckConfig:
    """Return the checked configuration that parsed options ask for.

    ``subject``: what is examined, in words; ``fallbacks``: what stands for an option that was not given, before the
    default.
    """
    values: dict[str, Any] = dict(fallbacks or {})
    values |= {name: getattr(options, name) for name in (*CLAIMS, "reports") if getattr(options, name) is not None}
    values["whole"] = vars(options).get("whole", False)  # of a file everything is judged anyhow
    if "epsilon" not in values:
        raise ValueError("--epsilon must say what the mechanism claims, got nothing")
    return CheckConfig(
        subject=subject[:200],
        seed=seed_of(options),
        significance=DEFAULT.significance if options.confidence is None else significance_of(options.confidence),
        **values,
    )


def _program(line: str) -> list[str]:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise ValueError(f"--command must be words as in a shell, got {line!r}: {error}") from error
    if not words:
        raise ValueError("--command must name a program, got nothing")
    return words


def _worded(options: argparse.Namespace, *way: str) -> str:
    """Return the words of a shell for a way, with those options that say how it is gone."""
    names = ("arrays", "timeout", "memory_limit", "workers", "inputs")
    given = {f"--{name.replace('_', '-')}": getattr(options, name) for name in names}
    return shlex.join(
        [
            *way,
            *(["--memoizes"] if options.memoizes else []),
            *(["--longer-inputs"] if options.longer_inputs else []),
            *(word for name in options.env or () for word in ("--env", name)),
            *(str(word) for name, value in given.items() if value is not None for word in (name, _short(value))),
        ]
    )


def _fallbacks(stated: Mapping[str, float | str]) -> dict[str, float | str]:
    """Return what stands for options that were not given, and differs from their defaults."""
    return {name: value for name, value in stated.items() if name == "epsilon" or value != getattr(DEFAULT, name)}


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
