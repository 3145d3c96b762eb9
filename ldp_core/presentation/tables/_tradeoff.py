"""The trade-off of the two errors, with what the counts prove of it and what epsilon allows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ldp_core.game.summary import effective_significance
from ldp_core.game.sweep import CompareResult, test_of
from ldp_core.presentation.tables._cells import View, attacks_of, chosen
from ldp_core.statistics.intervals import Interval, error_upper_limit
from ldp_core.types import AuditResult, Curve


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """Errors of one cell at a row of thresholds.

    Args:
        attack, dataset, epsilon, rule: as in the cell's configuration.
        significance: chance that any of the intervals misses its rate.
        false_positives: share of first-gradient trials called second, at each threshold from the lowest.
        false_negatives: share of second-gradient trials called first.
        own: the two error rates of the rule's own guesses; None if one of the gradients was never sent.
        region: corners of the convex set of rates that epsilon allows, anticlockwise from (0, 1).
        leaves: whether at some threshold the whole box of the two intervals lies outside that set.
    """

    attack: str
    dataset: str
    epsilon: float
    rule: str
    test: str
    significance: float
    false_positives: tuple[Interval, ...]
    false_negatives: tuple[Interval, ...]
    own: tuple[float, float] | None
    region: tuple[tuple[float, float], ...]
    leaves: bool


def tradeoffs(
    result: CompareResult, dataset: str, epsilon: float, tests: Sequence[str], view: View | None = None
) -> list[Tradeoff]:
    """Return ``tradeoff`` of the cell of each attack and test at an epsilon, where it has a curve."""
    kinds = product(attacks_of(result), tests)
    cells = (cell for attack, test in kinds for cell in chosen(result, dataset, attack, test, view))
    curves = (tradeoff(cell) for cell in cells if cell.config.epsilon == epsilon)
    return [curve for curve in curves if curve is not None]


def tradeoff(cell: AuditResult) -> Tradeoff | None:
    """Return a cell's errors at its thresholds with a simultaneous band; None without a curve.

    Each rate has a Clopper-Pearson interval at the run's significance over twice the number of thresholds, so that
    all of them hold together. The curves of several measurements are added: what epsilon allows is linear in the rates.
    A run that was stopped has intervals that hold at every moment.

    ``cell``: a result of a mechanism that claims a delta of 0, one of a comparison or not.
    """
    curves = [item.curve for item in cell.measurements if item.curve is not None]
    if not curves or not curves[0].false_positives:
        return None
    curve = sum(curves[1:], curves[0])
    if not (curve.num_first and curve.num_second):
        return None
    anytime, config, counts = not cell.completed, cell.config, cell.counts
    significance = effective_significance(config, anytime=anytime)
    first, second = _band(curve, significance, anytime)
    positive, negative = counts.false_positive_rate, counts.false_negative_rate
    return Tradeoff(
        attack=config.attack,
        dataset=config.dataset,
        epsilon=config.epsilon,
        rule=config.distinguisher,
        test=test_of(config.distinguisher),
        significance=significance,
        false_positives=first,
        false_negatives=second,
        own=None if positive is None or negative is None else (positive, negative),
        region=allowed_region(config.epsilon),
        leaves=any(_outside(*box, config.epsilon) for box in zip(first, second, strict=True)),
    )


def allowed_region(epsilon: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of the pairs (FPR, FNR) that epsilon > 0 allows, anticlockwise from (0, 1).

    FPR + e^eps FNR >= 1, with the rates exchanged, and both with the guesses turned round.

    >>> [(round(x, 2), round(y, 2)) for x, y in allowed_region(1.0)]
    [(0.0, 1.0), (0.27, 0.27), (1.0, 0.0), (0.73, 0.73)]
    """
    corner = 1.0 / (1.0 + math.exp(epsilon))
    return (0.0, 1.0), (corner, corner), (1.0, 0.0), (1.0 - corner, 1.0 - corner)


def _band(curve: Curve, significance: float, anytime: bool) -> tuple[tuple[Interval, ...], tuple[Interval, ...]]:
    part = significance / (2.0 * len(curve.false_positives))

    def intervals(errors: Sequence[int], trials: int) -> tuple[Interval, ...]:
        return tuple(
            Interval(
                count / trials,
                1.0 - error_upper_limit(trials - count, trials, part / 2.0, anytime=anytime),
                error_upper_limit(count, trials, part / 2.0, anytime=anytime),
            )
            for count in errors
        )

    return intervals(curve.false_positives, curve.num_first), intervals(curve.false_negatives, curve.num_second)


def _outside(first: Interval, second: Interval, epsilon: float) -> bool:
    """Return whether no pair of rates in the box is allowed."""
    factor = math.exp(epsilon)
    for first_rate, second_rate in ((first.upper, second.upper), (1.0 - first.lower, 1.0 - second.lower)):
        if first_rate + factor * second_rate < 1.0 or second_rate + factor * first_rate < 1.0:
            return True
    return False
