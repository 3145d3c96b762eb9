"""What is counted in many cells at once: guesses, and errors at thresholds."""

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core.types import Curve, TrialCounts

NUM_THRESHOLDS = 41


class Tallies:
    """What was counted in every cell so far; with ``curves``, errors at thresholds from the second chunk on."""

    def __init__(self, num_cells: int, *, curves: bool) -> None:
        self.done = 0
        self._counts = np.zeros((4, num_cells), dtype=np.int64)
        self._wanted = curves
        self._thresholds: Tensor | None = None
        self._curves: list[Curve | None] = [None] * num_cells

    def counts(self, cell: int) -> TrialCounts:
        """Return the counts of one cell."""
        return TrialCounts(*self._counts[:, cell].tolist())

    def curve(self, cell: int) -> Curve | None:
        """Return the curve of one cell; None if none was asked for or the first chunk was the only one."""
        return self._curves[cell]

    def add(self, guessed: NDArray[np.int64], scores: Tensor, num_first: Tensor) -> None:
        """Add a chunk: its ``guesses``, and the scores from which they were counted."""
        self._counts += guessed
        self.done += scores.shape[1]
        if self._thresholds is not None:
            for cell, errors in enumerate(_errors(scores, num_first, self._thresholds.to(scores.device))):
                known = self._curves[cell]
                self._curves[cell] = errors if known is None else known + errors
        elif self._wanted:
            levels = torch.linspace(0.0, 1.0, NUM_THRESHOLDS + 2, dtype=scores.dtype, device=scores.device)[1:-1]
            self._thresholds = scores.quantile(levels, dim=1).T.contiguous()


def leading(num_first: Tensor, trials: int) -> Tensor:
    """Return which trials belong to the first gradient, the leading ones: bool, shape (*num_first.shape, trials)."""
    return torch.arange(trials, device=num_first.device) < num_first.unsqueeze(-1)


def guesses(scores: Tensor, num_first: Tensor) -> NDArray[np.int64]:
    """Return the four fields of ``TrialCounts`` of a chunk for all cells, shape (4, cells): all that leaves a card.

    The scores have shape (cells, trials), of which the leading ``num_first`` (int64, shape (cells,)) are the first
    gradient's.
    """
    guessed, trials = scores >= 0, scores.shape[1]
    first_as_first = (guessed & leading(num_first, trials)).count_nonzero(dim=1)
    second_as_first = guessed.count_nonzero(dim=1) - first_as_first
    fields = (first_as_first, num_first - first_as_first, second_as_first, trials - num_first - second_as_first)
    counts: NDArray[np.int64] = torch.stack(fields).numpy(force=True)
    return counts


def _errors(scores: Tensor, num_first: Tensor, thresholds: Tensor) -> list[Curve]:
    """Count each cell's errors at its thresholds, shape (cells, thresholds)."""
    is_first = leading(num_first, scores.shape[1])
    sides = (scores.masked_fill(~is_first, math.inf), scores.masked_fill(is_first, math.inf))
    below = [torch.searchsorted(side.sort(dim=1).values, thresholds).tolist() for side in sides]
    return [
        Curve(first, scores.shape[1] - first, tuple(wrong), tuple(scores.shape[1] - first - count for count in right))
        for first, wrong, right in zip(num_first.tolist(), *below, strict=True)
    ]
