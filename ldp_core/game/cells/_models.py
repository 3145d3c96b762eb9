"""A pass of black-box cells: the server steps with every report, and the distinguishers see its models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import torch
from torch import Tensor

from ldp_core.game.cells._parts import Cell, Runner
from ldp_core.game.trials import DIRECTIONS
from ldp_core.learning.models import flat_parameters
from ldp_core.learning.server import ModelTrainer
from ldp_core.mechanisms.ldp_sgd import signs_of, turn
from ldp_core.private import ModelUpdates
from ldp_core.types import BlackBox, SupportsSharedDirections

OTHERS = 2**33
"""Stream ``OTHERS + 2 j`` draws the directions of the j-th other client, the next one its coins."""


class Models(Runner):
    """Black-box cells of one pass; arguments as in ``Runner``."""

    def __init__(
        self, cells: Sequence[Cell], num_trials: int, seed: int, measurement: int, *, unit_scores: bool
    ) -> None:
        super().__init__(cells, num_trials, seed, measurement, unit_scores=unit_scores)
        self.before = {id(cell.pair.model): flat_parameters(cell.pair.model) for cell in cells if cell.pair.model}
        self.values_before: dict[int, Tensor] = {}
        self.units = {
            id(cell.pair): torch.stack((cell.pair.first_direction, cell.pair.second_direction)) for cell in cells
        }
        self.clients = [cast(ModelTrainer, cell.trainer).num_clients for cell in cells]

    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores, shape (cells, trials), the first gradient's trials first, and how many those are."""
        coins = self.coins(chunk)
        trials, directions = coins.signs.shape[1], self.generator(chunk, DIRECTIONS)
        others = _OtherReports(self, chunk, trials)
        scores = torch.empty(len(self.cells), trials, dtype=self.dtype, device=self.device)
        buffer = self.buffer("directions")
        for rows in self.blocks(trials):
            if self.halt.is_set():
                break
            normals = buffer[: rows.stop - rows.start].normal_(generator=directions)
            for number, totals in others.sums(rows):
                sides, is_first = coins.signs[number, rows], coins.is_first[number, rows]
                scores[number, rows] = self._scores(number, normals, sides, is_first, totals)
        return scores, coins.num_first

    def _scores(self, number: int, normals: Tensor, sides: Tensor, is_first: Tensor, totals: Tensor | None) -> Tensor:
        """Return the distinguisher's scores of a block; reports of a cell alone are written over the directions."""
        cell = self.cells[number]
        trainer, pair = cast(ModelTrainer, cell.trainer), cell.pair
        reports = normals if len(self.cells) == 1 else self.buffer("reports")[: len(normals)]
        turn(normals, sides, self.units[id(pair)], is_first, out=reports)
        if totals is not None:
            reports += totals
        before = self.before[id(pair.model)]
        after = trainer.updated(before, reports)
        updates = ModelUpdates(
            before, after, trainer.step_length, trainer.num_clients, trainer.radius, self.values_before
        )
        return cast(BlackBox, cell.distinguisher).score_updates(updates, pair)


class _OtherReports:
    """The summed reports of the other clients in a chunk, shared by the cells that may share them."""

    def __init__(self, batch: Models, chunk: int, trials: int) -> None:
        self.batch = batch
        self.groups: dict[tuple[int, Any], list[int]] = {}
        for number, cell in enumerate(batch.cells):
            self.groups.setdefault((id(cell.others), cell.mechanism), []).append(number)
        self.directions, self.sides = [], []
        for other in range(max(batch.clients) - 1):
            stream = OTHERS + 2 * other
            self.directions.append(batch.generator(chunk, stream))
            coins = batch.generator(chunk, stream + 1)
            draws = torch.rand(2, trials, generator=coins, dtype=torch.float64, device=batch.device)
            self.sides.append([self._signs(numbers[0], other, draws) for numbers in self.groups.values()])

    def _signs(self, number: int, other: int, draws: Tensor) -> Tensor | None:
        cell = self.batch.cells[number]
        if cell.others is None or other >= len(cell.others.norms):
            return None
        side = cast(SupportsSharedDirections, cell.mechanism).own_side(cell.others.norms[other], draws)
        return signs_of(side, self.batch.dtype)

    def sums(self, rows: slice) -> Iterator[tuple[int, Tensor | None]]:
        """Yield each cell's number with the sum of its other clients' reports, shape (rows, d), or None."""
        batch = self.batch
        yield from ((number, None) for number, clients in enumerate(batch.clients) if clients == 1)
        if not self.directions:
            return
        shape = (rows.stop - rows.start, batch.dimension)
        totals = {key: torch.zeros(shape, dtype=batch.dtype, device=batch.device) for key in self.groups}
        normals = torch.empty(shape, dtype=batch.dtype, device=batch.device)
        for other, generator in enumerate(self.directions):
            if batch.halt.is_set():
                return
            normals.normal_(generator=generator)
            self._accumulate(totals, normals, other, rows)
            for number, clients in enumerate(batch.clients):
                if clients == other + 2:
                    cell = batch.cells[number]
                    yield number, totals[id(cell.others), cell.mechanism]

    def _accumulate(self, totals: dict[tuple[int, Any], Tensor], normals: Tensor, other: int, rows: slice) -> None:
        lengths = torch.linalg.vector_norm(normals, dim=1)
        inner: dict[int, Tensor] = {}
        for (clients, mechanism), numbers, signs in zip(
            self.groups, self.groups.values(), self.sides[other], strict=True
        ):
            others = self.batch.cells[numbers[0]].others
            if others is None or signs is None:
                continue
            if clients not in inner:
                inner[clients] = normals @ others.directions[other]
            scale = lengths.reciprocal().copysign_(inner[clients] * signs[rows])
            totals[clients, mechanism].addcmul_(normals, scale.unsqueeze(1))
