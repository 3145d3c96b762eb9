"""Whom must you trust: the result, what follows from it, and its JSON; nothing here loads torch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ldp_core import _validate, facts
from ldp_core.facts import DataFacts
from ldp_core.game.summary import Interval
from ldp_core.reports import strict_json, where_from
from ldp_core.statistics import estimates, intervals
from ldp_core.statistics import promise as strength
from ldp_core.studies.reading import check_completed, read
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.laws import Sight, amplified, expected_identification, is_amplified, sights
from ldp_core.types import PairGeometry, TrialCounts

SCHEMA = "ldp-trust/1"
_BOUND = "pooled"


@dataclass(frozen=True, slots=True)
class TrustResult:
    """A run, whole or cut short; everything else is derived by ``summarize``.

    Args:
        config: what was asked for.
        pair: the tested client's two updates; None before they were made.
        dimension: length d of an update; 0 before it is known.
        counts: the games so far.
        completed: whether every planned game was played.
        seconds: duration so far.
        device: where reports were computed ("cpu", "cuda").
        versions: of the packages that produced the numbers.
        data: the images and the training behind the pair; None where it is not recorded.
    """

    config: TrustConfig
    pair: PairGeometry | None
    dimension: int
    counts: TrialCounts
    completed: bool
    seconds: float
    device: str
    versions: Mapping[str, str]
    data: DataFacts | None = None

    def __post_init__(self) -> None:
        _validate.integer("dimension", self.dimension, 0)
        games = self.counts.num_trials
        if games > self.config.games or (games and self.pair is None):
            raise ValueError(f"counts must be those of at most {self.config.games} games of a pair, got {games}")
        check_completed(self.completed, games == self.config.games)
        _validate.number("seconds", self.seconds, 0.0, 1e9)


@dataclass(frozen=True, slots=True)
class TrustSummary:
    """What follows from a result.

    Args:
        identification: share of right guesses with its interval; None without games.
        expected_identification: what the exact law expects of the rule that was played; None where none is known.
        epsilon_point: the point estimate at delta, never to be shown alone; None where it is not finite.
        epsilon_lower: lower bound on the view's epsilon at delta, in nats.
        epsilon_expected: the exact epsilon of the view at delta for this pair; None where no law is known.
        promise: what is promised of the view at delta: the local epsilon, or the clones bound where it holds.
        amplified: the three bounds that hold for every randomizer of local delta 0, by name.
        sights: every view at both ends, for LDP-SGD and its like.
        rejected: whether the lower bound is above the promise.
    """

    identification: Interval | None
    expected_identification: float | None
    epsilon_point: float | None
    epsilon_lower: float
    epsilon_expected: float | None
    promise: float
    amplified: Mapping[str, float]
    sights: tuple[Sight, ...]
    rejected: bool


def summarize(result: TrustResult) -> TrustSummary:
    """Derive share, bound, laws and promise of a run, whole or cut short (then by the bound that may be looked at)."""
    config, counts = result.config, result.counts
    anytime = not result.completed
    interval = intervals.identification_interval(counts, config.significance, anytime=anytime)
    lower = estimates.epsilon_lower_bound(counts, _BOUND, config.significance, delta=config.delta, anytime=anytime)
    point = estimates.epsilon_point(counts, config.delta)
    bounds = amplified(config)
    promise = bounds["clones"] if is_amplified(config) else config.epsilon
    expected: float | None = None
    seen: tuple[Sight, ...] = ()
    exact: float | None = None
    if result.pair is not None:
        expected = expected_identification(config, result.pair, result.dimension)
        seen = sights(config, result.pair)
        ends = {(one.view, one.others): one.epsilon for one in seen}
        exact = ends.get((config.view, config.others if config.view != "local" else "uniform"))
    return TrustSummary(
        Interval(*interval) if interval else None,
        expected,
        point if point is not None and math.isfinite(point) else None,
        lower,
        exact,
        promise,
        bounds,
        seen,
        lower > promise,
    )


def to_dict(result: TrustResult) -> dict[str, Any]:
    """Return a result as plain values; ``trust --help`` describes the fields."""
    summary = summarize(result)
    share = summary.identification
    return {
        "schema": SCHEMA,
        "config": asdict(result.config),
        "data": result.data.to_dict() if result.data else None,
        "pair": asdict(result.pair) if result.pair else None,
        "dimension": result.dimension,
        "counts": asdict(result.counts),
        "identification": asdict(share) if share else {"point": None, "lower": None, "upper": None},
        "expected_identification": summary.expected_identification,
        "epsilon": {
            "point": summary.epsilon_point,
            "lower": summary.epsilon_lower,
            "expected": summary.epsilon_expected,
            "promise": summary.promise,
            "delta": result.config.delta,
        },
        "amplified": dict(summary.amplified) | {"delta": result.config.delta},
        "views": [asdict(one) for one in summary.sights],
        "rejected": summary.rejected,
        **strength.to_dict(summary.promise, result.config.delta),
        "completed": result.completed,
        "seconds": result.seconds,
        "seed": result.config.seed,
        "device": result.device,
        "versions": dict(result.versions),
    }


def to_json(result: TrustResult) -> str:
    """Return a result as one strict JSON object, indented."""
    return strict_json(to_dict(result))


def from_json(text: str | bytes) -> TrustResult:
    """Read a result back, what follows from it derived again; raise ``ValueError`` if it is no such report."""

    def build(report: dict[str, Any]) -> TrustResult:
        config = TrustConfig(**report["config"])
        pair = None if report["pair"] is None else PairGeometry(**report["pair"])
        data = facts.read(report.get("data"), config.dataset, config.training)
        device, versions = where_from(report)
        counts = TrialCounts(**report["counts"])
        completed, seconds = report["completed"], report["seconds"]
        return TrustResult(config, pair, report["dimension"], counts, completed, seconds, device, versions, data)

    return read(text, SCHEMA, build)
