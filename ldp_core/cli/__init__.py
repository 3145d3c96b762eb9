"""The command line: ``python -m ldp_core COMMAND``; a study brings its own commands.

Exit code 0: no claim was rejected; 1: one was, or a mechanism failed a question; 2: wrong usage or environment.
"""

import argparse
import signal
import sys
from collections.abc import Sequence
from types import ModuleType

from ldp_core._version import VERSION
from ldp_core.errors import LdpCoreError
from ldp_core.studies import STUDIES
from ldp_core.terminal import FAILED, Parser, fail, hold_streams, interrupt, silence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; every expected failure prints one sentence."""
    hold_streams()
    signal.signal(signal.SIGTERM, interrupt)
    try:
        words = sys.argv[1:] if arguments is None else arguments
        options = parser(*words[:1]).parse_args(words)
        code: int = options.run(options)
        return code
    except (ValueError, LdpCoreError) as error:
        return fail(str(error))
    except KeyboardInterrupt:
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


def parser(word: str = "") -> argparse.ArgumentParser:
    """Return the parser of the command line, or of one command if the first word names it and its study."""
    top = Parser(prog="python -m ldp_core", description="Measure what a claimed epsilon protects, on this device.")
    top.add_argument("--version", action="version", version=f"ldp-core {VERSION}")
    known = commands(word)
    names = ", ".join(command.NAME for command in known)
    added = top.add_subparsers(dest="command", required=True, metavar=names, parser_class=Parser)
    for command in known:
        command.add_to(added)
    return top


def commands(word: str = "") -> tuple[ModuleType, ...]:
    """Return the commands of the study that a word names, if it has one of that name; else all of them."""
    alone = STUDIES[word].commands if word in STUDIES else ()
    if word in (command.NAME for command in alone):
        return alone
    from ldp_core.cli import show, story

    return (*(command for study in STUDIES.values() for command in study.commands), story, show)
