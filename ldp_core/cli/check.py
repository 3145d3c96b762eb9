"""The command ``check``: is a mechanism that we did not write what it claims to be?"""

from __future__ import annotations

import argparse
import contextlib
import secrets
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import adapters
from ldp_core.claims import CLIP_ORDERS, CheckConfig, CheckResult, Subject, kept, sentences, to_json, to_text
from ldp_core.cli._terminal import (
    FAILED,
    NOT_REJECTED,
    REJECTED,
    check_html,
    check_writable,
    deliver,
    follow,
    ignore_interrupts,
    say,
    significance_of,
    write_html,
)
from ldp_core.errors import MechanismUnavailableError
from ldp_core.types import CLAIM_REJECTED

if TYPE_CHECKING:
    from ldp_core.checks import CheckProgress

NAME = "check"
_DEFAULT = CheckConfig("", 1.0, 0)
_CLAIMS = ("epsilon", "delta", "dimension", "clip_norm", "clip_order", "scale", "report_norm")
_ASKED = (*_CLAIMS, "reports", "confidence", "seed")
"""Options that say what is asked; with ``--responses`` the key says it."""


def run(options: argparse.Namespace) -> int:
    """Check a mechanism, print progress on standard error and the result on standard output or to a file."""
    check_writable("--json", options.json)
    check_html(options)
    _check_way(options)
    say("loading torch ...")
    from ldp_core.checks import check

    with _staying():
        config, subject = _opened(options)
        try:
            result = follow(check(config, subject), _progress_line, _stopped).result
        finally:
            ignore_interrupts()  # a child process is ended, however often Ctrl-C is pressed
            subject.close()
    deliver(options.json, to_text(result), lambda: to_json(result))
    write_html(options.html, result, sentences(result))
    return code_of(result)


def code_of(result: CheckResult) -> int:
    """Return the exit code of a check."""
    if result.verdict == CLAIM_REJECTED or result.failed:
        return REJECTED
    return NOT_REJECTED if kept(result) else FAILED


@contextlib.contextmanager
def _staying() -> Iterator[None]:
    """Let a stranger's code not end this program with an exit code of its own choice."""
    try:
        yield
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise MechanismUnavailableError(
            f"the mechanism must answer or raise an exception, got {type(error).__name__[:40]!r}"
        ) from error


def _check_way(options: argparse.Namespace) -> None:
    """Raise ``ValueError`` unless there is one way to the mechanism, and the options fit it."""
    ways = {"MECHANISM": options.mechanism, "--command": options.command_line, "--responses": options.responses}
    chosen = [name for name, value in ways.items() if value is not None]
    if len(chosen) != 1:
        raise ValueError(f"one of {', '.join(ways)} must be given, got {' and '.join(chosen) or 'none'}")
    if (options.key is None) != (options.responses is None):
        raise ValueError("--key and --responses must be given together, got one of them")
    given = [f"--{name.replace('_', '-')}" for name in _ASKED if getattr(options, name) is not None]
    if options.responses is not None and given:
        raise ValueError(f"with --responses the key says what was asked, so nothing else may, got {', '.join(given)}")


def _opened(options: argparse.Namespace) -> tuple[CheckConfig, Subject]:
    """Return what is asked, and the mechanism."""
    if options.responses is not None:
        from ldp_core.subjects import read_key, read_responses

        key = read_key(Path(options.key))
        return key.config, read_responses(Path(options.responses), key)
    if options.command_line is not None:
        from ldp_core.subjects.command import command

        try:
            words = shlex.split(options.command_line)
        except ValueError as error:
            raise ValueError(f"--command must be words as in a shell, got {options.command_line!r}: {error}") from error
        if not words:
            raise ValueError("--command must name a program, got nothing")
        config = config_of(options, f"the program {Path(words[0]).name}")
        return config, command(words, config, options.timeout)
    if ":" in options.mechanism:
        return _loaded(options, options.mechanism)
    from ldp_core.mechanisms import MECHANISMS
    from ldp_core.mechanisms.faulty import FAULTY
    from ldp_core.subjects import builtin, mechanism_class

    ours = options.mechanism in {*MECHANISMS, *FAULTY}
    if not ours and (target := adapters.find(options.mechanism)) is not None:
        say(f"what is tested: {adapters.describe(options.mechanism)}", end="\n")
        return _loaded(options, target)
    mechanism = _made(mechanism_class(options.mechanism), options)
    config = config_of(options, options.mechanism, _stated(mechanism, options))
    return config, builtin(options.mechanism, config)


def _loaded(options: argparse.Namespace, target: str) -> tuple[CheckConfig, Subject]:
    """Import a stranger's mechanism; the client asked for it on the command line."""
    from ldp_core.subjects import python

    mechanism = _made(python.found(target), options)
    config = config_of(options, options.mechanism, _stated(mechanism, options))
    return config, python.load(target, config, options.arrays, mechanism=mechanism, given=_given(options))


def _made(thing: Any, options: argparse.Namespace) -> Any:
    from ldp_core.subjects import made

    values = {name: getattr(_DEFAULT, name) for name in ("delta", "clip_norm", "dimension")}
    values |= {name: getattr(options, name) for name in _given(options)}
    return made(thing, values, _given(options))


def _given(options: argparse.Namespace) -> list[str]:
    """Return which of a factory's arguments the client gave."""
    return [name for name in ("epsilon", "delta", "clip_norm", "dimension") if getattr(options, name) is not None]


def _stated(mechanism: Any, options: argparse.Namespace) -> Mapping[str, float | str]:
    """Return what the mechanism states and the client did not; say so."""
    from ldp_core.subjects import stated

    dimension = options.dimension or _DEFAULT.dimension
    found = {
        name: value
        for name, value in stated(mechanism, dimension).items()
        if getattr(options, name) is None and (name == "epsilon" or value != getattr(_DEFAULT, name))
    }
    if found:
        words = ", ".join(f"{name.replace('_', '-')} {_short(value)}" for name, value in found.items())
        say(f"taken from the mechanism itself: {words}", end="\n")
    return found


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def config_of(options: argparse.Namespace, subject: str, found: Mapping[str, float | str] | None = None) -> CheckConfig:
    """Return the checked configuration that parsed options ask for.

    Args:
        options: parsed.
        subject: what is examined, in words.
        found: what stands for an option that was not given, before the default.
    """
    values: dict[str, Any] = {name: getattr(_DEFAULT, name) for name in (*_CLAIMS[1:], "reports")} | dict(found or {})
    values |= {name: getattr(options, name) for name in (*_CLAIMS, "reports") if getattr(options, name) is not None}
    if "epsilon" not in values:
        raise ValueError("--epsilon must say what the mechanism claims, got nothing")
    return CheckConfig(
        subject=subject[:200],
        seed=secrets.randbits(53) if options.seed is None else options.seed,
        significance=significance_of(0.95 if options.confidence is None else options.confidence),
        **values,
    )


def _progress_line(progress: CheckProgress) -> str:
    asked = f"{progress.done:,} of at most {progress.total:,} reports"
    if progress.stage == "exam":
        return f"exam: {len(progress.result.clauses)} questions answered, {asked}"
    return f"privacy test: {asked}, epsilon at least {progress.result.epsilon_lower:.3f}"


def _stopped(progress: CheckProgress) -> str:
    used = progress.result.reports_used
    return f"stopped after {used:,} reports; what they show is shown" if used else ""


def add_claims(add: Any) -> None:
    """Add the options that say what is asked."""
    add("--epsilon", type=float, help="claimed privacy parameter, 0.01 to 30")
    add("--delta", type=float, help="claimed failure probability (default 0)")
    add("--dimension", type=int, help=f"length of the inputs (default {_DEFAULT.dimension})")
    add("--clip-norm", type=float, help=f"bound L on an input (default {_DEFAULT.clip_norm:g})")
    add(
        "--clip-order",
        help=f"what L bounds: {' (norm) or '.join(CLIP_ORDERS)} (each number); default {_DEFAULT.clip_order}",
    )
    add("--reports", type=int, help=f"the most reports that are asked for (default {_DEFAULT.reports:,})")
    add("--confidence", type=float, help="of the verdict, over all questions and looks together (default 0.95)")
    add("--seed", type=int, help="of the inputs; without it, from the operating system, and printed")
    add("--scale", type=float, help="number that makes a report an unbiased estimate of the input, if it is stated")
    add("--report-norm", type=float, help="largest norm of a report, if it is stated")


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        NAME,
        help="examine a mechanism that you did not write",
        description="Examine a randomizer, then test its claimed epsilon. MECHANISM is package.module:Name, whose\n"
        "code is then run, the name of one of ours, or a name from the list below; or give --command,\n"
        "or --responses with --key.",
        epilog=f"{adapters.help_text()}\n\nExit code 0: not rejected (which does not prove the claim) and no question\n"
        "failed; 1: rejected, or one was; 2: the check could not be carried out, or not to its end.",
        formatter_class=argparse.RawDescriptionHelpFormatter,  # the list has lines of its own
    )
    add = parser.add_argument
    add("mechanism", metavar="MECHANISM", nargs="?", help="package.module:Name, or the name of one of ours")
    add("--command", dest="command_line", metavar="WORDS", help="a program that speaks the line protocol of the README")
    add("--responses", metavar="FILE", help="what the vendor answered to a challenge (.npz)")
    add("--key", metavar="FILE", help="what you kept of that challenge")
    add_claims(add)
    add("--timeout", type=float, default=30.0, help="seconds that a program has for an answer (default 30)")
    add("--arrays", default="auto", help="what Python code takes: auto, numpy or torch")
    add("--json", metavar="FILE", help="write the result as JSON to a file, or - for standard output")
    add("--html", metavar="FILE", help="write the result as one page that opens and prints without internet")
    parser.set_defaults(run=run)
