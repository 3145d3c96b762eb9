"""The ways from the options of ``check`` to a mechanism, and the words that repeat them."""

from __future__ import annotations

import argparse
import difflib
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import adapters
from ldp_core.checking.claims import CheckConfig, Maker, Subject, command, taken
from ldp_core.studies.check.replies import TAKEN
from ldp_core.terminal import say, significance_of
from ldp_core.terminal.numbers import size
from ldp_core.terminal.study_command import seed_of
from ldp_core.words import document

if TYPE_CHECKING:
    from ldp_core.checking.subjects.inputs import OwnInputs
    from ldp_core.checking.subjects.python import Limits

DEFAULT = CheckConfig("", 1.0, 0)
CLAIMS = ("epsilon", "delta", "dimension", "clip_norm", "clip_order", "scale", "report_norm")
_ASKED = (*CLAIMS, "reports", "confidence", "seed")
"""Options that say what is asked; with ``--responses`` the key says it."""
_ARGUMENTS = ("epsilon", "delta", "clip_norm", "dimension")
_TIMEOUT, _ARRAYS = 30.0, "auto"


@dataclass(frozen=True, slots=True)
class Way:
    """A mechanism that was reached, what is asked about it, and the command line that repeats the check.

    ``foreign``: whether its reports are made while it is asked, by code that is not ours; ``maker`` makes it for other
    claims, where that is possible.
    """

    config: CheckConfig
    subject: Subject
    repeat: str
    foreign: bool = True
    maker: Maker | None = None


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
        _check_replies(options)
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
        for read in ("key", "responses"):
            names = [getattr(options, name) for name in (written, read)]
            if all(names) and os.path.realpath(names[0]) == os.path.realpath(names[1]):
                raise ValueError(f"--{written} must not overwrite the file of --{read}, got {names[0]!r} for both")


def _check_replies(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` unless only options are given that go with ``--replies``."""
    other = [name for name, value in vars(options).items() if value and name not in (*TAKEN, "command", "run")]
    if other:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in other)
        raise ValueError(f"with --replies the file alone is asked, so others must be left out, got {names}")
    if options.json and os.path.realpath(options.json) == os.path.realpath(options.replies):
        raise ValueError(f"--json must not overwrite the file of --replies, got {options.json!r} for both")


def check_numbers(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` for a number out of range, before anything large or anybody else's is loaded."""
    _limits(options)
    config_of(options, "", {"epsilon": DEFAULT.epsilon})


def opened(options: argparse.Namespace, inputs: OwnInputs | None = None) -> Way:
    """Return the mechanism that the options name, asked with the client's own pairs too; the caller closes it."""
    if options.responses is not None:
        from ldp_core.checking.subjects.files import read_key, read_responses

        key = read_key(Path(options.key))
        words = _worded(options, "--responses", options.responses, "--key", options.key)
        _refuse_other_inputs(key.config, inputs)
        subject = read_responses(Path(options.responses), key, requests_with(key.config, inputs))
        if subject.notice:
            say(document("en")[f"check_notice_{subject.notice}"], end="\n")
        return Way(key.config, subject, f"python -m ldp_core check {words}", foreign=False)
    if options.command_line is not None:
        return _program(options, inputs)
    name, target = options.mechanism, _target(options.mechanism)
    if target is not None:
        if name in adapters.NAMES:
            say(f"what is tested: {adapters.describe(name)}", end="\n")
        return _loaded(options, target, inputs)
    if options.workers is not None or options.memory_limit is not None:
        raise ValueError(f"--workers and --memory-limit must be given for the code of others, got {name}, one of ours")
    from ldp_core.checking.subjects.builtin import builtin, mechanism_class
    from ldp_core.checking.subjects.calls import made, stated

    mechanism = made(mechanism_class(name), _values(options), _given(options))
    fallbacks = _taken(stated(mechanism, options.dimension or DEFAULT.dimension), options, known=True)
    config = _with_own(config_of(options, name, fallbacks), inputs)
    return Way(config, builtin(name, config), command(config, _worded(options, name)), foreign=False)


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
    values: dict[str, Any] = {name: getattr(DEFAULT, name) for name in (*CLAIMS[1:], "reports")} | dict(fallbacks or {})
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


def _program(options: argparse.Namespace, inputs: OwnInputs | None) -> Way:
    from ldp_core.checking.subjects.command import command as started

    try:
        words = shlex.split(options.command_line)
    except ValueError as error:
        raise ValueError(f"--command must be words as in a shell, got {options.command_line!r}: {error}") from error
    if not words:
        raise ValueError("--command must name a program, got nothing")
    config = _with_own(config_of(options, f"the program {Path(words[0]).name}"), inputs)
    repeat = command(config, _worded(options, "--command", options.command_line))
    return Way(config, started(words, config, _limits(options)), repeat)


def _loaded(options: argparse.Namespace, target: str, inputs: OwnInputs | None) -> Way:
    """Have a stranger's mechanism imported in a process of its own; the client asked for it on the command line."""
    from ldp_core.checking.subjects import python

    given, dimension = _given(options), options.dimension or DEFAULT.dimension
    arrays = _ARRAYS if options.arrays is None else options.arrays
    subject = python.opened(target, _values(options), given, dimension, arrays, _limits(options))
    try:
        fallbacks = _taken(subject.stated, options, known=options.mechanism in adapters.NAMES)
        config = _with_own(config_of(options, options.mechanism, fallbacks), inputs)
    except BaseException:
        subject.close()
        raise
    left = [
        name for name in _ARGUMENTS if name not in given and name not in fallbacks
    ]  # a factory's defaults stay its own
    words = _worded(options, options.mechanism)
    repeat = command(config, words, [name.replace("_", "-") for name in left])
    maker = None if options.memoizes else subject  # its independent reports are those of inputs of their own alone
    return Way(config, subject, repeat, maker=maker)


def _target(word: str) -> str | None:
    """Return the ``package.module:Name`` that a word stands for; None for the name of one of ours, which wins.

    Raises ``ValueError`` if it stands for nothing and ``MechanismUnavailableError`` if it names an adapter to a library
    that is not installed.
    """
    from ldp_core.mechanisms import MECHANISMS
    from ldp_core.mechanisms.faulty import FAULTY

    ours = (*MECHANISMS, *FAULTY)
    if word in ours:
        return None
    if word.startswith("python:") and word.count(":") == 2:
        return word.removeprefix("python:")
    if ":" in word:
        return word
    target = adapters.find(word)
    if target is not None:
        return target
    close = difflib.get_close_matches(word, [*ours, *adapters.NAMES], 3)
    raise ValueError(
        f"MECHANISM must be package.module:Name or a name that this tool knows, got {word!r}, where ':Name' is missing"
        + (f"; did you mean {' or '.join(close)}?" if close else "")
    )


def _limits(options: argparse.Namespace) -> Limits:
    from ldp_core.checking.subjects.python import Limits

    timeout = _TIMEOUT if options.timeout is None else options.timeout
    memory = None if options.memory_limit is None else size("--memory-limit", options.memory_limit)
    return Limits(timeout, memory, 1 if options.workers is None else options.workers, tuple(options.env or ()))


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


def _values(options: argparse.Namespace) -> dict[str, float]:
    values = {name: getattr(DEFAULT, name) for name in _ARGUMENTS[1:]}
    return values | {name: getattr(options, name) for name in _given(options)}


def _given(options: argparse.Namespace) -> list[str]:
    """Return which of a factory's arguments the client gave."""
    return [name for name in _ARGUMENTS if getattr(options, name) is not None]


def _taken(stated: Mapping[str, float | str], options: argparse.Namespace, *, known: bool) -> dict[str, float | str]:
    """Return what the mechanism states and the client did not, and say so; ``known``: what it states are our words."""
    given = {name: getattr(options, name) for name in CLAIMS if getattr(options, name) is not None}
    fallbacks = {
        name: value
        for name, value in taken(stated, given, from_mechanism=known or options.claim_from_mechanism).items()
        if name == "epsilon" or value != getattr(DEFAULT, name)
    }
    if fallbacks:
        words = ", ".join(f"{name.replace('_', '-')} {_short(value)}" for name, value in fallbacks.items())
        say(f"taken from the mechanism itself: {words}", end="\n")
    return fallbacks


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
