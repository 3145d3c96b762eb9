"""Fixed randomness, and exact acceptance regions: a right program falls outside once in a billion seeds."""

from scipy.stats import binom
from torch import Generator

from ldp_core.types import TrialCounts

LEVEL = 1e-9


def gen(seed: int = 0) -> Generator:
    return Generator().manual_seed(seed)


def accepts(successes: int, trials: int, probability: float) -> bool:
    """Return whether a count is inside the central region that a right program leaves with chance 1e-9."""
    lower = binom.cdf(successes, trials, probability)
    upper = binom.sf(successes - 1, trials, probability)
    return bool(min(lower, upper) > LEVEL / 2)


def at_most(successes: int, trials: int, probability: float) -> bool:
    """Return whether a count may come from a chance of at most this: more would, once in a billion seeds."""
    return bool(binom.sf(successes - 1, trials, probability) > LEVEL)


def balanced(errors: int, trials: int) -> TrialCounts:
    """Return counts of a balanced game with so many errors in all."""
    first, second = trials // 2, trials - trials // 2
    return TrialCounts(first - errors // 2, errors // 2, errors - errors // 2, second - (errors - errors // 2))
