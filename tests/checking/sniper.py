"""A test in the style of DP-Sniper (Bichsel et al. 2021), to compare with: a classifier, one region, two limits."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from sklearn.linear_model import LogisticRegression

from ldp_core.private import GradientPair

_Array = NDArray[np.float64]
Draw = Callable[[_Array, int], _Array]
SHARE = 0.01
"""Of the other input's reports that the region may meet, as in the paper."""


def rejects(draw: Draw, pairs: dict[str, GradientPair], number: int, epsilon: float, significance: float) -> bool:
    """Return whether so many reports of every pair, half of them to learn from, show more than is claimed on one."""
    level = significance / (2 * len(pairs))  # two directions on each pair
    for pair in pairs.values():
        inputs = [vector.double().numpy() for vector in (pair.first, pair.second)]
        learning, judged = ([draw(vector, number // 4) for vector in inputs] for _ in range(2))
        model = LogisticRegression().fit(np.concatenate(learning), np.repeat([1, 0], number // 4))
        for sign, (inside, outside) in ((1.0, (0, 1)), (-1.0, (1, 0))):
            scores = [sign * model.decision_function(reports) for reports in learning]
            threshold = np.quantile(scores[outside], 1.0 - SHARE)
            hits, errors = (
                int((sign * model.decision_function(judged[side]) >= threshold).sum()) for side in (inside, outside)
            )
            if lower(hits, errors, number // 4, level) > epsilon:
                return True
    return False


def lower(hits: int, errors: int, trials: int, significance: float) -> float:
    """Return ln(p / q) with Clopper and Pearson's limits of both, each at half the significance."""
    if not hits or errors >= trials:
        return -math.inf
    low = betaincinv(hits, trials - hits + 1.0, significance / 2)
    high = betaincinv(errors + 1.0, trials - errors, 1.0 - significance / 2)
    return float(math.log(low / high))


def reports_needed(draw: Draw, pairs: dict[str, GradientPair], epsilon: float, significance: float) -> int:
    """Return the reports, of all pairs together, with which it rejects: the first size of a grid that does."""
    number = 400
    while not rejects(draw, pairs, number, epsilon, significance):
        number = number * 5 // 4
    return number * len(pairs)
