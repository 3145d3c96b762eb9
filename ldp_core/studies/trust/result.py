"""Whom must you trust: the result, and what follows from it; nothing here loads torch."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ldp_core import _validate
from ldp_core.facts import DataFacts
from ldp_core.statistics import estimates, intervals
from ldp_core.statistics import promise as strength
from ldp_core.statistics.intervals import Interval
from ldp_core.studies.reading import check_completed
from ldp_core.studies.trust.config import TrustConfig
from ldp_core.studies.trust.laws import Sight, amplified, expected_identification, is_amplified, promised_delta, sights
from ldp_core.types import PairGeometry, TrialCounts

_BOUND = "pooled"


@dataclass(frozen=True, slots=True)
class TrustResult:
    """A run, whole or cut short; everything else is derived by ``summarize``.

    ``pair`` holds the tested client's two updates, of length ``dimension``; None and 0 before they were made. ``data``
    are the images and the training behind it; None where that is not recorded.
    """

    SCHEMA: ClassVar[str] = "ldp-trust/1"
    DERIVED: ClassVar[tuple[str, ...]] = (
        *("identification", "expected_identification", "epsilon", "amplified", "views", "rejected"),
        *("promise_identification", "promise_strength", "seed"),
    )
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
        if self.data is not None:
            self.data.check(self.config.dataset, self.config.training)

    def derived(self) -> dict[str, Any]:
        """Return what follows from the counts; ``trust --help`` describes the fields."""
        summary, delta = summarize(self), self.config.delta
        return {
            "identification": summary.identification or dict.fromkeys(("point", "lower", "upper")),
            "expected_identification": summary.expected_identification,
            "epsilon": {
                "point": summary.epsilon_point,
                "lower": summary.epsilon_lower,
                "expected": summary.epsilon_expected,
                "promise": summary.promise,
                "delta": delta,
            },
            "amplified": dict(summary.amplified) | {"delta": delta},
            "views": summary.sights,
            "rejected": summary.rejected,
            **strength.to_dict(summary.promise, promised_delta(self.config)),
            "seed": self.config.seed,
        }


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
        ends = {(sight.view, sight.others): sight.epsilon for sight in seen}
        exact = ends.get((config.view, config.others if config.view != "local" else "uniform"))
    return TrustSummary(
        intervals.identification_interval(counts, config.significance, anytime=anytime),
        expected,
        point if point is not None and math.isfinite(point) else None,
        lower,
        exact,
        promise,
        bounds,
        seen,
        lower > promise,
    )
