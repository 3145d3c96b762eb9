"""The command ``show``: a saved result again, with its summary, figures and page; nothing is run."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from ldp_core import _validate
from ldp_core.studies import STUDIES
from ldp_core.studies.central import table
from ldp_core.terminal import (
    NOT_REJECTED,
    add_wording,
    check_folder,
    check_html,
    check_writable,
    conclude,
    deliver,
    say,
    words_of,
    write_latex,
)
from ldp_core.terminal.numbers import number
from ldp_core.terminal.study_command import add_shared, finish
from ldp_core.types import EPSILON_RANGE

NAME = "show"


def run(options: argparse.Namespace) -> int:
    """Read a result, print what the run printed, and write what was asked for."""
    from ldp_core.results import MOST_BYTES, MOST_STATED, read  # all that draws, which no other command needs at once

    check_writable("--json", options.json)
    check_writable("--latex", options.latex)
    check_html(options)
    if options.stated and options.html is None:
        raise ValueError("--stated must stand with --html, which it is printed in, got it alone")
    _validate.text("stated", options.stated, MOST_STATED)
    check_folder("--figures", options.figures)
    words_of(options.wording)
    if options.epsilon is not None:
        _validate.number("epsilon", options.epsilon, *EPSILON_RANGE)
    content = _content(options.file, MOST_BYTES)
    if (rows := table.read(content)) is not None:
        if options.html or options.figures or options.latex:
            raise ValueError(
                "a table of central-table must be shown as text or --json, got --html, --figures or --latex"
            )
        say("read from a file; nothing was run", end="\n")
        return conclude(NOT_REJECTED, lambda: deliver(options.json, table.text_of(rows), content.decode))
    saved = read(content)
    if saved.kind != "compare" and options.latex is not None:
        raise ValueError(f"--latex writes the tables of a comparison, got a file of another kind: {saved.kind}")
    if saved.kind == "compare" and options.epsilon not in (None, *saved.result.config.epsilons):
        raise ValueError(f"epsilon must be one of the comparison's, got {options.epsilon:g}")
    study, result = STUDIES[saved.kind], saved.result
    say("read from a file; nothing was run", end="\n")
    more: dict[str, Any] = {"notes": saved.notes, "epsilon": options.epsilon, "opened": True, "stated": options.stated}
    text, latex = partial(study.text, result, saved.notes), partial(write_latex, options.latex, result)
    return finish(options, result, text, latex, **more)


def _content(name: str, most: int) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise ValueError(f"the file must be one that can be read, got {name!r}: {error.strerror}") from error


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        NAME,
        description="Read a result that the dashboard or a command saved as JSON, and print what the run printed (not "
        "those of accountant, central --canaries, central-table, check-flower and check --replies). Bounds and verdict "
        "are derived from its counts again, whatever the file says of them; a file whose counts contradict each other "
        "is refused.",
        epilog="Exit code 0: no claim rejected (which does not prove it); 1: one was, or a check found another fault; "
        "2: no saved result, or a check without one.",
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="JSON file that one of the other commands wrote")
    add_shared(parser, "html")
    add("--stated", default="", metavar="TEXT", help="with --html: who tested what, its version and the date; it is "
        "printed as stated by you")  # fmt: skip
    add("--figures", type=Path, metavar="FOLDER", help="save the figures as SVG, PDF and PNG")
    add_wording(parser)
    add("--latex", metavar="FILE", help="write a comparison's tables for a paper")
    add("--epsilon", type=number, help="of charts that are drawn at one")
    add_shared(parser, "json")
    parser.set_defaults(run=run)
