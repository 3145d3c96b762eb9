"""Pairs: each measured pair of gradients as a point, by its angle and by its norms."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ldp_core.game.summary import effective_significance
from ldp_core.game.sweep import CompareResult
from ldp_core.presentation.tables._cells import View, attacks_of, chosen
from ldp_core.statistics import intervals, theory
from ldp_core.statistics.intervals import Interval
from ldp_core.types import AuditResult, PairGeometry, TrialCounts

FLIPPED_DEGREES = 179.9
"""A pair at this angle or a wider one counts as a gradient and its negative."""

TIE = 1e-6
"""Shares of right guesses that are closer than this count as equal: angles and norms are known to so many digits."""


@dataclass(frozen=True, slots=True)
class PairPoint:
    """One measured pair: the angle between the gradients in degrees, and the mean of the clipped norms in units of L.

    ``share`` of right guesses has the interval of this pair alone; ``expected`` is the exact law's, None where none is
    known.
    """

    attack: str
    epsilon: float
    angle: float
    norm: float
    share: Interval
    expected: float | None


@dataclass(frozen=True, slots=True)
class NormEffect:
    """What the clipped norm, in units of L from 0 to 1, does to pairs of opposite gradients: the exact law, as shares.

    ``points``: measured pairs; those of a cell that have the same norm are one point.
    """

    epsilon: float
    norms: tuple[float, ...]
    law: tuple[float, ...]
    points: tuple[PairPoint, ...]


def place(pair: PairGeometry, clip_norm: float) -> tuple[float, float]:
    """Return where a pair lies in the plane: its angle in degrees, and the mean of its two clipped norms.

    >>> place(PairGeometry(90.0, 0.5, 3.0, "two gradients"), 1.0)
    (90.0, 0.75)
    """
    return pair.angle_degrees, (min(pair.norm_first, clip_norm) + min(pair.norm_second, clip_norm)) / 2


def pair_points(
    result: CompareResult, dataset: str, epsilon: float | None = None, view: View | None = None
) -> tuple[PairPoint, ...]:
    """Return every pair that the white box measured.

    ``epsilon``: in nats; None for all; ``view``: which rule and strength; see ``View``.
    """
    return tuple(
        _point(cell, measurement.pair, measurement.counts, measurement.expected_identification)
        for attack in attacks_of(result)
        for cell in chosen(result, dataset, attack, "white", view)
        if epsilon is None or cell.config.epsilon == epsilon
        for measurement in cell.measurements
        if measurement.counts.num_trials
    )


def norm_effect(result: CompareResult, dataset: str, epsilon: float, rule: str = "cosine") -> NormEffect:
    """Return every measured pair of opposite gradients, at every strength, with the exact law ([M] Figure 3).

    ``rule``: a white-box distinguisher.
    """
    norms = tuple(step / 20 for step in range(21))
    law = tuple(theory.cosine_identification(epsilon, 180.0, norm, norm, 1.0) for norm in norms)
    points: list[PairPoint] = []
    for attack in attacks_of(result):
        for cell in result.select(dataset=dataset, attack=attack, epsilon=epsilon, distinguisher=rule):
            points += _flipped(cell)
    return NormEffect(epsilon, norms, law, tuple(points))


def _flipped(cell: AuditResult) -> list[PairPoint]:
    """Return a cell's pairs of opposite gradients; those with the same norm are counted together."""
    groups: dict[float, tuple[PairGeometry, TrialCounts, float | None]] = {}
    for item in cell.measurements:
        if item.pair.angle_degrees < FLIPPED_DEGREES or not item.counts.num_trials:
            continue
        key = round(_norm(cell, item.pair), 9)
        known = groups[key][1] if key in groups else TrialCounts()
        groups[key] = (item.pair, known + item.counts, item.expected_identification)
    return [_point(cell, *values) for values in groups.values()]


def predicted(point: PairPoint, epsilon: float) -> PairPoint:
    """Return a point at another epsilon, with the exact law's share in place of a measured one."""
    share = theory.cosine_identification(epsilon, point.angle, point.norm, point.norm, 1.0)
    return replace(point, epsilon=epsilon, share=Interval(share, share, share), expected=share)


def reach(result: CompareResult, dataset: str, attack: str, epsilon: float) -> float | None:
    """Return the share of right guesses that the exact law expects at an epsilon of the pairs that an attack made.

    None for an attack that made none.
    """
    points = [predicted(point, epsilon) for point in pair_points(result, dataset) if point.attack == attack]
    return sum(point.share.point for point in points) / len(points) if points else None


def worst(result: CompareResult, dataset: str, epsilon: float) -> tuple[tuple[str, ...], bool]:
    """Return the attacks with the largest ``reach``, several at a tie, and whether all their gradients are opposite.

    By the exact law, only the angle between the gradients and their clipped norms make the difference.
    """
    reached = {attack: reach(result, dataset, attack, epsilon) for attack in attacks_of(result)}
    shares = {attack: share for attack, share in reached.items() if share is not None}
    most = max(shares.values(), default=0.0)
    names = tuple(attack for attack, share in shares.items() if most - share < TIE)
    points = [point for point in pair_points(result, dataset) if point.attack in names]
    return names, all(point.angle >= FLIPPED_DEGREES for point in points)


def piled(points: Sequence[PairPoint]) -> dict[str, int]:
    """Return how many pairs of each attack lie at the corner of opposite gradients that are as long as L or longer.

    On a chart they are one mark; empty where at most one pair lies there.
    """
    counts = Counter(point.attack for point in points if point.angle >= FLIPPED_DEGREES and point.norm > 1.0 - 1e-6)
    return dict(counts) if counts.total() > 1 else {}


def full_length(points: Sequence[PairPoint]) -> bool:
    """Return whether all gradients, of at least one pair, are as long as L or longer."""
    return bool(points) and all(point.norm > 1.0 - 1e-6 for point in points)


def _norm(cell: AuditResult, pair: PairGeometry) -> float:
    clip = cell.config.clip_norm
    return place(pair, clip)[1] / clip


def _point(cell: AuditResult, pair: PairGeometry, counts: TrialCounts, expected: float | None) -> PairPoint:
    anytime = not cell.completed
    significance = effective_significance(cell.config, anytime=anytime)
    share = intervals.identification_interval(counts, significance, anytime=anytime)
    assert share is not None, "only pairs with trials become points"
    return PairPoint(cell.config.attack, cell.config.epsilon, pair.angle_degrees, _norm(cell, pair), share, expected)
