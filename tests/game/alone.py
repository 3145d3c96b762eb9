"""One cell in a pass of its own."""

from collections.abc import Iterator
from contextlib import closing

from ldp_core.game.cells import Cell, run_cells
from ldp_core.private import GradientPair
from ldp_core.randomness.coins import FIRST_COINS
from ldp_core.types import Mechanism, TrialCounts, WhiteBox


def run_trials(
    mechanism: Mechanism, distinguisher: WhiteBox, pair: GradientPair, num_trials: int, *, seed: int,
    measurement: int = 0, stream: int = FIRST_COINS, sampling: str = "full", threads: int = 1,
) -> Iterator[TrialCounts]:  # fmt: skip
    """Yield the counts of a white-box cell after each chunk."""
    cell, done = Cell(mechanism, distinguisher, pair, stream), 0
    steps = run_cells([cell], num_trials, seed=seed, measurement=measurement, sampling=sampling, threads=threads)
    with closing(steps):
        for tallies in steps:
            if tallies.done > done:
                done = tallies.done
                yield tallies.counts(0)
