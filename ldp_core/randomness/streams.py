"""Random generators: one for each stream of a run, and fresh ones from the operating system.

torch seeds its CPU generator (the Mersenne Twister, with 19,937 bits of state) from 32 bits only: a run of half a
million chunks would repeat about thirty of its streams, and a report drawn without a seed would have at most 2^32
origins. So the whole state is filled here. The Mersenne Twister is fit for measuring, not for secrecy: a device that
really sends its reports needs a cryptographic generator.
"""

from __future__ import annotations

import os
import secrets
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import PCG64, SeedSequence
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch
    from torch import Generator

_WORDS = 624
_STATE = slice(3, 3 + _WORDS)
"""Where the words lie in torch's serialised state, each in 64 bits: after the seed, two flags and the position."""


def fresh_seed() -> int:
    """Return a seed from the operating system that JSON and a browser keep exactly: 0 to 2**53 - 1."""
    return secrets.randbits(53)


def stream_generator(seed: int, measurement: int, chunk: int, stream: int, device: str = "cpu") -> Generator:
    """Return the generator of one stream of one chunk of trials (of coins: of one group of chunks).

    ``SeedSequence([seed, measurement, chunk, stream])`` seeds a PCG64, whose output fills the CPU generator's
    state; a CUDA generator takes the sequence's first 63 bits as its seed.
    """
    import torch

    words = [word for number in (seed, measurement, chunk, stream) for word in _words_of(number)]
    sequence = SeedSequence(np.array(words, dtype=np.uint32))  # the same as of the list of numbers, three times as fast
    if device != "cpu" and torch.device(device).type != "cpu":
        return torch.Generator(device).manual_seed(int(sequence.generate_state(1, np.uint64)[0]) >> 1)
    return _filled(np.asarray(PCG64(sequence).random_raw(_WORDS // 2)).view(np.uint32))


def stream_numbers(seed: int, measurement: int, chunk: int, stream: int) -> np.random.Generator:
    """Return numpy's generator of the same stream, for what torch cannot draw, such as multinomial counts."""
    words = [word for number in (seed, measurement, chunk, stream) for word in _words_of(number)]
    return np.random.Generator(PCG64(SeedSequence(np.array(words, dtype=np.uint32))))


def fresh_generator(device: str | torch.device = "cpu") -> Generator:
    """Return a generator seeded from the operating system's entropy."""
    import torch

    if torch.device(device).type != "cpu":
        return torch.Generator(device).manual_seed(int.from_bytes(os.urandom(8), "little") >> 1)
    return _filled(np.frombuffer(os.urandom(4 * _WORDS), np.uint32))


def _words_of(number: int) -> list[int]:
    """Return a number's 32-bit words, the lowest first, as ``SeedSequence`` cuts it."""
    words = [number & 0xFFFFFFFF]
    while number := number >> 32:
        words.append(number & 0xFFFFFFFF)
    return words


def _filled(words: NDArray[np.uint32]) -> Generator:
    """Return a CPU generator whose Mersenne Twister holds the given 624 words."""
    import torch

    state = _template().copy()
    state[_STATE] = words
    return torch.Generator().set_state(torch.from_numpy(state.view(np.uint8)))


@cache
def _template() -> NDArray[np.uint64]:
    import torch

    return torch.Generator().manual_seed(0).get_state().numpy().view(np.uint64)
