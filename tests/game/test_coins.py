"""The coins of a test: the same draws in whatever order, thread or length of run; and the streams they come from."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
import torch
from numpy.random import MT19937, PCG64, SeedSequence
from torch import Tensor

from ldp_core.randomness.coins import Coins, coin_stream
from ldp_core.randomness.streams import fresh_generator, stream_generator
from tests.helpers.binomial import accepts

SIZE, GROUP = 393, 2**12 // 393
"""Trials of a chunk, and how many chunks are drawn together."""


def shown(coins: Coins[Tensor], chunk: int) -> np.ndarray:
    """Return a chunk's draws themselves, shape (3, streams, trials)."""
    return coins.of(chunk, lambda draws: draws.unbind(dim=2)).numpy()


def test_coins_have_a_stream_for_each_attack_and_epsilon() -> None:
    assert len({coin_stream(*name) for name in [("benign", 1.0), ("benign", 2.0), ("dummy", 1.0)]}) == 3
    assert coin_stream("benign", 1) == coin_stream("benign", 1.0) >= 2


def test_neither_the_order_nor_the_thread_matters() -> None:
    chunks = [3 * GROUP, 0, 2 * GROUP + 4, GROUP - 1, GROUP, 1, 3 * GROUP + 1, 2 * GROUP, 0]
    alone = [shown(Coins(1, 0, [2], SIZE, 10**6), chunk) for chunk in chunks]
    shared: Coins[Tensor] = Coins(1, 0, [2], SIZE, 10**6)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(partial(shown, shared), chunks))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))
    assert len({draws[0, 0, 0] for draws in alone}) == len(set(chunks))


@pytest.mark.law
def test_truths_are_fair_and_draws_are_uniform(law_seed: int) -> None:
    coins: Coins[Tensor] = Coins(law_seed, 0, [2, 3], SIZE, 40_000)
    draws = np.concatenate([shown(coins, chunk) for chunk in range(-(-40_000 // SIZE))], axis=2)
    draws = draws[:, :, :40_000]
    for row in draws.reshape(6, -1):
        for level in (0.1, 0.5, 0.73):
            assert accepts(int((row < level).sum()), row.size, level)
    for one in range(6):
        for other in range(one):
            first, second = draws.reshape(6, -1)[[one, other]] < 0.5
            assert accepts(int((first == second).sum()), first.size, 0.5)


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
