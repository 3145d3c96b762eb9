"""How many reports it takes to catch each liar. Prints a Markdown table, a row as soon as it is known; asserts nothing.

    python -m tests.benchmarks.checks [SEEDS] [LIAR ...] [--dimension D]

Beside it what two other tests need at the same confidence, with a chance of 95 % to succeed, from the exact laws:

- plain Clopper-Pearson: a number of reports fixed beforehand, the rule that names the closer gradient, on the one pair
  where the liar leaks most, each error rate at half the significance;
- DP-Sniper style (Bichsel et al. 2021): the region that a share 0.01 of the second gradient's reports meet and as many
  of the first one's as possible, on that one pair; taken as learned without a mistake, from half of all reports.

Both are told the pair, and ours must find it.
"""

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from scipy.stats import binom, norm

from ldp_core.mechanisms.faulty import FAULTY
from ldp_core.mechanisms.faulty._noise import GaussianForOneNorm, LaplaceForL2
from tests.helpers.checking import config_of, run_check, shown_by

EPSILON, SIGNIFICANCE, POWER, SHARE = 1.0, 1e-6, 0.95, 0.01
COINS = {
    "faulty-five-percent": 1.05,
    "faulty-ten-percent": 1.1,
    "faulty-twenty-percent": 1.2,
    "faulty-twice-epsilon": 2.0,
    "faulty-honest-for-the-dummy": 2.0,
}
"""What the coins of liars leak, in nats."""
_MOST = 2**34
_Array = NDArray[np.float64]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How many reports it takes to catch each liar.")
    parser.add_argument("seeds", nargs="?", type=int, default=20)
    parser.add_argument("liars", nargs="*", metavar="LIAR", help="names, without which all are checked")
    parser.add_argument("--dimension", type=int, default=8)
    asked = parser.parse_args()
    print(
        f"| faulty mechanism | caught by | most it may use | reports until caught: median of {asked.seeds} | largest "
        "| plain Clopper–Pearson | DP-Sniper style |\n|---|---|---|---|---|---|---|",
        flush=True,
    )
    for name in asked.liars or FAULTY:
        start = time.perf_counter()
        print(f"| {' | '.join(row(name, asked.seeds, asked.dimension))} |", flush=True)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


def row(name: str, seeds: int, dimension: int) -> list[str]:
    ways = frozenset(FAULTY[name].caught_by)
    used, by = [], set[str]()
    for seed in range(1, 1 + seeds):
        result = run_check(config_of(name, seed, dimension=dimension, significance=SIGNIFICANCE), ways)
        found = ways & shown_by(result)
        used.append(float(result.reports_used) if found else math.inf)
        by |= found
    most = config_of(name, 1).reports
    largest = max(used)
    missed = sum(map(math.isinf, used))
    return [
        name.removeprefix("faulty-"),
        ", ".join(sorted(by)) or "nothing",
        f"{most:,}",
        number(statistics.median(used)),
        number(largest) if not missed else f"missed {missed} times",
        *others(name, dimension),
    ]


def others(name: str, dimension: int) -> tuple[str, str]:
    """Return what plain Clopper-Pearson and the DP-Sniper style need; a dash where they do not ask."""
    rates = rates_of(name, dimension)
    if rates is None:
        return "–", "–"
    error, caught, delta = rates
    plain = fewest(lambda side: power_both_ways(side, error, delta))
    sniper = fewest(lambda side: power_one_way(side, caught, SHARE, delta))
    return number(2 * plain), number(4 * sniper)


def rates_of(name: str, dimension: int) -> tuple[float, float, float] | None:
    """Return the closer-gradient rule's error, the share of the first gradient's reports in the region, and delta.

    On the pair of opposite gradients where the liar leaks most; None for a liar that keeps its epsilon there.
    """
    if name in COINS:
        return 1.0 / (1.0 + math.exp(COINS[name])), SHARE * math.exp(COINS[name]), 0.0
    if name == GaussianForOneNorm.name:
        liar = GaussianForOneNorm(EPSILON)
        half = 1.0 / liar.noise_deviation
        return float(norm.sf(half)), float(norm.sf(norm.isf(SHARE) - 2.0 * half)), liar.delta
    if name == LaplaceForL2.name:
        return _laplace_rates(LaplaceForL2(EPSILON).noise_scale(dimension), dimension)
    return None


def _laplace_rates(scale: float, dimension: int, draws: int = 4_000_000) -> tuple[float, float, float]:
    """Return the rates for Laplace noise on the dummy and its flip, from simulated reports."""
    rng, entry, block = np.random.default_rng(1), dimension**-0.5, 4_000_000 // dimension
    errors, first, second = 0, [], []
    for _ in range(draws // block):
        reports = rng.laplace(entry, scale, (block, dimension))
        errors += int((reports.sum(axis=1) < 0.0).sum())
        ratios = (np.abs(reports + entry) - np.abs(reports - entry)).sum(axis=1)
        first.append(ratios)
        reports -= 2.0 * entry
        second.append((np.abs(reports + entry) - np.abs(reports - entry)).sum(axis=1))
    threshold = np.quantile(np.concatenate(second), 1.0 - SHARE)
    return errors / draws, float((np.concatenate(first) > threshold).mean()), 0.0


def power_both_ways(side: int, error: float, delta: float) -> float:
    """Return the chance that so many reports of each gradient reject the claim, both error rates being ``error``."""
    errors = _likely(side, error)
    limits, odds = upper_limits(errors, side), math.exp(EPSILON)
    enough = np.maximum(
        np.searchsorted(limits, (1.0 - delta - limits) / odds), np.searchsorted(limits, 1.0 - delta - odds * limits)
    )
    chances = binom.pmf(errors, side, error)
    return float(chances @ np.concatenate(([0.0], np.cumsum(chances)))[enough])


def power_one_way(side: int, caught: float, wrong: float, delta: float) -> float:
    """Return the chance that so many reports of each gradient reject the claim by their shares in one region."""
    hits, errors = _likely(side, caught), _likely(side, wrong)
    least = 1.0 - upper_limits(side - hits, side)
    enough = np.searchsorted(upper_limits(errors, side), (least - delta) / math.exp(EPSILON))
    chances = np.concatenate(([0.0], np.cumsum(binom.pmf(errors, side, wrong))))
    return float(binom.pmf(hits, side, caught) @ chances[enough])


def upper_limits(errors: _Array, side: int) -> _Array:
    """Return Clopper and Pearson's upper limits at half the significance."""
    limits = betaincinv(errors + 1.0, np.maximum(side - errors, 1e-9), 1.0 - SIGNIFICANCE / 2.0)
    return np.where(errors >= side, 1.0, limits)


def fewest(power: Callable[[int], float]) -> float:
    """Return the fewest reports of each gradient with enough power, to one part in a thousand; infinite beyond 2^34."""
    high = 16
    while power(high) < POWER:
        high *= 2
        if high > _MOST:
            return math.inf
    low = high // 2
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return high


def number(value: float) -> str:
    """Write a number of reports with three digits."""
    if math.isinf(value):
        return "never"
    digits = max(0, int(math.log10(value)) - 2)
    return f"{round(value / 10**digits) * 10**digits:,}"


def _likely(side: int, rate: float) -> _Array:
    """Return the counts that occur, but for a chance of some 1e-18."""
    spread = 9.0 * math.sqrt(side * rate * (1.0 - rate)) + 20.0
    return np.arange(max(0, int(side * rate - spread)), min(side, int(side * rate + spread)) + 1, dtype=np.float64)


if __name__ == "__main__":
    main()
