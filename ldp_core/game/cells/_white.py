"""Passes of white-box cells: by exact law, by inner products of shared directions, or by reports of any mechanism."""

import math
from concurrent.futures import CancelledError
from typing import cast

import torch
from torch import Generator, Tensor
from torch.nn.functional import linear

from ldp_core.errors import MechanismContractError
from ldp_core.game.cells._parts import Cell, Runner, score_rows
from ldp_core.game.trials import DIRECTIONS
from ldp_core.randomness.blocks import block_rows, doubtful, in_doubt, is_card
from ldp_core.types import WhiteBox


class Angles(Runner):
    """Linear white-box cells without reports, drawn from the exact law of what the distinguisher sees; float64, CPU.

    The projection of a uniform direction onto the plane of the two gradients has a uniform angle, and a linear
    distinguisher's guess depends on that angle alone, in every dimension.

    Source: derived here (the exact law of the white box).
    """

    def _prepare(self) -> None:
        angles = [[math.radians(cell.pair.geometry.angle_degrees)] for cell in self.cells]
        self.between = torch.tensor(angles, dtype=self.dtype)

    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores up to a positive factor, shape (cells, trials), and how many are the first gradient's."""
        coins = self.coins(chunk)
        angle = torch.empty(1, coins.signs.shape[1], dtype=self.dtype)
        angle.uniform_(0.0, 2.0 * math.pi, generator=self.generator(chunk, DIRECTIONS))
        first, second = angle.cos(), (angle - self.between).cos_()
        projection = torch.where(coins.is_first, first, second)
        signs = torch.where(projection < 0, -coins.signs, coins.signs)
        return score_rows(self.cells, first * signs, second.mul_(signs)), coins.num_first

    def _place(self) -> tuple[torch.dtype, str]:
        return torch.float64, "cpu"

    def _chunk_size(self, num_trials: int) -> int:
        return 2**16


class InnerProducts(Runner):
    """Linear white-box cells whose mechanisms share directions: one matrix product for all inner products."""

    def _prepare(self) -> None:
        units: list[Tensor] = []
        places: dict[int, tuple[int, int, float]] = {}
        for pair in {id(cell.pair): cell.pair for cell in self.cells}.values():
            flipped = torch.equal(pair.second_direction, -pair.first_direction)
            places[id(pair)] = (len(units), len(units) + (not flipped), 2.0 if flipped else 1.0)
            both = (pair.first_direction, pair.direction_difference, pair.second_direction)
            units += both[:1] if flipped else both  # the second too, for signs that float32 leaves in doubt
        first, difference, times = zip(*(places[id(cell.pair)] for cell in self.cells), strict=True)
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
        generator, buffer = self.generator(chunk, DIRECTIONS), self.buffer("directions")
        products: list[Tensor] = []
        exact: list[tuple[Tensor, Tensor]] = []
        lengths = torch.empty(trials, dtype=self.dtype, device=self.device)
        for rows in self.blocks(trials):
            if self.halt.is_set():
                raise CancelledError  # the run was stopped
            normals = buffer[: rows.stop - rows.start].normal_(generator=generator)
            products.append((normals @ self.units.T).T if normals.is_cuda else linear(self.units, normals))
            if self.unit_scores:
                lengths[rows] = torch.linalg.vector_norm(normals, dim=1)
            close = in_doubt(products[-1], doubtful(self.dimension))
            if len(close):
                exact.append((close + rows.start, linear(self.exact_units, normals[close].double())))
        inner = torch.cat(products, dim=1).double()
        for places, values in exact:
            inner[:, places] = values
        return inner, lengths


class Reports(Runner):
    """White-box cells, each through its mechanism's ``randomize``, which draws from the stream of directions."""

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
    """Return reports of a gradient, shape (number, d), or raise ``MechanismContractError`` for anything else."""
    name, dimension = cell.mechanism.name, cell.pair.dimension
    reports = cell.mechanism.randomize(gradient, number, generator)
    if not isinstance(reports, Tensor) or reports.shape != (number, dimension):
        shape = tuple(reports.shape) if isinstance(reports, Tensor) else type(reports).__name__
        raise MechanismContractError(f"{name} must return reports of shape {(number, dimension)}, got {shape}")
    if not reports.isfinite().all():
        raise MechanismContractError(f"{name} must return finite reports, got NaN or infinity")
    return reports
