"""From scores of honest material to a threshold."""

import math
from collections.abc import Sequence

from ldp_core import _validate


def calibrated(scores: Sequence[float], false_alarm: float) -> float:
    """Return the threshold above which a score is refused.

    It is the ceil((m + 1)(1 - rate))-th smallest of m honest scores: a further honest score, exchangeable with them,
    lies above it with probability at most the rate. With too few scores nothing is refused: infinity.

    Args:
        scores: of honest material that nothing was learned from, m >= 1.
        false_alarm: rate, from 1e-4 to 0.5.

    Raises:
        ValueError: if the rate is out of range or there are no scores.

    Source: split conformal prediction (Vovk et al. 2005; Lei et al. 2018).

    >>> calibrated([float(value) for value in range(1, 100)], 0.05)
    95.0
    """
    _validate.number("false_alarm", false_alarm, 1e-4, 0.5)
    _validate.integer("number of scores", len(scores), 1)
    place = math.ceil((len(scores) + 1) * (1.0 - false_alarm) - 1e-9)
    return sorted(scores)[place - 1] if place <= len(scores) else math.inf
