"""For the tests of mechanisms by others, beside ``ldp_core.adapters``: an oracle, and a library without vectors."""

import math

from scipy.optimize import brentq
from scipy.stats import norm


def exact_epsilon(apart: float, delta: float) -> float:
    """Return the epsilon of inputs so many standard deviations apart: Balle and Wang 2018, Theorem 8, solved for it."""

    def excess(epsilon: float) -> float:
        upper, lower = apart / 2 - epsilon / apart, -apart / 2 - epsilon / apart
        return float(norm.cdf(upper) - math.exp(epsilon + norm.logcdf(lower))) - delta

    return float(brentq(excess, 0.0, 100.0, xtol=1e-12))
