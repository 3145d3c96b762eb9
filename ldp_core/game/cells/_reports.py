"""A pass of white-box cells, each through its mechanism's ``randomize``: for a stranger's, or a rule of any kind."""

from __future__ import annotations

from typing import cast

import torch
from torch import Generator, Tensor

from ldp_core.errors import MechanismContractError
from ldp_core.game.cells._parts import Cell, Runner
from ldp_core.game.trials import DIRECTIONS
from ldp_core.randomness.blocks import block_rows, is_card
from ldp_core.types import WhiteBox


class Reports(Runner):
    """White-box cells of one pass; a mechanism draws all it needs from the stream of directions."""

    in_turn = True

    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores, shape (cells, trials), the first gradient's trials first, and how many those are.

        Raises ``MechanismContractError`` if a mechanism returns something that is not a batch of reports.
        """
        coins = self.coins(chunk)
        scores = torch.empty(coins.signs.shape, dtype=self.dtype, device=self.device)
        for row, (cell, split) in enumerate(zip(self.cells, coins.num_first.tolist(), strict=True)):
            generator, rule = self.generator(chunk, DIRECTIONS), cast(WhiteBox, cell.distinguisher)
            for gradient, part in ((cell.pair.first, scores[row, :split]), (cell.pair.second, scores[row, split:])):
                part.copy_(rule.score(_randomized(cell, gradient, len(part), generator), cell.pair))
        return scores, coins.num_first

    def _chunk_size(self, num_trials: int) -> int:
        size = super()._chunk_size(num_trials)
        return min(size, block_rows(self.dimension, self.device)) if is_card(self.device) else size


def _randomized(cell: Cell, gradient: Tensor, number: int, generator: Generator) -> Tensor:
    """Return reports of a gradient, shape (number, d), once they are seen to be some."""
    name, dimension = cell.mechanism.name, cell.pair.dimension
    reports = cell.mechanism.randomize(gradient, number, generator)
    if not isinstance(reports, Tensor) or reports.shape != (number, dimension):
        shape = tuple(reports.shape) if isinstance(reports, Tensor) else type(reports).__name__
        raise MechanismContractError(f"{name} must return reports of shape {(number, dimension)}, got {shape}")
    if not reports.isfinite().all():
        raise MechanismContractError(f"{name} must return finite reports, got NaN or infinity")
    return reports
