"""Random streams: their state, their independence, and where they come from."""

import numpy as np
import pytest
import torch
from numpy.random import MT19937, PCG64, SeedSequence

from ldp_core.randomness.streams import fresh_generator, stream_generator


def words(generator: torch.Generator, number: int = 4) -> list[int]:
    return torch.empty(number, dtype=torch.int64).random_(0, 2**20, generator=generator).tolist()


def test_a_stream_is_numpys_mersenne_twister_with_the_documented_state() -> None:
    key = np.asarray(PCG64(SeedSequence([7, 1, 2, 3])).random_raw(312)).view(np.uint32)
    oracle = MT19937()
    state = oracle.state
    state["state"] = {"key": key, "pos": 624}
    oracle.state = state
    found = words(stream_generator(7, 1, 2, 3), 2_000)
    assert found == [int(word) % 2**20 for word in oracle.random_raw(2_000)]


@pytest.mark.parametrize("other", [(5 + 2**32, 1, 2, 3), (5 + 2**40, 1, 2, 3), (6, 1, 2, 3), (5, 2, 2, 3), (5, 1, 3, 3),
                                   (5, 1, 2, 4)])  # fmt: skip
def test_streams_differ_in_every_part_of_their_name(other: tuple[int, int, int, int]) -> None:
    assert words(stream_generator(5, 1, 2, 3)) == words(stream_generator(5, 1, 2, 3))
    assert words(stream_generator(5, 1, 2, 3)) != words(stream_generator(*other))


def test_a_fresh_generator_has_a_full_state_of_its_own() -> None:
    first, second = (fresh_generator().get_state() for _ in range(2))
    state = slice(24, 24 + 8 * 624)
    different = (first[state].view(torch.int64) != second[state].view(torch.int64)).sum()
    assert different > 600
