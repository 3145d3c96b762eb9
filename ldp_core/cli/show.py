"""The command ``show``: a saved result again, with its summary, figures and page; nothing is run."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import _validate, claims, exports, reports, studies, tables
from ldp_core.cli import check, compare, training_path, utility
from ldp_core.cli._numbers import number
from ldp_core.cli._terminal import (
    NOT_REJECTED,
    REJECTED,
    add_wording,
    check_folder,
    check_html,
    check_writable,
    conclude,
    deliver,
    pictures,
    say,
    words_of,
    write_html,
    write_latex,
)
from ldp_core.summary import summarize
from ldp_core.types import CLAIM_REJECTED, EPSILON_RANGE

if TYPE_CHECKING:
    from ldp_core.takeaway import Opened

NAME = "show"
_PATH_EPSILON = 4.0


def run(options: argparse.Namespace) -> int:
    """Read a result, print what the run printed, and write what was asked for."""
    check_writable("--json", options.json)
    check_writable("--latex", options.latex)
    check_html(options)
    check_folder("--figures", options.figures)
    words = words_of(options.wording)
    if options.epsilon is not None:
        _validate.number("epsilon", options.epsilon, *EPSILON_RANGE)
    from ldp_core.takeaway import MOST_BYTES, read

    found = read(_content(options.file, MOST_BYTES))
    if found.kind != "compare" and options.latex is not None:
        raise ValueError(f"--latex writes the tables of a comparison, got a file of another kind: {found.kind}")
    if found.kind == "compare" and options.epsilon not in (None, *found.result.config.epsilons):
        raise ValueError(f"epsilon must be one of the comparison's, got {options.epsilon:g}")
    say("read from a file; nothing was run", end="\n")
    more: dict[str, Any] = {"notes": found.notes, "epsilon": options.epsilon, "opened": True}
    return conclude(
        _code(found),
        lambda: write_html(options.html, found.result, _sentences(found), **more),
        lambda: pictures(options.figures, lambda folder: _figures(found, folder, options.epsilon, words)),
        lambda: write_latex(options.latex, found.result),
        lambda: deliver(options.json, _text(found), lambda: _json(found)),
    )


def _content(name: str, most: int) -> bytes:
    try:
        with Path(name).open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise ValueError(f"the file must be one that can be read, got {name!r}: {error.strerror}") from error


def _text(found: Opened) -> str:
    if found.kind == "audit":
        return reports.to_text(found.result)
    if found.kind == "check":
        return claims.to_text(found.result)
    if found.kind == "compare":
        return compare.text_of(found.result, found.notes)
    return utility.text_of(found.result) if found.kind == "utility" else training_path.text_of(found.result)


def _json(found: Opened) -> str:
    if found.kind == "audit":
        return reports.to_json(found.result)
    if found.kind == "check":
        return claims.to_json(found.result)
    return exports.to_json(found.result, found.notes) if found.kind == "compare" else studies.to_json(found.result)


def _sentences(found: Opened) -> Sequence[str]:
    if found.kind == "audit":
        return [reports.verdict_sentence(found.result)]
    if found.kind == "check":
        return claims.sentences(found.result)
    return compare.verdicts(found.result) if found.kind == "compare" else ()


def _code(found: Opened) -> int:
    """Return the exit code of the run."""
    if found.kind == "check":
        return check.code_of(found.result)
    if found.kind == "audit":
        return REJECTED if summarize(found.result).verdict == CLAIM_REJECTED else NOT_REJECTED
    return REJECTED if found.kind == "compare" and exports.rejected_cells(found.result) else NOT_REJECTED


def _figures(found: Opened, folder: Path, epsilon: float | None, words: Mapping[str, str]) -> list[Path]:
    from ldp_core.figures import paper

    result = found.result
    if found.kind == "audit":
        return paper.save_audit(result, folder, words=words)
    if found.kind == "check":
        return paper.save_check(result, folder, words=words)
    if found.kind == "compare":
        return paper.save(result, folder, words=words)
    if found.kind == "utility":
        return paper.save_utility([(curve.epsilon, curve.accuracy) for curve in result.curves], folder, words=words)
    clip_norm, epsilon = result.config.clip_norm, epsilon or _PATH_EPSILON
    places = [tables.level_points(level, epsilon, clip_norm) for level in result.levels]
    return paper.save_training_path(epsilon, clip_norm, places, folder, words=words) if places else []


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = commands.add_parser(
        NAME,
        help="show a saved result again: summary, figures, page",
        description="Read a result that any command or the dashboard saved as JSON, and print what the run printed. "
        "Bounds and verdict are derived from its counts again, whatever the file says of them; a file whose "
        "counts contradict each other is refused.",
        epilog="Exit code 0: no claim rejected (which does not prove it); 1: one was, or a check found another fault; "
        "2: no saved result, or a check without one.",
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="JSON file with a test, a comparison, a training, a training path or a check")
    add("--html", metavar="FILE", help="write the result as one page that opens and prints without internet")
    add("--figures", type=Path, metavar="FOLDER", help="save the figures as SVG, PDF and PNG")
    add_wording(parser)
    add("--latex", metavar="FILE", help="write a comparison's tables for a paper")
    add("--epsilon", type=number, help="of a comparison's charts on the page, or of a training path's map")
    add("--json", metavar="FILE", help="write the result as JSON to a file, or - for standard output")
    parser.set_defaults(run=run)
