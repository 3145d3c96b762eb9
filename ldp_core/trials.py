"""Step 4: repeat "randomize one of the two, guess which" and count.

Source: Matsumoto et al. 2022, arXiv:2206.09122, Algorithm 4 (Algorithm 3 of the Japanese paper).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor

from ldp_core import _validate
from ldp_core.coins import FIRST_COINS, Coins
from ldp_core.errors import MechanismContractError, UnsupportedCombinationError
from ldp_core.private import GradientPair
from ldp_core.streams import stream_generator
from ldp_core.types import (
    SAMPLINGS,
    Mechanism,
    SupportsInnerProducts,
    SupportsPairReports,
    TrialCounts,
    WhiteBox,
)

DIRECTIONS, CRAFTING = 0, 1
_PROJECTED_CHUNK = 2**16
AHEAD = 2
"""Chunks in work or waiting per thread: enough to keep threads busy, few enough to stop quickly."""


def chunk_size(dimension: int) -> int:
    """Return how many trials one worker takes at a time; a function of the dimension alone.

    >>> chunk_size(10_650)
    393
    """
    return max(1, min(512, 2**22 // dimension))


def sampling_threads() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def worker_threads(threads: int) -> ThreadPoolExecutor:
    """Return a pool whose threads each use one core, so that they do not take each other's."""
    return ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))


def run_trials(
    mechanism: Mechanism,
    distinguisher: WhiteBox,
    pair: GradientPair,
    num_trials: int,
    *,
    seed: int,
    measurement: int = 0,
    stream: int = FIRST_COINS,
    sampling: str = "full",
    threads: int = 1,
) -> Iterator[TrialCounts]:
    """Run trials and yield the counts so far after each chunk, in the chunks' order.

    Each trial sends one gradient of the pair, drawn with probability 1/2. The counts depend on the
    arguments alone, not on the number of threads. Whoever stops iterating stops the run; the counts
    yielded so far are those of a shorter run.

    Args:
        mechanism: randomizes; one without ``pair_reports`` is called through ``randomize``, on one thread, and
            draws all it needs from the stream of the directions.
        distinguisher: scores; >= 0 means "first".
        pair: the gradients; reports are computed on their device.
        num_trials: number K of trials, >= 1.
        seed: of all streams, >= 0.
        measurement: number of the measurement, >= 0.
        stream: number of the stream for truths and coins, >= 2; see ``coins.coin_stream``.
        sampling: ``full`` builds reports of dimension d; ``projected`` draws only the inner products that
            a linear distinguisher sees, from their exact law, on the CPU.
        threads: number of worker threads, >= 1.

    Raises:
        ValueError: if a number is out of range.
        UnsupportedCombinationError: if the parts do not support projected sampling.
        MechanismContractError: if the mechanism returns something that is not a batch of reports.
    """
    _validate.integer("num_trials", num_trials, 1)
    _validate.integer("threads", threads, 1)
    for name, value in (("seed", seed), ("measurement", measurement), ("stream", stream)):
        _validate.integer(name, value, 0)
    _validate.choice("sampling", sampling, SAMPLINGS)
    size, count = _chunk_counter(mechanism, distinguisher, pair, sampling)
    if not hasattr(mechanism, "pair_reports"):
        threads = 1

    def throw(draws: NDArray[np.float64]) -> list[tuple[int, NDArray[np.float64]]]:
        cut = [draws[:, 0, start : start + size] for start in range(0, draws.shape[2], size)]
        return [(int(np.count_nonzero(part[0] < 0.5)), part[1:]) for part in cut]

    coins = Coins[tuple[int, NDArray[np.float64]]](seed, measurement, [stream], size, num_trials)
    device = "cpu" if sampling == "projected" else str(pair.first.device)

    def run_chunk(chunk: int) -> TrialCounts:
        num_first, draws = coins.of(chunk, throw)
        return count(num_first, stream_generator(seed, measurement, chunk, DIRECTIONS, device), draws)

    num_chunks = -(-num_trials // size)
    total = TrialCounts()
    with worker_threads(threads) as pool:
        waiting: deque[Future[TrialCounts]] = deque()
        try:
            for chunk in range(num_chunks + AHEAD * threads):
                if chunk < num_chunks:
                    waiting.append(pool.submit(run_chunk, chunk))
                if chunk >= AHEAD * threads and waiting:
                    total += waiting.popleft().result()
                    yield total
            while waiting:
                total += waiting.popleft().result()
                yield total
        finally:
            for future in waiting:
                future.cancel()


_ChunkCounter = Callable[[int, Generator, NDArray[np.float64]], TrialCounts]


def _chunk_counter(
    mechanism: Mechanism, distinguisher: WhiteBox, pair: GradientPair, sampling: str
) -> tuple[int, _ChunkCounter]:
    """Return the size of a chunk and the function that runs one."""
    if sampling == "projected":
        if not hasattr(mechanism, "pair_inner_products") or not hasattr(distinguisher, "score_inner_products"):
            raise UnsupportedCombinationError(
                "projected sampling needs our own mechanism and a linear distinguisher, "
                f"got {mechanism.name} and {distinguisher.name}"
            )
        sampler = cast(SupportsPairReports, mechanism)
        linear = cast(SupportsInnerProducts, distinguisher)

        def projected(num_first: int, directions: Generator, draws: NDArray[np.float64]) -> TrialCounts:
            inner = sampler.pair_inner_products(pair, num_first, directions, draws)
            return _count(linear.score_inner_products(*inner), num_first)

        return _PROJECTED_CHUNK, projected

    if hasattr(mechanism, "pair_reports"):
        pairwise = cast(SupportsPairReports, mechanism)

        def full(num_first: int, directions: Generator, draws: NDArray[np.float64]) -> TrialCounts:
            blocks = pairwise.pair_reports(pair, num_first, directions, draws)
            return _count(torch.cat([distinguisher.score(reports, pair) for reports in blocks]), num_first)

        return chunk_size(pair.dimension), full

    def one_by_one(num_first: int, directions: Generator, draws: NDArray[np.float64]) -> TrialCounts:
        total, num_second = TrialCounts(), draws.shape[1] - num_first
        for gradient, number, leading in ((pair.first, num_first, num_first), (pair.second, num_second, 0)):
            reports = mechanism.randomize(gradient, number, directions)
            if not isinstance(reports, Tensor) or reports.shape != (number, pair.dimension):
                shape = tuple(reports.shape) if isinstance(reports, Tensor) else type(reports).__name__
                raise MechanismContractError(
                    f"{mechanism.name} must return reports of shape {(number, pair.dimension)}, got {shape}"
                )
            if not reports.isfinite().all():
                raise MechanismContractError(f"{mechanism.name} must return finite reports, got NaN or infinity")
            total += _count(distinguisher.score(reports, pair), leading)
        return total

    return chunk_size(pair.dimension), one_by_one


def _count(scores: Tensor, num_first: int) -> TrialCounts:
    """Count the guesses; the first gradient's scores come first."""
    guessed_first = scores >= 0
    first_as_first = int(guessed_first[:num_first].sum())
    second_as_first = int(guessed_first[num_first:].sum())
    num_second = scores.shape[0] - num_first
    return TrialCounts(first_as_first, num_first - first_as_first, second_as_first, num_second - second_as_first)
