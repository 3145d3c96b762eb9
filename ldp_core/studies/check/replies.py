"""``check --replies``: any two samples of replies, judged as ``check-flower`` judges those of an app."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ldp_core import _validate
from ldp_core.checking.subjects._npz import MOST_BYTES
from ldp_core.errors import ChallengeError
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import Context
from ldp_core.presentation.report import Table, Teller, count
from ldp_core.terminal import NOT_REJECTED, REJECTED, check_html, conclude, deliver, say, significance_of, write
from ldp_core.terminal.numbers import gaussian
from ldp_core.terminal.study_command import seed_of
from ldp_core.types import EPSILON_RANGE, SIGNIFICANCE
from ldp_core.words import document, figures

if TYPE_CHECKING:
    from ldp_core.checking.apps.verdict import Found

_SHOWN = 12


def columns(findings: Found, tell: Teller) -> Table:
    """Return what columns of each name show: those without noise first, then those that differ most."""
    rows = [
        (
            column.name,
            count(column.numbers),
            f"{column.spread:.3g}",
            f"{column.distance:.3g}",
            tell("app_without") * column.bare,
        )
        for column in findings.columns[:_SHOWN]
    ]
    left = len(findings.columns[_SHOWN:])
    note = tell("app_left", count=count(left)) if left else ""
    return Table(tell("app_columns_title"), tell("app_columns").split("\n"), rows, note)


def html(findings: Found, command: str) -> str:
    """Return it as one page in English; ``command`` repeats it."""
    tell = Context(document("en"), figures("en"))
    table, title = columns(findings, tell), tell("title_replies")
    parts = [
        page.heading(title),
        page.verdict(tell("verdict"), findings.sentences(tell.words)),
        page.paragraph(tell("about_replies")),
        page.section(table.title, page.paragraph(table.note), tell.table(table.title, table.head, table.rows)),
        page.section(tell("app_asked_title"), page.bullets(tell("app_asked").split("\n"))),
        tell.limits("limits_check"),
        page.section(tell("repeat"), page.command(command)),
    ]
    return page.page("en", title, parts)


MOST_ON_PAGE = 1_000_000
"""Numbers of a file that are judged while a visitor waits: a second or two, five where all are in one column."""
_SCHEMA = "ldp-check-replies/1"
TAKEN = ("replies", "epsilon", "delta", "gaussian", "confidence", "public", "must_detect", "seed", "json", "html")
"""Options that go with ``--replies``."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a file of replies shows.

    ``found``: against the claim; ``significance``: chance that a sender that keeps the claim is rejected.
    """

    found: Found
    significance: float


def check_replies(options: argparse.Namespace) -> int:
    """Judge a file of replies, and print the result on standard output or to a file."""
    values, seed, wanted = {name: getattr(options, name) for name in TAKEN[1:-3]}, seed_of(options), None
    if options.must_detect is not None:
        try:
            wanted = float(options.must_detect)
        except ValueError:
            raise ValueError(f"--must-detect must be a number with --replies, got {options.must_detect!r}") from None
    check_html(options)
    say("reading the replies ...")
    judged = judged_file(Path(options.replies), values, seed, wanted)
    again = command(("check", "--replies", options.replies), values, seed)
    return told(judged.found, _SCHEMA, values | {"seed": seed, "significance": judged.significance}, again, options)


def told(findings: Found, schema: str, values: dict[str, object], again: str, options: argparse.Namespace) -> int:
    """Write what was found to the files that ``options`` name, print it, and return the exit code.

    ``again``: the command that repeats it.
    """

    def document() -> None:
        if options.html is not None:
            write("--html", options.html, html(findings, again))

    return conclude(
        REJECTED if findings.rejected else NOT_REJECTED,
        document,
        lambda: deliver(options.json, f"{findings.text()}\nRepeat: {again}", lambda: findings.json(schema, values)),
    )


def judged_file(
    content: bytes | Path, values: Mapping[str, Any], seed: int, must_detect: float | None = None,
    most_bytes: int = MOST_BYTES, most: int = MOST_BYTES,
) -> Judged:  # fmt: skip
    """Return what a file of replies shows.

    Args:
        content: the file or its path, see ``Recorded``.
        values: of the command's options: ``epsilon`` and perhaps ``delta``, or ``gaussian``; and perhaps
            ``confidence`` and ``public``.
        seed: of the order of equal numbers.
        must_detect: a true epsilon or mu that so many replies must refute with 95 % chance.
        most_bytes: of the file, packed, and of each array.
        most: numbers that are judged.

    Raises:
        ValueError: if what is asked is out of range.
        ChallengeError: if it is no such file, or holds more numbers.
    """
    from ldp_core.checking.apps.judge import Claim
    from ldp_core.checking.apps.recorded import Recorded
    from ldp_core.checking.apps.verdict import judged

    step, epsilon, delta = gaussian(values["gaussian"]), values["epsilon"], values["delta"]
    if (epsilon is None) == (step is None):
        raise ValueError("one of --epsilon and --gaussian must say what is claimed of a reply, got none or both")
    if step is not None and delta is not None:
        raise ValueError("--delta must be given with --epsilon alone, got it with --gaussian")
    if step is None:
        _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.number("delta", delta or 0.0, 0.0, 0.5)
    confidence = values.get("confidence")
    significance = SIGNIFICANCE if confidence is None else significance_of(confidence)
    source = Recorded(content, most_bytes)
    replies = 2 * source.at_once
    if (numbers := replies * len(source.names)) > most:
        raise ChallengeError(f"at most {most:,} numbers are judged, got {numbers:,}", "large", got=numbers, most=most)
    findings = judged(
        source, Claim(epsilon or 0.0, delta or 0.0, step), replies=replies, significance=significance, seed=seed,
        public=values.get("public") or (), must_detect=must_detect,
    )  # fmt: skip
    return Judged(findings, significance)


def command(start: Sequence[str], values: Mapping[str, Any], seed: int | None = None) -> str:
    """Return a command line with options by their names: none for None and False, one for each item of a list."""
    words = ["python", "-m", "ldp_core", *start]
    for name, value in (*values.items(), ("seed", seed)):
        for argument in value if isinstance(value, list) else [] if value in (None, False) else [value]:
            text = str(argument).removesuffix(".0") if isinstance(argument, float) else str(argument)
            words += [f"--{name.replace('_', '-')}", *([] if argument is True else [text])]
    return shlex.join(words)
