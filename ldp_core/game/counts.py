"""What is counted in many cells at once: guesses, and errors at thresholds."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core.types import Curve, TrialCounts

NUM_THRESHOLDS = 41


class Tallies:
    """What was counted in every cell so far, with a curve where one was asked for.

    Args:
        num_cells: number of cells.
        curves: whether to count errors at thresholds, from the second chunk on.
    """

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
        """Add a chunk: its ``guesses``, and what they were counted from."""
        self._counts += guessed
        self.done += scores.shape[1]
        if self._thresholds is not None:
            for cell, (row, split) in enumerate(zip(scores.cpu(), num_first.tolist(), strict=True)):
                found = _errors(row[:split], row[split:], self._thresholds[cell])
                known = self._curves[cell]
                self._curves[cell] = found if known is None else known + found
        elif self._wanted:
            levels = torch.linspace(0.0, 1.0, NUM_THRESHOLDS + 2, dtype=scores.dtype)[1:-1]
            self._thresholds = scores.cpu().quantile(levels, dim=1).T.contiguous()


def guesses(scores: Tensor, num_first: Tensor) -> NDArray[np.int64]:
    """Count the guesses of a chunk.

    Args:
        scores: shape (cells, trials), of which the leading trials belong to the first gradient.
        num_first: how many those are, int64, shape (cells,); on the CPU.

    Returns:
        The four fields of ``TrialCounts``, each for all cells, shape (4, cells).
    """
    firsts, trials = num_first.numpy(), scores.shape[1]
    guessed = scores.numpy(force=True) >= 0
    first_as_first = np.count_nonzero(guessed & (np.arange(trials) < firsts[:, None]), axis=1)
    second_as_first = np.count_nonzero(guessed, axis=1) - first_as_first
    return np.stack((first_as_first, firsts - first_as_first, second_as_first, trials - firsts - second_as_first))


def _errors(first: Tensor, second: Tensor, thresholds: Tensor) -> Curve:
    below = [torch.searchsorted(side.sort().values, thresholds).tolist() for side in (first, second)]
    return Curve(len(first), len(second), tuple(below[0]), tuple(len(second) - count for count in below[1]))
