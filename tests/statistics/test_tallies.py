"""Counts and curves against a loop over single scores."""

import pytest
import torch
from torch import Generator, Tensor

from ldp_core.distinguishers import CosineSimilarity
from ldp_core.game.cells import Cell, run_cells
from ldp_core.game.counts import NUM_THRESHOLDS, Tallies, guesses
from ldp_core.mechanisms import LdpSgd
from ldp_core.private import GradientPair
from ldp_core.randomness.blocks import chunk_size
from ldp_core.randomness.coins import coin_stream
from ldp_core.types import Curve, TrialCounts


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
        assert curve is not None
        assert curve.num_first + curve.num_second == 107


def test_the_first_chunks_truths_do_not_move_the_curve() -> None:
    given = chunks([60, 50])
    relabelled = [(given[0][0], 60 - given[0][1]), given[1]]
    one, two = added(given, curves=True), added(relabelled, curves=True)
    assert [one.curve(cell) for cell in range(3)] == [two.curve(cell) for cell in range(3)]
    assert [one.counts(cell) for cell in range(3)] != [two.counts(cell) for cell in range(3)]


def test_later_scores_do_not_move_the_thresholds() -> None:
    """Scores beyond every threshold are wrong at all of them or at none."""
    first, _ = chunks([60, 1])
    high = torch.full((3, 10), 1e6)
    curve = added([first, (high, torch.tensor([10, 0, 4])), (-high, torch.tensor([10, 0, 4]))], curves=True).curve(2)
    assert curve == Curve(8, 12, (4,) * 41, (6,) * 41)


def test_without_a_second_chunk_or_a_wish_there_is_no_curve() -> None:
    assert [added(chunks([60]), curves=True).curve(cell) for cell in range(3)] == [None] * 3
    assert [added(chunks([60, 50]), curves=False).curve(cell) for cell in range(3)] == [None] * 3


def test_a_chunk_of_one_truth_only_counts_for_that_side() -> None:
    tallies = Tallies(2, curves=True)
    for _ in range(2):
        scores, num_first = torch.tensor([[1.0, -1.0, 0.0], [1.0, -1.0, 0.0]]), torch.tensor([3, 0])
        tallies.add(guesses(scores, num_first), scores, num_first)
    assert tallies.counts(0) == TrialCounts(4, 2, 0, 0)
    assert tallies.counts(1) == TrialCounts(0, 0, 4, 2)
    assert (tallies.curve(0).num_first, tallies.curve(1).num_second) == (3, 3)  # type: ignore[union-attr]


def test_asking_for_curves_leaves_the_counts_of_a_pass_alone() -> None:
    generator = Generator().manual_seed(1)
    pair = GradientPair(torch.randn(40, generator=generator), torch.randn(40, generator=generator))
    cell = Cell(LdpSgd(2.0), CosineSimilarity(), pair, coin_stream("benign", 2.0))
    trials = 2 * chunk_size(40) + 9
    *_, plain = run_cells([cell], trials, seed=3)
    *_, curved = run_cells([cell], trials, seed=3, curves=True)
    assert plain.counts(0) == curved.counts(0)
    assert plain.curve(0) is None
    curve = curved.curve(0)
    assert curve is not None
    assert curve.num_first + curve.num_second == trials - chunk_size(40)
    assert list(curve.false_positives) == sorted(curve.false_positives)
    assert list(curve.false_negatives) == sorted(curve.false_negatives, reverse=True)
