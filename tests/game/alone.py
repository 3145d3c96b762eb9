"""One cell in a pass of its own, and pairs of gradients for it."""

import math
from collections.abc import Iterator
from contextlib import closing

import torch
from torch import Generator

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


def pair_at(degrees: float, norm_first: float, norm_second: float, dimension: int = 8) -> GradientPair:
    """Return two float32 gradients at an angle, turned so that no coordinate is special; negatives at 180 degrees."""
    plane = torch.linalg.qr(torch.randn(dimension, 2, generator=Generator().manual_seed(0), dtype=torch.float64))[0]
    angle = math.radians(degrees)
    second = math.cos(angle) * plane[:, 0] + (0.0 if degrees == 180.0 else math.sin(angle)) * plane[:, 1]
    return GradientPair((norm_first * plane[:, 0]).float(), (norm_second * second).float())
