"""The result of any study: read back from JSON, and written as one HTML document that needs nothing else.

Whoever opens a file trusts it as little as the network: it is small, its names are known, its numbers agree. A document
runs no program, fetches nothing, prints on paper, and holds no image unless the caller hands some over; labels and
gradients never reach this module.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ldp_core import _validate
from ldp_core.presentation.documents import page
from ldp_core.presentation.documents.context import WORDS, Context
from ldp_core.presentation.figures import ENGLISH
from ldp_core.record import refuse_constant
from ldp_core.studies import STUDIES, study_of

MOST_BYTES = 16 * 2**20
MOST_STATED = 300
"""Letters of what a client states."""


class UnreadableError(ValueError):
    """A file that cannot be opened.

    ``reason``: "large", "json", "schema" or "content"; ``sentence``: what is wrong with it.
    """

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Opened:
    """What a file holds: the name of its study in ``studies.STUDIES``, the result, and what could not be made."""

    kind: str
    result: Any
    notes: tuple[str, ...] = ()


def read(content: bytes) -> Opened:
    """Read a saved result; bounds, states and verdicts are derived again from its counts.

    ``content``: of a JSON file, at most ``MOST_BYTES``.
    Raises ``UnreadableError`` if it is too large, no JSON, of no known schema, or contradicts itself.
    """
    if len(content) > MOST_BYTES:
        raise UnreadableError("large", f"a saved result must have at most {MOST_BYTES:,} bytes, got {len(content):,}")
    try:
        report = json.loads(content, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise UnreadableError("json", "a saved result must be JSON, got something else") from error
    schema = report.get("schema") if isinstance(report, dict) else None
    by_schema = {known: study for study in STUDIES.values() for known in study.schemas}
    if not isinstance(schema, str) or schema not in by_schema:
        raise UnreadableError("schema", f"a saved result must have {_expected(schema, by_schema)}")
    study = by_schema[schema]
    try:
        return Opened(study.name, *study.read(content, report))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        raise UnreadableError("content", _printable(str(error))) from error


def _expected(schema: object, known: Iterable[str]) -> str:
    """Return which schema a result should have, and what it has: another version of a known one, or something else."""
    names = {known_schema.partition("/")[0]: known_schema for known_schema in known}
    name, _, version = schema.partition("/") if isinstance(schema, str) else ("", "", "")
    if name in names and version.isascii() and version.isdecimal() and len(version) < 10:
        return f"schema {names[name]}, got {schema}, which another version of ldp-core wrote"
    given = _printable(schema)[:60] if isinstance(schema, str) and schema else "none"
    return f"one of the schemas {', '.join(names.values())}, got {given}"


def html(
    result: Any,
    sentences: Sequence[str] = (),
    *,
    notes: Sequence[str] = (),
    images: Sequence[tuple[bytes, ...]] = (),
    epsilon: float | None = None,
    opened: bool = False,
    stated: str = "",
    words: Mapping[str, str] = WORDS,
    chart_words: Mapping[str, str] = ENGLISH,
    language: str = "en",
) -> str:
    """Return a result as one HTML document.

    Args:
        result: of any study whose results are kept, whole or cut short.
        sentences: the verdict first, then what follows from it; ``**words**`` become bold. A study without any says
            what its chart shows, a check what it found, in English.
        notes: sentences on what could not be made.
        images: of each measurement's pair the PNG images; only those that the client asked for.
        epsilon: of charts that are drawn at one; without it, the study's own, such as the one nearest to 1.
        opened: whether the result came from a file instead of a run.
        stated: what the client says of who tested what, ``MOST_STATED`` letters at most; told as that.
        words: texts of the report, see ``WORDS``; a check's clauses also look for ``clause_NAME`` and
            ``finding_NAME_FINDING``, and are in English without them.
        chart_words: texts on the charts, see ``figures.ENGLISH``.
        language: of the words, as in ``<html lang>``.

    Raises:
        TypeError: if it is no result of a study.
        ValueError: if what is stated is longer.
    """
    _validate.text("stated", stated, MOST_STATED)
    study = study_of(getattr(result, "config", None))
    context = Context(words, chart_words, epsilon, tuple(notes), tuple(images))
    parts = study.parts(result, context)  # loads matplotlib, which takes a second
    sentences = sentences or study.finding(result, context)
    head = [
        page.heading(words[f"title_{study.name}"]),
        page.paragraph(words["stated"].format(text=stated.replace("**", "")) if stated else ""),
        page.paragraph(words["opened"] if opened else ""),
        page.verdict(words["verdict"], sentences),
        page.paragraph(words[f"about_{study.name}"]),
        page.paragraph(" ".join(_inside(context, study.datasets(result.config)))),
    ]
    return page.page(language, words[f"title_{study.name}"], [*head, *parts])


def _inside(context: Context, datasets: Sequence[str]) -> list[str]:
    words = context.words
    if not context.images:
        return [words["inside_none"], words["inside_file"]]
    named = words["inside_data"].format(dataset=context.listed([context.dataset(name) for name in datasets]))
    return [words["inside_images"], words["inside_own"] if "own" in datasets else named, words["inside_file"]]


def _printable(text: str) -> str:
    """Return a sentence without what a terminal would obey, and short."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:300]
