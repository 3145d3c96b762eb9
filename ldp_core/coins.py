"""The coins of a test: whose gradient is sent, and what the randomizer throws for it.

A generator costs more than the few hundred draws that one chunk of trials needs of it, and a comparison has a
stream for every attack and epsilon. So each stream is drawn for thousands of trials at a time.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from ldp_core.streams import stream_generator

FIRST_COINS = 2
"""The first number of a stream of coins; 0 draws directions, 1 crafts."""
_DRAWN_TOGETHER = 2**14


def coin_stream(attack: str, epsilon: float) -> int:
    """Return the number of the random stream from which an attack at an epsilon draws its coins."""
    return FIRST_COINS + zlib.crc32(f"{attack} {float(epsilon)!r}".encode())


class Coins:
    """The uniform draws behind the coins of a run, chunk by chunk; several threads may ask.

    Args:
        seed: of all streams, >= 0.
        measurement: its number, >= 0.
        streams: their numbers, without repetition.
        size: trials of a chunk.
        num_trials: trials of the run; a longer run begins with the same draws.
    """

    def __init__(self, seed: int, measurement: int, streams: Sequence[int], size: int, num_trials: int) -> None:
        self._seed, self._measurement, self._streams = seed, measurement, tuple(streams)
        self._size, self._num_trials = size, num_trials
        self._together = max(1, _DRAWN_TOGETHER // size)
        self._kept: dict[int, NDArray[np.float64]] = {}
        self._lock = threading.Lock()

    def draws(self, chunk: int) -> NDArray[np.float64]:
        """Return a chunk's draws, uniform on [0, 1), shape (3, streams, trials).

        The first row decides each trial's truth: the first gradient below 1/2. The other two are the randomizer's,
        for the first gradient's trials and then the second one's.
        """
        group, place = divmod(chunk, self._together)
        with self._lock:
            if group not in self._kept:
                self._kept = {known: draws for known, draws in self._kept.items() if known == group - 1}
                self._kept[group] = self._drawn(group)
            drawn = self._kept[group]
        return drawn[place, :, :, : self._num_trials - chunk * self._size]

    def _drawn(self, group: int) -> NDArray[np.float64]:
        """Return the draws of a group of chunks, shape (chunks, 3, streams, size)."""
        chunks = min(self._together, -(-self._num_trials // self._size) - group * self._together)
        drawn = np.empty((chunks, 3, len(self._streams), self._size))
        for row, stream in enumerate(self._streams):
            generator = stream_generator(self._seed, self._measurement, group, stream)
            drawn[:, :, row] = torch.rand(chunks, 3, self._size, generator=generator, dtype=torch.float64).numpy()
        return drawn
