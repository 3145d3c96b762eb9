"""A pass of linear white-box cells: they need inner products only, one matrix product for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import CancelledError

import torch
from torch import Tensor
from torch.nn.functional import linear

from ldp_core.game.cells._parts import Cell, Runner, score_rows
from ldp_core.game.trials import DIRECTIONS
from ldp_core.randomness.blocks import doubtful, in_doubt


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
            places[id(pair)] = (len(units), len(units) + (not flipped), 2.0 if flipped else 1.0)
            both = (pair.first_direction, pair.direction_difference, pair.second_direction)
            units += both[:1] if flipped else both  # the second, so that it is seen where its sign is in doubt
        first, difference, times = zip(*(places[id(cell.pair)] for cell in cells), strict=True)
        self.units = torch.stack(units)
        self.exact_units = self.units.double()
        self.first, self.difference = self.indices(first), self.indices(difference)
        self.times = torch.tensor(times, dtype=torch.float64, device=self.device).unsqueeze(1)

    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores, shape (cells, trials), the first gradient's trials first, and how many those are.

        The inner product with the second direction is the first's less the difference's, so that its sign and the
        score's are right also where the gradients are nearly equal.
        """
        coins = self.coins(chunk)
        inner, lengths = self._inner_products(chunk, coins.signs.shape[1])
        first = inner[self.first]
        second = torch.addcmul(first, self.times, inner[self.difference], value=-1.0)
        signs = torch.where(coins.is_first, first, second).sign_().mul_(coins.signs)
        scores = score_rows(self.cells, first.mul_(signs), second.mul_(signs))
        return scores / lengths if self.unit_scores else scores, coins.num_first

    def _inner_products(self, chunk: int, trials: int) -> tuple[Tensor, Tensor]:
        """Draw the directions; return their inner products with every unit, (units, trials), float64, and lengths."""
        generator, buffer, limit = (
            self.generator(chunk, DIRECTIONS),
            self.buffer("directions"),
            doubtful(self.dimension),
        )
        found: list[Tensor] = []
        exact: list[tuple[Tensor, Tensor]] = []
        lengths = torch.empty(trials, dtype=self.dtype, device=self.device)
        for rows in self.blocks(trials):
            if self.halt.is_set():
                raise CancelledError  # nobody waits for this chunk
            normals = buffer[: rows.stop - rows.start].normal_(generator=generator)
            found.append(self._products(normals))
            if self.unit_scores:
                lengths[rows] = torch.linalg.vector_norm(normals, dim=1)
            close = in_doubt(found[-1], limit)
            if len(close):
                exact.append((close + rows.start, linear(self.exact_units, normals[close].double())))
        inner = torch.cat(found, dim=1).double()
        for places, values in exact:
            inner[:, places] = values
        return inner, lengths

    def _products(self, normals: Tensor) -> Tensor:
        """Return the inner products of a block's directions with every unit; a card's product likes many rows."""
        return (normals @ self.units.T).T if normals.is_cuda else linear(self.units, normals)
