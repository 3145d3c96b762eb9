"""What one training with many canaries shows: a lower bound on epsilon from guesses of which of them were in.

Each of m canaries is in with chance 1/2, by itself. The attacker guesses about r of them, chosen as it likes, and is
right about v.
"""

import math

import numpy as np

from ldp_core import _lazy, _validate
from ldp_core.statistics.halving import halved

bdtrc, bdtr = (_lazy.function("scipy.special", name) for name in ("bdtrc", "bdtr"))
_MOST_EPSILON = 30.0


def p_value(canaries: int, guesses: int, right: int, epsilon: float, delta: float) -> float:
    """Return an upper limit of how likely v right guesses of r are, among m canaries, if (epsilon, delta) holds.

    The number r of guesses was fixed beforehand; v <= r <= m, epsilon >= 0 in nats, delta in [0, 1).

    Source: Steinke, Nasr and Jagielski 2023, arXiv:2305.08846, Theorem 5.2 and Algorithm 2 (Appendix D).

    >>> round(p_value(1000, 100, 60, 0.0, 0.0), 4)
    0.0284
    """
    _validate.integer("canaries", canaries, 1)
    _validate.integer("guesses", guesses, 1, canaries)
    _validate.integer("right", right, 0, guesses)
    chance = 1.0 / (1.0 + math.exp(-epsilon))
    beta = float(bdtrc(right - 1, guesses, chance)) if right else 1.0
    fewer = np.arange(1, right + 1)  # right guesses that delta may have added
    below = np.append(bdtr(np.arange(right), guesses, chance), 0.0)  # P(X <= k) for k < right, and for k = -1
    masses = below[right - 1] - below[right - 1 - fewer]
    alpha = float((masses / fewer).max()) if right else 0.0
    return min(1.0, beta + 2.0 * canaries * delta * alpha)


def lower_bound(canaries: int, guesses: int, right: int, delta: float, significance: float) -> float:
    """Return the largest epsilon that the right guesses refute at a delta, rounded down; 0 if there is none.

    It holds for any program, and whatever the guesses are about.
    """

    def fits(epsilon: float) -> bool:
        return p_value(canaries, guesses, right, epsilon, delta) >= significance

    return 0.0 if fits(0.0) else halved(fits, 0.0, _MOST_EPSILON, 1e-6)[0]
