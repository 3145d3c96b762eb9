"""Counts and curves against a loop over single scores."""

import pytest
import torch
from torch import Generator, Tensor

from ldp_core.game.counts import NUM_THRESHOLDS, Tallies, guesses
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
        assert curve.num_first + curve.num_second == 107
