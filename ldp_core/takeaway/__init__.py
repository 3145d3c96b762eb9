"""What a client takes away: a result as one HTML file that needs nothing else, and any saved JSON opened again.

The page runs no program, fetches nothing, prints on paper, and holds no image unless the caller hands some over;
labels and gradients never reach this package.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ldp_core.claims import CheckResult
from ldp_core.claims import sentences as check_sentences
from ldp_core.facts import DataFacts
from ldp_core.figures import ENGLISH
from ldp_core.grid import CompareResult
from ldp_core.studies import TrainingPathResult, UtilityResult
from ldp_core.takeaway import _page
from ldp_core.takeaway._context import Context
from ldp_core.takeaway._read import MOST_BYTES, Opened, UnreadableError, read
from ldp_core.takeaway._words import WORDS
from ldp_core.types import AuditResult

__all__ = ["MOST_BYTES", "WORDS", "Opened", "UnreadableError", "data_rows", "html", "read"]


def html(
    result: Any,
    sentences: Sequence[str] = (),
    *,
    notes: Sequence[str] = (),
    images: Sequence[tuple[bytes, ...]] = (),
    epsilon: float | None = None,
    opened: bool = False,
    words: Mapping[str, str] = WORDS,
    chart_words: Mapping[str, str] = ENGLISH,
    language: str = "en",
) -> str:
    """Return a result as one HTML document.

    Args:
        result: an ``AuditResult``, ``CompareResult``, ``UtilityResult``, ``TrainingPathResult`` or ``CheckResult``,
            whole or cut short.
        sentences: the verdict first, then what follows from it; ``**words**`` become bold. A study without any says
            what its chart shows, a check what it found, in English.
        notes: sentences on what could not be made.
        images: of each measurement's pair the PNG images; only those that the client asked for.
        epsilon: of charts that are drawn at one; without it, the one nearest to 1 (a training path: 4).
        opened: whether the result came from a file instead of a run.
        words: texts of the report, see ``WORDS``; a check's clauses also look for ``clause_NAME`` and
            ``finding_NAME_FINDING``, and are in English without them.
        chart_words: texts on the charts, see ``figures.ENGLISH``.
        language: of the words, as in ``<html lang>``.

    Raises:
        TypeError: if the result is of another type.
    """
    from ldp_core.takeaway import _audit, _check, _compare, _studies  # matplotlib takes a second to load

    datasets: tuple[str, ...]
    context = Context(words, chart_words, epsilon, tuple(notes), tuple(images))
    if isinstance(result, AuditResult):
        kind, parts, datasets = "audit", _audit.parts(result, context), (result.config.dataset,)
    elif isinstance(result, CompareResult):
        kind, parts, datasets = "compare", _compare.parts(result, context), result.config.datasets
    elif isinstance(result, UtilityResult):
        kind, parts, datasets = "utility", _studies.utility_parts(result, context), (result.config.dataset,)
    elif isinstance(result, TrainingPathResult):
        kind, parts, datasets = "path", _studies.path_parts(result, context), (result.config.dataset,)
    elif isinstance(result, CheckResult):
        kind, parts, datasets = "check", _check.parts(result, context), ()
    else:
        raise TypeError(f"result must be one of the five kinds, got {type(result).__name__}")
    if not sentences and isinstance(result, UtilityResult | TrainingPathResult):
        sentences = _studies.finding(result, context)
    if not sentences and isinstance(result, CheckResult):
        sentences = check_sentences(result)
    head = [
        _page.heading(words[f"title_{kind}"]),
        _page.paragraph(words["opened"] if opened else ""),
        _page.verdict(words["verdict"], sentences),
        _page.paragraph(words[f"about_{kind}"]),
        _page.paragraph(" ".join(_inside(context, datasets))),
    ]
    return _page.page(language, words[f"title_{kind}"], [*head, *parts])


def data_rows(
    facts: Sequence[tuple[str, DataFacts | None]],
    words: Mapping[str, str] = WORDS,
    chart_words: Mapping[str, str] = ENGLISH,
) -> list[tuple[str, str]]:
    """Say on which images and which training a result rests, as its report does.

    Args:
        facts: each data set's name, and what is recorded of it; None where a result of an earlier version has nothing.
        words: texts of the report, see ``WORDS``.
        chart_words: names of the data sets, see ``figures.ENGLISH``.

    Returns:
        What each row is about, and what is to be said: the images first, then how far the training got.
    """
    return Context(words, chart_words).basis(facts)


def _inside(context: Context, datasets: Sequence[str]) -> list[str]:
    """Say what is in the file, and what is not."""
    words = context.words
    if not context.images:
        return [words["inside_none"], words["inside_file"]]
    named = words["inside_data"].format(dataset=context.listed([context.dataset(name) for name in datasets]))
    return [words["inside_images"], words["inside_own"] if "own" in datasets else named, words["inside_file"]]
