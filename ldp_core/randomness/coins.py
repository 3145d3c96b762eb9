"""The coins of a test: whose gradient is sent, and what the randomizer throws for it.

A generator costs more than the few hundred draws that one chunk of trials needs of it, and a comparison has a
stream for every attack and epsilon. So each stream is drawn for thousands of trials at a time.
"""

import threading
import zlib
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import torch
from torch import Tensor

from ldp_core.randomness.streams import stream_generator

FIRST_COINS = 2
"""The first number of a stream of coins; 0 draws directions, 1 crafts."""
_DRAWN_TOGETHER = 2**12
T = TypeVar("T")


def coin_stream(attack: str, epsilon: float) -> int:
    """Return the number of the random stream from which an attack at an epsilon draws its coins."""
    return FIRST_COINS + zlib.crc32(f"{attack} {float(epsilon)!r}".encode())


class _Group(Generic[T]):
    """What was thrown for the chunks of a group; None until then."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.thrown: Sequence[T] | None = None


class Coins(Generic[T]):
    """What a run throws, chunk by chunk; several threads may ask.

    ``streams`` are numbers without repetition, ``size`` the trials of a chunk, ``device`` where they are drawn. A
    longer run begins with the same draws.
    """

    def __init__(
        self, seed: int, measurement: int, streams: Sequence[int], size: int, num_trials: int, device: str = "cpu"
    ) -> None:
        self._seed, self._measurement, self._streams = seed, measurement, tuple(streams)
        self._size, self._num_trials, self._device = size, num_trials, device
        self._together = max(1, _DRAWN_TOGETHER // size)
        self._kept: dict[int, _Group[T]] = {}
        self._lock = threading.Lock()

    def of(self, chunk: int, throw: Callable[[Tensor], Sequence[T]]) -> T:
        """Return what was thrown for a chunk.

        ``throw``, the same function at every call, makes an item for each chunk of uniform draws on [0, 1), float64,
        shape (3, streams, chunks, trials). The first row is for the truths (the first gradient below 1/2; trials beyond
        the run's last are 1). The other two are the randomizer's, for the first gradient's trials of a chunk and then
        the second one's.
        """
        group, place = divmod(chunk, self._together)
        with self._lock:
            if group not in self._kept:
                self._kept = {known: thrown for known, thrown in self._kept.items() if known == group - 1}
                self._kept[group] = _Group()
            entry = self._kept[group]
        with entry.lock:  # other groups can be thrown at the same time
            if entry.thrown is None:
                entry.thrown = throw(self._draws(group))
            return entry.thrown[place]

    def _draws(self, group: int) -> Tensor:
        trials = self._num_trials - group * self._together * self._size
        chunks = min(self._together, -(-trials // self._size))
        shape = (3, len(self._streams), chunks, self._size)
        drawn = torch.empty(shape, dtype=torch.float64, device=self._device)
        for row, stream in enumerate(self._streams):
            generator = stream_generator(self._seed, self._measurement, group, stream, self._device)
            draws = torch.rand(chunks, 3, self._size, generator=generator, dtype=torch.float64, device=self._device)
            drawn[:, row] = draws.transpose(0, 1)
        drawn[0].flatten(1)[:, trials:] = 1.0
        return drawn
