"""What a cell is, and what all ways of running cells share: the streams, the truths and the coins."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core.game.trials import chunk_size
from ldp_core.learning.server import HonestClients, ModelTrainer
from ldp_core.mechanisms.ldp_sgd import block_rows, signs_of
from ldp_core.private import GradientPair
from ldp_core.randomness.coins import Coins
from ldp_core.randomness.streams import stream_generator
from ldp_core.types import BlackBox, Mechanism, SupportsInnerProducts, SupportsSharedDirections, WhiteBox


@dataclass(frozen=True, slots=True)
class Thrown:
    """The coins of a chunk of trials; those of the first gradient come first.

    Args:
        signs: +1 where a report ends on its gradient's own side, else -1, shape (cells, trials); of a mechanism that
            throws its coins itself, +1.
        is_first: whether the first gradient is sent, bool, shape (cells, trials).
        num_first: how often it is, int64, shape (cells,); on the CPU.
    """

    signs: Tensor
    is_first: Tensor
    num_first: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One pair, mechanism and distinguisher.

    Args:
        mechanism: any for a white box; for a black box LDP-SGD, or one that differs in its coins only.
        distinguisher: white box or black box.
        pair: the gradients; all cells of a pass have one dimension, dtype and device.
        stream: of the truths and coins, see ``coins.coin_stream``.
        trainer: the server, for a black box.
        others: the other clients of a round, at least ``trainer.num_clients - 1``.
    """

    mechanism: Mechanism
    distinguisher: WhiteBox | BlackBox
    pair: GradientPair
    stream: int
    trainer: ModelTrainer | None = None
    others: HonestClients | None = None


class Runner(ABC):
    """A way to run cells: what all chunks of a pass need, prepared once.

    Args:
        cells: they fit together.
        num_trials: trials of each cell.
        seed: of all streams.
        measurement: its number.
        unit_scores: whether scores of a white box must be those of unit reports, and not only have their sign.
    """

    in_turn = False
    """Whether chunks must run one after another, on one thread."""

    def __init__(
        self, cells: Sequence[Cell], num_trials: int, seed: int, measurement: int, *, unit_scores: bool
    ) -> None:
        self.cells, self.seed, self.measurement, self.unit_scores = cells, seed, measurement, unit_scores
        first = cells[0].pair.first
        self.dimension, self.dtype, self.device = first.shape[0], first.dtype, str(first.device)
        self.halt = threading.Event()
        self._kept = threading.local()
        self.chunk_size = self._chunk_size()
        streams = {stream: row for row, stream in enumerate(dict.fromkeys(cell.stream for cell in cells))}
        self._coins = Coins[Thrown](seed, measurement, tuple(streams), self.chunk_size, num_trials)
        self._rows = np.array([streams[cell.stream] for cell in cells])
        geometries = [cell.pair.geometry for cell in cells]
        self._norms = np.array([[geometry.norm_first, geometry.norm_second] for geometry in geometries]).T[:, :, None]
        self._mechanisms: dict[SupportsSharedDirections, list[int]] = {}
        for number, cell in enumerate(cells):
            if shares_directions(cell.mechanism):
                self._mechanisms.setdefault(cast(SupportsSharedDirections, cell.mechanism), []).append(number)

    @abstractmethod
    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores, shape (cells, trials), the first gradient's trials first, and how many those are."""

    def buffer(self, use: str) -> Tensor:
        """Return this thread's buffer for a block of directions or reports, shape (rows, d); one for each use."""
        if not hasattr(self._kept, use):
            shape = (block_rows(self.dimension), self.dimension)
            setattr(self._kept, use, torch.empty(shape, dtype=self.dtype, device=self.device))
        kept: Tensor = getattr(self._kept, use)
        return kept

    def generator(self, chunk: int, stream: int, device: str = "cpu") -> torch.Generator:
        """Return the generator of a stream of a chunk."""
        return stream_generator(self.seed, self.measurement, chunk, stream, device)

    def coins(self, chunk: int) -> Thrown:
        """Throw the truths and both coins of every cell; those of one stream once."""
        return self._coins.of(chunk, self._throw)

    def _throw(self, draws: NDArray[np.float64]) -> list[Thrown]:
        """Throw them for several chunks at once."""
        trials, size = draws.shape[2], self.chunk_size
        num_first = np.add.reduceat(draws[0] < 0.5, range(0, trials, size), axis=1, dtype=np.int64)[self._rows]
        is_first = (np.arange(size) < num_first[:, :, None]).reshape(len(num_first), -1)[:, :trials]
        norms = np.where(is_first, *self._norms)
        sides = np.ones(norms.shape, dtype=bool)
        for mechanism, numbers in self._mechanisms.items():
            sides[numbers] = mechanism.own_side(norms[numbers], draws[1:, self._rows[numbers]])
        signs = signs_of(sides, self.dtype, self.device)
        cut = (torch.split(values, size, dim=1) for values in (signs, torch.from_numpy(is_first).to(self.device)))
        return [Thrown(*chunk) for chunk in zip(*cut, torch.from_numpy(num_first.T), strict=True)]

    def _chunk_size(self) -> int:
        """Return how many trials a chunk has."""
        return chunk_size(self.dimension)


def shares_directions(mechanism: Mechanism) -> bool:
    """Return whether a report is a uniform direction turned by coins, so that cells can share directions."""
    return hasattr(mechanism, "own_side")


def score_rows(cells: Sequence[Cell], first: Tensor, second: Tensor) -> Tensor:
    """Score inner products with both directions, each of shape (cells, trials); neighbours of one rule together."""
    scores, start = [], 0
    for rule, run in groupby(cells, key=lambda cell: cell.distinguisher):
        rows = slice(start, start + sum(1 for _ in run))
        scores.append(cast(SupportsInnerProducts, rule).score_inner_products(first[rows], second[rows]))
        start = rows.stop
    return scores[0] if len(scores) == 1 else torch.cat(scores)
