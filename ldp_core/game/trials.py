"""How trials are cut into chunks, which streams they draw from, and the threads that run them."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import torch

DIRECTIONS, CRAFTING = 0, 1
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
