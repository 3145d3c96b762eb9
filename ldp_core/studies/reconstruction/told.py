"""What a reconstruction says: its finding in sentences of any language, and the lines of its chart. No torch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ldp_core.channels import CHANNELS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.presentation.documents.words import WORDS
from ldp_core.reconstructions import LOCAL_STEPS, RECONSTRUCTIONS
from ldp_core.statistics import information, theory
from ldp_core.studies.reconstruction.result import (
    SIMILAR,
    Interval,
    ReconstructionConfig,
    ReconstructionResult,
    ReportsResult,
)

Words = Mapping[str, str]


def doubling_sentence(epsilon: float, candidates: int, words: Words = WORDS) -> str:
    """Return what one report of LDP-SGD does to a blind guess among N pictures, and how far the limit reaches.

    >>> doubling_sentence(1.0, 1000).partition(".")[0]
    'Among 1,000 pictures a blind guess is right in 0'
    """
    one = information.doubling_limit(epsilon, 1, candidates)
    return words["recon_doubling"].format(
        candidates=f"{candidates:,}",
        blind=100.0 / candidates,
        one=100.0 * one,
        enough=f"{reports_without_limit(epsilon, candidates):,}",
    )


def times_of_one_report(epsilon: float) -> str:
    """Return the most by which one report multiplies the chance of a blind guess, rounded up to a tenth."""
    return f"{math.ceil(20.0 * theory.worst_case_identification(epsilon) - 1e-9) / 10.0:.1f}"


def reports_without_limit(epsilon: float, candidates: int) -> int:
    """Return the smallest n with (2c)^n >= N.

    >>> reports_without_limit(1.0, 1000)
    19
    """
    return math.ceil(math.log(candidates) / math.log1p(math.tanh(epsilon / 2)))


def title(protection: str, words: Words = WORDS) -> str:
    """Return the name of a protection without its settings."""
    if protection in MECHANISMS:
        return words[f"mechanism_{protection}"]
    return words[f"channels_{protection}" if protection in CHANNELS else f"recon_title_{protection}"]


def protection(config: ReconstructionConfig, words: Words = WORDS) -> str:
    """Return what protects the update, in words."""
    name = config.protection
    if name in MECHANISMS and (name != "gaussian" or config.noise is None):
        return words["recon_with_mechanism"].format(mechanism=words[f"mechanism_{name}"], epsilon=config.epsilon)
    if name in CHANNELS:
        return words["recon_with_channel"].format(channel=words[f"channels_{name}"], capacity=config.capacity)
    return words[f"recon_with_{name}"].format(keep=100 * config.keep, noise=config.noise)


def sentences(result: ReconstructionResult, words: Words = WORDS) -> list[str]:
    """Return the finding, the verdict first."""
    last, config = result.results[-1], result.config
    if not last.pictures:
        return []
    found: list[str] = []
    if result.above_limit:
        reports = words["and"].join(_reports(count, words) for count in result.above_limit)
        found.append(words["recon_disproved"].format(epsilon=config.epsilon, reports=reports))
    found.append(_finding(result, last, words))
    if config.protection == "clip":
        found.append(words["recon_clip_alone"])
    if config.limited:
        found.append(doubling_sentence(config.epsilon, config.candidates, words))
    needed = [one for one in RECONSTRUCTIONS[config.attacker].knows if one != LOCAL_STEPS or config.local_steps > 1]
    known = words["and"].join(words[f"recon_knows_{one}"] for one in needed)
    found.append(words["recon_knows"].format(known=known))
    if last.reports:
        found.append(words["recon_assumed"])
    found.append(words["recon_better"])
    return found


def needed(result: ReconstructionResult) -> tuple[int, float]:
    """Return the fewest reports from which 95 of 100 pictures were named, or the most that were tried, with the share.

    Args:
        result: of ``identify``.
    """
    named = [(entry.reports, entry.right / entry.pictures) for entry in result.results if entry.right is not None]
    return next((found for found in named if found[1] >= theory.NEARLY_SURE), named[-1])


def _finding(result: ReconstructionResult, last: ReportsResult, words: Words) -> str:
    reports, candidates = _reports(last.reports, words), result.config.candidates
    if last.right is not None:
        times = _times(last.identified, words)
        return words["recon_named"].format(
            reports=reports, candidates=f"{candidates:,}", times=times, blind=100 / candidates
        )
    error = last.mse.point if last.mse else 0.0
    if last.reports == 0:
        return words["recon_asked"].format(error=error)
    mean = result.baselines["mean"] or 0.0
    times = _times(last.top1, words)
    return words["recon_rebuilt"].format(reports=reports, times=times, error=error, mean=mean)


def _times(interval: Interval | None, words: Words) -> str:
    assert interval is not None
    if interval.lower is None or interval.upper is None:
        return words["recon_times_one"].format(point=100 * interval.point)
    low, high = 100 * interval.lower, 100 * interval.upper
    return words["recon_times"].format(point=100 * interval.point, lower=low, upper=high)


def _reports(number: int, words: Words) -> str:
    return words["recon_one_report"] if number == 1 else words["recon_reports"].format(count=f"{number:,}")


@dataclass(frozen=True, slots=True)
class Curves:
    """The lines of the chart, one value for each number of reports.

    Args:
        reports: numbers n, rising.
        measured: share of pictures named right, or found among 20 of the same label.
        lower: of its interval.
        upper: of its interval.
        limit: the least of the limits that hold; None where none is known.
        blind: share of a blind guess.
        by_mean: likewise by the mean of the reports; empty where nobody named pictures.
        named: whether pictures were named among candidates, instead of rebuilt.
        choices: pictures among which it was.
    """

    reports: tuple[int, ...]
    measured: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    limit: tuple[float | None, ...]
    blind: float
    by_mean: tuple[float, ...]
    named: bool
    choices: int


def curves(result: ReconstructionResult) -> Curves | None:
    """Return the lines of the chart; None where there is nothing to draw."""
    entries = [entry for entry in result.results if entry.pictures and entry.reports]
    named = bool(entries) and entries[0].right is not None
    shares = [entry.identified if named else entry.top1 for entry in entries]
    found = [(entry, share) for entry, share in zip(entries, shares, strict=True) if share is not None]
    if not found:
        return None
    limits: list[float | None] = []
    for entry, _ in found:
        here = result.limits_of(entry.reports)
        known = [one for one in (here.doubling, here.fano, here.general) if one is not None]
        limits.append(min(known) if named and known else None)
    choices = result.config.candidates if named else SIMILAR
    return Curves(
        tuple(entry.reports for entry, _ in found),
        tuple(share.point for _, share in found),
        tuple(share.point if share.lower is None else share.lower for _, share in found),
        tuple(share.point if share.upper is None else share.upper for _, share in found),
        tuple(limits),
        1.0 / choices,
        tuple((entry.right_by_mean or 0) / entry.pictures for entry, _ in found) if named else (),
        named,
        choices,
    )
