"""Which streams trials draw from, and the threads that run them."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import torch

from ldp_core import _validate
from ldp_core.randomness.blocks import is_card

DIRECTIONS, CRAFTING = 0, 1
AHEAD = 2
"""Chunks in work or waiting per thread: enough to keep threads busy, few enough to stop quickly."""


def sampling_threads(devices: Sequence[str] = ("cpu",), threads: int | None = None) -> int:
    """Return how many threads run trials: ``threads``, else one for each core that this process may use.

    For each card two at most: one prepares a chunk while the other's is in work.
    Raises ``ValueError`` if the number is out of range.
    """
    if threads is not None:
        _validate.integer("threads", threads, 1, 1024)
    else:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(threads, 2 * len(devices)) if is_card(devices[0]) else threads


def worker_threads(threads: int) -> ThreadPoolExecutor:
    """Return a pool whose threads each use one core, so that they do not take each other's."""
    return ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
