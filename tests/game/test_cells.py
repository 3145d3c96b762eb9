"""Many cells in one pass, and one alone: what each counts, from which streams and coins, and how they stop."""

import gc
import itertools
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event

import numpy as np
import pytest
import torch
from numpy.random import MT19937, PCG64, SeedSequence
from torch import Generator, Tensor

from ldp_core.distinguishers import DISTINGUISHERS, CosineSimilarity
from ldp_core.errors import MechanismContractError, UnsupportedCombinationError
from ldp_core.game.cells import Cell, run_cells
from ldp_core.game.cells._white import InnerProducts
from ldp_core.game.counts import NUM_THRESHOLDS, Tallies, guesses
from ldp_core.mechanisms import LdpSgd
from ldp_core.private import GradientPair
from ldp_core.randomness import blocks as randomness_blocks
from ldp_core.randomness.blocks import chunk_size
from ldp_core.randomness.coins import Coins, coin_stream
from ldp_core.randomness.streams import fresh_generator, stream_generator
from ldp_core.statistics.theory import cosine_identification, worst_case_identification
from ldp_core.types import Curve, TrialCounts
from tests.benchmarks.naive_loop import one_report_at_a_time
from tests.game.alone import literal_counts, pair_at, run_trials
from tests.helpers.binomial import accepts
from tests.helpers.liars import Plain
from tests.helpers.patience import PATIENCE

EPSILONS = (0.5, 4.0)
RULES = ("cosine", "selective")


def pairs(dimension: int) -> dict[str, GradientPair]:
    return {
        "flip": pair_at(180.0, 2.0, 2.0, dimension),
        "right": pair_at(90.0, 0.4, 1.5, dimension),
        "close": pair_at(0.02, 1.0, 1.0, dimension),
    }


@pytest.fixture(params=["processor", "card"])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the trials as on a processor, or in the large blocks of a card, where nothing is asked before the end."""
    if request.param == "card":
        monkeypatch.setattr(randomness_blocks, "is_card", lambda device: True)
        monkeypatch.setattr("ldp_core.game.trials.is_card", lambda device: True)
        monkeypatch.setattr("ldp_core.game.cells._white.is_card", lambda device: True)
        monkeypatch.setattr(randomness_blocks, "_CARD_ROWS", 2_000)
        monkeypatch.setattr(randomness_blocks, "_CARD_VALUES", 2_400_000)  # whole sixteens: torch draws by them


@pytest.mark.few(2)
@pytest.mark.parametrize("dimension", [2, 5, 3_000])
@pytest.mark.usefixtures("blocks")
def test_every_cell_counts_what_the_formulas_say(dimension: int) -> None:
    """Also two nearly equal gradients, where float32 cannot tell the sign of a score, and chunks on several devices."""
    cells, expected = [], []
    for (attack, pair), epsilon, rule in itertools.product(pairs(dimension).items(), EPSILONS, RULES):
        stream = coin_stream(attack, epsilon)
        cells.append(Cell(LdpSgd(epsilon), DISTINGUISHERS[rule], pair, stream))
        expected.append(literal_counts(pair, epsilon, rule, 4_500, seed=4, measurement=2, stream=stream))
    for threads, more in ((1, ()), (2, ("cpu", "cpu"))):
        *_, tallies = run_cells(cells, 4_500, seed=4, measurement=2, threads=threads, more_devices=more)
        assert [tallies.counts(number) for number in range(len(cells))] == expected
        assert tallies.done == 4_500


@pytest.mark.parametrize("sampling", ["full", "projected"])
def test_every_cell_counts_what_it_counts_alone(sampling: str) -> None:
    made = pairs(40) | {"zero": GradientPair(torch.zeros(40), torch.ones(40))}
    cells = [
        Cell(LdpSgd(epsilon), DISTINGUISHERS[rule], pair, coin_stream(attack, epsilon))
        for (attack, pair), epsilon, rule in itertools.product(made.items(), EPSILONS, RULES)
    ]
    *_, together = run_cells(cells, 1_100, seed=4, sampling=sampling)
    for number, cell in enumerate(cells):
        *_, alone = run_cells([cell], 1_100, seed=4, sampling=sampling)
        assert together.counts(number) == alone.counts(0)


def test_the_nearly_equal_pair_is_not_a_matter_of_luck() -> None:
    """Float32 alone errs on some of its scores, so that the equality above says something."""
    pair = pairs(3_000)["close"]
    reports = LdpSgd(1.0).randomize(pair.first, 4_000, Generator().manual_seed(1))
    rough = (reports @ pair.first_direction - reports @ pair.second_direction) >= 0
    exact = (reports.double() @ pair.direction_difference.double()) >= 0
    assert (rough != exact).any()
    score = DISTINGUISHERS["cosine"].score(reports, pair)  # type: ignore[union-attr]
    assert torch.equal(score >= 0, exact)


def test_curves_change_no_count_and_stop_at_nothing() -> None:
    cells = [Cell(LdpSgd(2.0), DISTINGUISHERS["cosine"], pair_at(90.0, 1.0, 1.0, 40), 9)]
    *_, plain = run_cells(cells, 900, seed=1)
    *_, curved = run_cells(cells, 900, seed=1, curves=True, more_devices=["cpu"])
    assert curved.counts(0) == plain.counts(0)
    assert plain.curve(0) is None
    curve = curved.curve(0)
    assert curve.num_first + curve.num_second == 900 - 512  # the first chunk has set the thresholds
    assert list(curve.false_positives) == sorted(curve.false_positives)
    assert list(curve.false_negatives) == sorted(curve.false_negatives, reverse=True)


def test_whoever_stops_iterating_stops_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ldp_core.game.cells._WAIT_SECONDS", PATIENCE)
    cells = [Cell(LdpSgd(2.0), DISTINGUISHERS["cosine"], pair_at(90.0, 1.0, 1.0, 3_000), 9)]
    steps = run_cells(cells, 10**9, seed=1, threads=2)
    done = [next(steps).done for _ in range(4)]
    steps.close()
    assert done == [0, 512, 1_024, 1_536]


def test_whoever_waits_for_a_long_chunk_can_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ldp_core.game.cells._WAIT_SECONDS", 0.01)
    goes_on, whole = Event(), InnerProducts.run_chunk

    def held(self: InnerProducts, chunk: int) -> tuple[torch.Tensor, torch.Tensor]:
        goes_on.wait(PATIENCE)
        return whole(self, chunk)

    monkeypatch.setattr(InnerProducts, "run_chunk", held)
    cells = [Cell(LdpSgd(2.0), DISTINGUISHERS["cosine"], pair_at(90.0, 1.0, 1.0, 30), 9)]
    steps = run_cells(cells, 600, seed=1)
    assert [next(steps).done for _ in range(3)] == [0, 0, 0]
    goes_on.set()
    *_, tallies = steps
    monkeypatch.undo()
    *_, alone = run_cells(cells, 600, seed=1)
    assert tallies.done == 600
    assert tallies.counts(0) == alone.counts(0)


def test_an_ended_pass_keeps_nothing() -> None:
    """Gradients, models and buffers go at once: their size does not prompt Python's collector of cycles."""
    pair = pair_at(90.0, 1.0, 1.0, 40)
    kept = weakref.ref(pair.first)
    gc.disable()
    try:
        *_, tallies = run_cells([Cell(LdpSgd(2.0), DISTINGUISHERS["cosine"], pair, 9)], 2_000, seed=1, threads=2)
        del pair
        assert tallies.done == 2_000
        assert kept() is None
    finally:
        gc.enable()


PAIR = pair_at(86.0, 0.7, 0.7, 40)


def last(*args: object, **options: object) -> TrialCounts:
    *_, counts = run_trials(*args, **options)  # type: ignore[arg-type]
    return counts


@pytest.mark.law
def test_the_obvious_loop_follows_the_same_law(law_seed: int) -> None:
    gradients, trials = pair_at(86.0, 0.7, 0.7, 6), 6_000
    counts = TrialCounts(
        *one_report_at_a_time(gradients.first, gradients.second, 3.0, 1.0, trials, Generator().manual_seed(law_seed))
    )
    geometry = gradients.geometry
    law = cosine_identification(3.0, geometry.angle_degrees, geometry.norm_first, geometry.norm_second, 1.0)
    assert accepts(counts.num_right, trials, law)
    assert accepts(last(LdpSgd(3.0), CosineSimilarity(), gradients, trials, seed=law_seed).num_right, trials, law)


@pytest.mark.parametrize("threads", [1, 3])
def test_each_yield_is_the_result_of_a_shorter_run(threads: int) -> None:
    size = chunk_size(40)
    run = run_trials(LdpSgd(1.0), CosineSimilarity(), PAIR, 10**9, seed=5, threads=threads)
    seen = [next(run) for _ in range(3)]
    run.close()
    for index, counts in enumerate(seen, start=1):
        assert counts.num_trials == index * size
        assert counts == last(LdpSgd(1.0), CosineSimilarity(), PAIR, index * size, seed=5)


def test_a_stranger_with_nothing_but_randomize_is_tested_too() -> None:
    gradients, trials = GradientPair(torch.ones(8), -torch.ones(8)), 100_000
    counts = last(Plain(1.0), CosineSimilarity(), gradients, trials, seed=1, threads=2)
    assert accepts(counts.num_right, trials, worst_case_identification(1.0))
    assert accepts(counts.num_first, trials, 0.5)


@pytest.mark.parametrize(("fault", "words"), [("nan", "finite"), ("shape", "shape"), ("type", "list")])
def test_a_broken_contract_is_named(fault: str, words: str) -> None:
    with pytest.raises(MechanismContractError, match=words):
        last(Plain(1.0, fault), CosineSimilarity(), PAIR, 100, seed=1)


def test_projected_sampling_refuses_a_stranger() -> None:
    with pytest.raises(UnsupportedCombinationError, match="projected sampling needs our own mechanism"):
        last(Plain(1.0), CosineSimilarity(), PAIR, 100, seed=1, sampling="projected")


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


def chunks(sizes: list[int], cells: int = 3, *, ties: bool = False) -> list[tuple[Tensor, Tensor]]:
    """Return made-up chunks: scores of each cell, the first gradient's leading, and how many those are."""
    generator = Generator().manual_seed(5)
    made = []
    for size in sizes:
        scores = torch.randn(cells, size, generator=generator)
        if ties:
            scores = scores.round()
        made.append((scores, torch.randint(0, size + 1, (cells,), generator=generator)))
    return made


def added(given: list[tuple[Tensor, Tensor]], *, curves: bool) -> Tallies:
    tallies = Tallies(len(given[0][0]), curves=curves)
    for scores, num_first in given:
        tallies.add(guesses(scores, num_first), scores, num_first)
    return tallies


def slow_counts(given: list[tuple[Tensor, Tensor]], cell: int) -> TrialCounts:
    counts = [0, 0, 0, 0]
    for scores, num_first in given:
        for place, score in enumerate(scores[cell].tolist()):
            counts[2 * (place >= num_first[cell]) + (not score >= 0.0)] += 1
    return TrialCounts(*counts)


def slow_curve(given: list[tuple[Tensor, Tensor]], cell: int, thresholds: list[float]) -> Curve:
    wrong_first, wrong_second, num_first, num_second = [0] * len(thresholds), [0] * len(thresholds), 0, 0
    for scores, split in given:
        for place, score in enumerate(scores[cell].tolist()):
            is_first = place < split[cell]
            num_first, num_second = num_first + is_first, num_second + (not is_first)
            for number, threshold in enumerate(thresholds):
                wrong_first[number] += is_first and score < threshold
                wrong_second[number] += not is_first and score >= threshold
    return Curve(int(num_first), int(num_second), tuple(map(int, wrong_first)), tuple(map(int, wrong_second)))


def thresholds_of(scores: Tensor, cell: int) -> list[float]:
    """Return the quantiles at 1/42 to 41/42 by the textbook: linear between neighbours in the sorted row."""
    levels = torch.arange(1, NUM_THRESHOLDS + 1, dtype=torch.float32) / (NUM_THRESHOLDS + 1)
    return scores[cell].quantile(levels).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("sizes", [[50], [50, 50, 7], [1, 1, 30]])
def test_counts_are_those_of_the_loop(sizes: list[int], ties: bool) -> None:
    given = chunks(sizes, ties=ties)
    tallies = added(given, curves=True)
    assert [tallies.counts(cell) for cell in range(3)] == [slow_counts(given, cell) for cell in range(3)]
    assert tallies.done == sum(sizes)


@pytest.mark.parametrize("ties", [False, True])
def test_a_curve_is_that_of_the_loop_over_all_chunks_but_the_first(ties: bool) -> None:
    given = chunks([60, 50, 50, 7], ties=ties)
    tallies = added(given, curves=True)
    for cell in range(3):
        thresholds = thresholds_of(given[0][0], cell)
        assert len(thresholds) == NUM_THRESHOLDS == 41
        assert thresholds == sorted(thresholds)
        curve = tallies.curve(cell)
        assert curve == slow_curve(given[1:], cell, thresholds)
        assert curve.num_first + curve.num_second == 107
