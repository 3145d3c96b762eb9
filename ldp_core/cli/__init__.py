"""The command line: ``python -m ldp_core COMMAND``; a study brings its own commands.

Exit code 0: no claim was rejected; 1: one was, or a mechanism failed a question; 2: wrong usage or environment.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ldp_core._version import VERSION
from ldp_core.errors import LdpCoreError
from ldp_core.studies import COMMANDS, STUDIES
from ldp_core.studies import DOES as STUDIES_DO
from ldp_core.terminal import FAILED, Parser, fail, heed_interrupts, hold_streams, ignore_interrupts, silence

DOES = STUDIES_DO | {
    "story": "the numbers on the overview's pictures, from their seed",
    "show": "show a saved result again: summary, figures, page",
    "check-flower": "check what the client of a Flower app sends",
}
"""Command -> what it does, in the order of the help."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; every expected failure prints one sentence."""
    hold_streams()
    heed_interrupts()
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = parsed(words)
        code: int = options.run(options)
        return code
    except (ValueError, LdpCoreError) as error:
        return fail(str(error))
    except KeyboardInterrupt:
        ignore_interrupts()  # while Python ends, a second one would be the system's, and the exit code its
        return fail("stopped before there was anything to show")
    except OSError as error:
        silence()
        if isinstance(error, BrokenPipeError):
            return FAILED
        return fail(f"the system refused: {error.strerror or type(error).__name__}")
    except (ImportError, MemoryError) as error:
        reason = " ".join(str(error).split())[:200] or "no more is known"
        return fail(f"every package must load, and memory must suffice, got {type(error).__name__}: {reason}")
    except Exception as error:  # exit code 1 means "claim rejected", which a bug must never say
        return fail(f"a mistake in this program, not in your input ({type(error).__name__}); please report it")


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line, by the parser of its command alone.

    Raises ``ValueError`` if it is not one.
    """
    return parser(next((word for word in words if word != "--"), "")).parse_args(words)


def parser(word: str = "") -> argparse.ArgumentParser:
    """Return the parser of one command, if the word names one; else that of the list, which knows names alone."""
    top = Parser(prog="python -m ldp_core", description="Measure what a claimed epsilon protects, on this device.")
    top.add_argument("--version", action="version", version=f"ldp-core {VERSION}")
    known = [word] if word in DOES else list(DOES)
    added = top.add_subparsers(dest="command", required=True, metavar=", ".join(known), parser_class=Parser)
    if word in DOES:
        module(word).add_to(added)
    else:
        for name, does in DOES.items():
            added.add_parser(name, help=does)
    return top


def module(name: str) -> Any:
    """Return what adds a command to a parser and runs it, and load nothing of the others."""
    if name not in COMMANDS:
        return import_module(f"{__name__}.{name.replace('-', '_')}")
    return {command.NAME: command for command in STUDIES[COMMANDS[name]].commands}[name]
