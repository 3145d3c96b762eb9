"""What is shown of a run, on screen and in documents: each view from one end to the other, and the finding in words."""

from collections.abc import Mapping

from ldp_core.presentation.documents.context import floor
from ldp_core.presentation.report import count
from ldp_core.statistics import theory, views
from ldp_core.statistics.views import OTHERS, VIEWS
from ldp_core.studies.trust.chart import ViewRow, ends, written
from ldp_core.studies.trust.claims import CLIENTS, EPSILON, claims
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.result import TrustResult, summarize
from ldp_core.types import PairGeometry
from ldp_core.words import promises


def rows(result: TrustResult) -> list[ViewRow]:
    """Return each view from one end to the other, with what was measured in the one that was played; [] without a law.

    The ends are those of the best rule; what another rule measured may lie below both. A report that was seen alone
    has no others to hide among, so it is the only row then.
    """
    summary, config = summarize(result), result.config
    found = []
    for view in (("local",) if config.view == "local" else VIEWS) if summary.sights else ():
        low, high = sorted(100.0 * one.identification for one in summary.sights if one.view == view)
        share = summary.identification if view == config.view else None
        measured = None if share is None else (100.0 * share.point, 100.0 * share.lower, 100.0 * share.upper)
        found.append(ViewRow(view, low, high, measured))
    return found


def prospect(config: TrustConfig) -> list[ViewRow]:
    """Return the views of a pair that shows all of epsilon, opposite and of full length, before anything is played."""
    pair = PairGeometry(180.0, config.clip_norm, config.clip_norm, "opposite")
    setting = (config.epsilon, config.clip_norm, pair)
    local = 100.0 * theory.worst_case_identification(config.epsilon)
    found = [ViewRow("local", local, local)]
    for view, law_of in (("shuffled", views.shuffled_view), ("aggregated", views.summed_view)):
        laws = [law_of(*setting, config.honest, others) for others in OTHERS[:2]]
        low, high = sorted(100.0 * law.identification() for law in laws)
        found.append(ViewRow(view, low, high))
    return found


def promise(config: TrustConfig) -> float:
    """Return the right guesses of 100 that the local epsilon allows."""
    return 100.0 * theory.worst_case_identification(config.epsilon)


def finding(result: TrustResult, words: Mapping[str, str], chart_words: Mapping[str, str]) -> list[str]:
    """Return what was measured, and both ends of what the others may do.

    Args:
        result: of a run.
        words: of a document, see ``documents.words.WORDS``.
        chart_words: on charts, see ``figures.ENGLISH``.
    """
    summary, config = summarize(result), result.config
    share = summary.identification
    if share is None:
        return []
    limits = {"right": share.point, "lower": share.lower, "upper": share.upper}
    shown = {name: f"{100.0 * value:.1f}" for name, value in limits.items()}
    found = [words[f"trust_seen_{config.view}"].format(clients=count(config.honest), **shown)]
    if config.sybils and config.view != "local":
        found.append(words["trust_sybils"].format(sybils=count(config.sybils), clients=count(config.clients)))
    found += [
        words["trust_ends"].format(view=words[f"trust_view_{row.name}"], range=ends(row, chart_words))
        for row in rows(result)
        if row.name == config.view != "local"
    ]
    kept = words["trust_rejected" if summary.rejected else "trust_kept"]
    return [*found, kept, promises.sentence(words, summary.promise, config.delta)]


def numbers(result: TrustResult, words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what was measured beside the exact law and what is promised, as names and texts."""
    summary = summarize(result)
    share, expected, exactly = summary.identification, summary.expected_identification, summary.epsilon_expected
    return [
        (words["trust_right"], "–" if share is None else _range(words, share.point, share.lower, share.upper)),
        (words["trust_expected"], "–" if expected is None else f"{100 * expected:.2f}"),
        (words["trust_lower"], floor(summary.epsilon_lower)),
        (words["trust_exact"], "–" if exactly is None else f"{exactly:.3f}"),
        (words["trust_promise"], f"{summary.promise:.3f}"),
    ]


def bounds(result: TrustResult, words: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the shuffled epsilon by each bound that holds for every randomizer, as names and texts."""
    return [(words[f"trust_{name}"], f"{value:.3f}") for name, value in summarize(result).amplified.items()]


def laws(result: TrustResult, words: Mapping[str, str]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return head and rows of what the exact laws say of every view; no rows where they are not known."""
    head = [words[f"trust_head_{name}"] for name in ("view", "others", "right", "epsilon")]
    rows: list[tuple[str, ...]] = [
        (words[f"trust_view_{one.view}"], words[f"trust_others_{one.others}"], written(100.0 * one.identification),
         f"{one.epsilon:.3f}")
        for one in summarize(result).sights
        if one.view != "local" or one.others == "uniform"
    ]  # fmt: skip
    return head, rows


def claimed(words: Mapping[str, str]) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return head and rows of the paper's claims: the exact law, what we measured, and the command that repeats it."""
    head = [words[f"trust_claim_{name}"] for name in ("head", "right", "measured", "epsilon", "shown", "command")]
    rows: list[tuple[str, ...]] = [
        (words[f"claim_{row.name}"], "–" if row.right is None else written(row.right),
         _range(words, *(value / 100.0 for value in row.measured)),
         "–" if row.epsilon is None else f"{row.epsilon:.2f}", f"{row.shown:.3f}", row.command)
        for row in claims()
    ]  # fmt: skip
    return head, rows


def example() -> dict[str, str]:
    """Return what the claims' setting shows, for a sentence: both ends of each view, and the report alone."""
    found = {row.name: written(row.right) for row in claims() if row.right is not None}
    return found | {"alone": written(100.0 * theory.worst_case_identification(EPSILON)), "clients": count(CLIENTS)}


def _range(words: Mapping[str, str], point: float, lower: float, upper: float) -> str:
    limits = {"point": point, "lower": lower, "upper": upper}
    return words["trust_interval"].format(**{name: f"{100.0 * value:.2f}" for name, value in limits.items()})
