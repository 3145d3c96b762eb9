"""How well scores tell two groups apart: the area under the ROC curve, and its uncertainty."""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate

Values = NDArray[np.float64]


def auc(inside: Values, outside: Values) -> tuple[float, float]:
    """Return the area under the ROC curve, in [0, 1], and its standard error over the draw of both groups.

    The area is the chance that a member's score is above that of another, ties counting half. Raises ``ValueError`` if
    a group has fewer than two scores, or a score is not a number.

    Source: DeLong, DeLong and Clarke-Pearson 1988, Biometrics 44(3).

    >>> auc(np.array([2.0, 3.0]), np.array([1.0, 2.0]))[0]
    0.875
    """
    for name, scores in (("inside", inside), ("outside", outside)):
        if len(scores) < 2 or np.isnan(scores).any():
            raise ValueError(f"{name} must be at least two numbers, got {len(scores)}")
    above, below = _shares(inside, outside), _shares(outside, inside)  # of each member, and of each other
    variance = float(np.var(above, ddof=1)) / len(inside) + float(np.var(below, ddof=1)) / len(outside)
    return float(above.mean()), math.sqrt(variance)


def _shares(scores: Values, others: Values) -> Values:
    """Return for each score the share of the others that are below it, ties counting half."""
    placed = np.sort(others)
    low, high = np.searchsorted(placed, scores, "left"), np.searchsorted(placed, scores, "right")
    return np.asarray((low + high) / (2.0 * len(others)), dtype=np.float64)


def auc_interval(area: float, error: float, pairs: int, significance: float) -> tuple[float, float]:
    """Return the ends of an interval for an area, about right for a hundred scores in each group or more.

    Symmetric on the scale of log(area / (1 - area)), so that it stays in [0, 1]. Where no error could be estimated, as
    for scores that tell all apart, it is Hoeffding's for independent pairs (scores in the smaller group), which always
    holds. ``significance`` is the chance that it misses, both sides together.

    >>> [round(end, 3) for end in auc_interval(0.6, 0.02, 500, 0.05)]
    [0.56, 0.638]
    """
    _validate.open_number("significance", significance, 0.0, 1.0)
    if error <= 0.0 or not 0.0 < area < 1.0:
        width = math.sqrt(math.log(2.0 / significance) / (2.0 * pairs))
        return max(0.0, area - width), min(1.0, area + width)
    middle = math.log(area / (1.0 - area))
    reach = NormalDist().inv_cdf(1.0 - significance / 2.0) * error / (area * (1.0 - area))
    low, high = (1.0 / (1.0 + math.exp(min(700.0, -end))) for end in (middle - reach, middle + reach))
    return low, high
