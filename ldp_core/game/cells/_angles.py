"""A pass of linear white-box cells without reports: what the distinguisher would see is drawn from its exact law.

The projection of a uniform direction onto the plane of the two gradients has a uniform angle, and a linear
distinguisher's guess depends on that angle alone, in every dimension.

Source: derived here (the exact law of the white box).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from ldp_core.game.cells._parts import Cell, Runner, score_rows
from ldp_core.game.trials import DIRECTIONS


class Angles(Runner):
    """Linear white-box cells whose mechanisms share directions, in float64 on the CPU; arguments as in ``Runner``."""

    def __init__(
        self, cells: Sequence[Cell], num_trials: int, seed: int, measurement: int, *, unit_scores: bool
    ) -> None:
        super().__init__(cells, num_trials, seed, measurement, unit_scores=unit_scores)
        self.between = torch.tensor(
            [[math.radians(cell.pair.geometry.angle_degrees)] for cell in cells], dtype=self.dtype
        )

    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores up to a positive factor, shape (cells, trials), and how many are the first gradient's."""
        coins = self.coins(chunk)
        angle = torch.empty(1, coins.signs.shape[1], dtype=self.dtype)
        angle.uniform_(0.0, 2.0 * math.pi, generator=self.generator(chunk, DIRECTIONS))
        first, second = angle.cos(), (angle - self.between).cos_()
        own = torch.where(coins.is_first, first, second)
        signs = torch.where(own < 0, -coins.signs, coins.signs)
        return score_rows(self.cells, first * signs, second.mul_(signs)), coins.num_first

    def _place(self) -> tuple[torch.dtype, str]:
        return torch.float64, "cpu"

    def _chunk_size(self, num_trials: int) -> int:
        return 2**16
