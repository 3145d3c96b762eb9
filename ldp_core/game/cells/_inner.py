"""A pass of linear white-box cells: they need inner products only, one matrix product for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import cast

import torch
from torch import Tensor
from torch.nn.functional import linear

from ldp_core.game.cells._parts import Cell, Runner, score_rows
from ldp_core.game.trials import DIRECTIONS
from ldp_core.mechanisms.ldp_sgd import blocks, doubtful, turn
from ldp_core.types import WhiteBox


class InnerProducts(Runner):
    """Linear white-box cells whose mechanisms share directions; arguments as in ``Runner``."""

    def __init__(
        self, cells: Sequence[Cell], num_trials: int, seed: int, measurement: int, *, unit_scores: bool
    ) -> None:
        super().__init__(cells, num_trials, seed, measurement, unit_scores=unit_scores)
        units: list[Tensor] = []
        places: dict[int, tuple[int, int, float]] = {}
        for pair in {id(cell.pair): cell.pair for cell in cells}.values():
            flipped = torch.equal(pair.second_direction, -pair.first_direction)
            places[id(pair)] = (len(units), len(units) + (not flipped), -1.0 if flipped else 1.0)
            both = (pair.first_direction, pair.second_direction, pair.direction_difference)
            units += both[:1] if flipped else both  # the difference, so that it is seen where its sign is in doubt
        first, second, sign = zip(*(places[id(cell.pair)] for cell in cells), strict=True)
        self.units = torch.stack(units)
        self.first, self.second = (torch.tensor(rows, device=self.device) for rows in (first, second))
        self.second_sign = torch.tensor(sign, dtype=self.dtype, device=self.device).unsqueeze(1)

    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores, shape (cells, trials), the first gradient's trials first, and how many those are."""
        coins = self.coins(chunk)
        inner, lengths, kept = self._inner_products(chunk, coins.signs.shape[1])
        first, second = inner[self.first], inner[self.second].mul_(self.second_sign)
        signs = torch.where(coins.is_first, first, second).sign_().mul_(coins.signs)
        first.mul_(signs)
        second.mul_(signs)
        scores = score_rows(self.cells, first, second)
        doubts = self._doubts(first, second, scores, list(kept))
        if self.unit_scores:
            scores /= lengths
        for row, columns in doubts.items():
            cell, reports = self.cells[row], torch.cat([kept[column] for column in columns])
            units = (cell.pair.first_direction, cell.pair.second_direction)
            turn(reports, coins.signs[row, columns], units, int(coins.is_first[row, columns].sum()))
            scores[row, columns] = cast(WhiteBox, cell.distinguisher).score(reports, cell.pair)
        return scores, coins.num_first

    def _doubts(self, first: Tensor, second: Tensor, scores: Tensor, columns: list[int]) -> dict[int, list[int]]:
        """Return which cells leave a sign in doubt, and at which of the trials in ``columns``, which rise."""
        found: dict[int, list[int]] = {}
        if columns:
            smallest = torch.minimum(torch.minimum(first.abs(), second.abs()), scores.abs())[:, columns]
            for row, place in (smallest < doubtful(self.dimension)).nonzero().tolist():
                found.setdefault(row, []).append(columns[place])
        return found

    def _inner_products(self, chunk: int, trials: int) -> tuple[Tensor, Tensor, dict[int, Tensor]]:
        """Draw the directions.

        Returns:
            Their inner products with every unit vector, shape (units, trials); their lengths; and those directions
            whose inner products leave a sign in doubt, by trial, each of shape (1, d).
        """
        generator = self.generator(chunk, DIRECTIONS, self.device)
        inner: list[Tensor] = []
        lengths = torch.empty(trials, dtype=self.dtype, device=self.device)
        buffer, limit = self.buffer("directions"), doubtful(self.dimension)
        kept: dict[int, Tensor] = {}
        for rows in blocks(trials, self.dimension):
            if self.halt.is_set():
                raise CancelledError  # nobody waits for this chunk
            normals = buffer[: rows.stop - rows.start].normal_(generator=generator)
            inner.append(linear(self.units, normals))
            if self.unit_scores:
                lengths[rows] = torch.linalg.vector_norm(normals, dim=1)
            sizes = abs(inner[-1].numpy(force=True))
            if sizes.min() < limit:
                for row in (sizes.min(axis=0) < limit).nonzero()[0].tolist():
                    kept[rows.start + row] = normals[row : row + 1].clone()
        return torch.cat(inner, dim=1), lengths, kept
