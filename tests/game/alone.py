"""One cell in a pass of its own, pairs of gradients for it, and its oracle: formulas and conventions in float64."""

import math
from collections.abc import Iterator
from contextlib import closing

import torch
from torch import Generator

from ldp_core.game.cells import Cell, run_cells
from ldp_core.game.trials import DIRECTIONS
from ldp_core.private import GradientPair
from ldp_core.randomness.blocks import chunk_size
from ldp_core.randomness.coins import FIRST_COINS
from ldp_core.randomness.streams import stream_generator
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


_DRAWN_TOGETHER = 2**12


def literal_counts(
    pair: GradientPair, epsilon: float, rule: str, trials: int, *, seed: int, measurement: int, stream: int
) -> TrialCounts:
    """Recompute what LDP-SGD with L = 1 and the rule "cosine" or "selective" count; no gradient may be zero."""
    size, counts = chunk_size(pair.dimension), [0, 0, 0, 0]
    clipped = [g.double() * min(1.0, 1.0 / g.double().norm().item()) for g in (pair.first, pair.second)]
    units = torch.stack([g / g.norm() for g in clipped])
    keeps = torch.tensor([0.5 + g.norm() / 2 for g in clipped])
    for chunk in range(math.ceil(trials / size)):
        number = min(size, trials - chunk * size)
        group, place = divmod(chunk, max(1, _DRAWN_TOGETHER // size))
        if not place:
            coins = stream_generator(seed, measurement, group, stream)
        truths, *draws = torch.rand(3, size, generator=coins, dtype=torch.float64)[:, :number]
        truth = (torch.arange(number) >= (truths < 0.5).sum()).long()
        reports = torch.empty(number, pair.dimension)
        reports.normal_(generator=stream_generator(seed, measurement, chunk, DIRECTIONS))
        reports = reports.double()
        reports /= reports.norm(dim=1, keepdim=True)
        rounded = torch.where(draws[0] < keeps[truth], 1.0, -1.0)[:, None] * units[truth]
        reports *= torch.where((reports * rounded).sum(dim=1) >= 0, 1.0, -1.0)[:, None]
        reports *= torch.where(draws[1] < math.exp(epsilon) / (1 + math.exp(epsilon)), 1.0, -1.0)[:, None]
        first, second = (reports @ units.T).T
        guess = (first < 0) & (second >= 0) if rule == "selective" else reports @ (units[0] - units[1]) < 0
        for place, times in enumerate((2 * truth + guess.long()).bincount(minlength=4).tolist()):
            counts[place] += times
    return TrialCounts(*counts)
