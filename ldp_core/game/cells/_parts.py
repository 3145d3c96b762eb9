"""What a cell is, and what all ways of running cells share: the streams, the truths and the coins."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import cast

import torch
from torch import Tensor

from ldp_core.game.counts import leading
from ldp_core.learning.server import HonestClients, ModelTrainer
from ldp_core.mechanisms.ldp_sgd import signs_of
from ldp_core.private import GradientPair
from ldp_core.randomness.blocks import block_rows, blocks, chunk_size
from ldp_core.randomness.coins import Coins
from ldp_core.randomness.streams import stream_generator
from ldp_core.types import BlackBox, Mechanism, SupportsInnerProducts, SupportsSharedDirections, WhiteBox


@dataclass(frozen=True, slots=True)
class Thrown:
    """The coins of a chunk of trials; those of the first gradient come first.

    ``signs`` is +1 where a report ends on its gradient's own side, else -1, shape (cells, trials), and +1 for a
    mechanism that throws its coins itself; ``is_first`` says whether the first gradient is sent, bool,
    shape (cells, trials); ``num_first`` how often it is, int64, shape (cells,).
    """

    signs: Tensor
    is_first: Tensor
    num_first: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One pair, mechanism and distinguisher.

    A black box needs LDP-SGD, or a mechanism that differs in its coins only; ``trainer``, the server; and ``others``,
    at least ``trainer.num_clients - 1`` other clients. ``stream`` is that of ``coins.coin_stream``. All cells of a pass
    have one dimension, dtype and device.
    """

    mechanism: Mechanism
    distinguisher: WhiteBox | BlackBox
    pair: GradientPair
    stream: int
    trainer: ModelTrainer | None = None
    others: HonestClients | None = None


def moved(cells: Sequence[Cell], device: str) -> list[Cell]:
    """Return cells on another device, where they share what they share here."""
    pairs = {id(cell.pair): cell.pair.to(device) for cell in cells}
    others = {id(cell.others): cell.others and cell.others.to(device) for cell in cells}
    return [replace(cell, pair=pairs[id(cell.pair)], others=others[id(cell.others)]) for cell in cells]


class Runner(ABC):
    """A way to run cells that fit together: what all chunks of a pass need, prepared once.

    ``unit_scores`` says that scores of a white box must be those of unit reports, and not only have their sign.
    """

    in_turn = False
    """Whether chunks must run one after another, on one thread."""

    def __init__(
        self, cells: Sequence[Cell], num_trials: int, seed: int, measurement: int, *, unit_scores: bool
    ) -> None:
        self.cells, self.seed, self.measurement, self.unit_scores = cells, seed, measurement, unit_scores
        self.dimension = cells[0].pair.dimension
        self.dtype, self.device = self._place()
        self.halt = threading.Event()
        self._kept = threading.local()
        self._num_trials, self.chunk_size = num_trials, self._chunk_size(num_trials)
        streams = {stream: row for row, stream in enumerate(dict.fromkeys(cell.stream for cell in cells))}
        self._coins = Coins[Thrown](seed, measurement, tuple(streams), self.chunk_size, num_trials, self.device)
        self._rows = self.indices([streams[cell.stream] for cell in cells])
        geometries = [cell.pair.geometry for cell in cells]
        norms = [[geometry.norm_first for geometry in geometries], [geometry.norm_second for geometry in geometries]]
        self._norms = torch.tensor(norms, dtype=torch.float64, device=self.device)[:, :, None, None]
        mechanisms: dict[SupportsSharedDirections, list[int]] = {}
        for number, cell in enumerate(cells):
            if shares_directions(cell.mechanism):
                mechanisms.setdefault(cast(SupportsSharedDirections, cell.mechanism), []).append(number)
        self._mechanisms = {mechanism: self.indices(numbers) for mechanism, numbers in mechanisms.items()}
        self._prepare()

    def _prepare(self) -> None:  # noqa: B027  # not all need more
        """Make what all chunks share beside that."""

    @abstractmethod
    def run_chunk(self, chunk: int) -> tuple[Tensor, Tensor]:
        """Return scores, shape (cells, trials), the first gradient's trials first, and how many those are."""

    def buffer(self, use: str) -> Tensor:
        """Return this thread's buffer for a block of directions or reports, shape (rows, d); one for each use."""
        if not hasattr(self._kept, use):
            shape = (min(block_rows(self.dimension, self.device), self.chunk_size), self.dimension)
            setattr(self._kept, use, torch.empty(shape, dtype=self.dtype, device=self.device))
        kept: Tensor = getattr(self._kept, use)
        return kept

    def blocks(self, trials: int) -> list[slice]:
        """Cut a chunk's trials into blocks of directions."""
        return blocks(trials, self.dimension, self.device)

    def indices(self, numbers: Sequence[int]) -> Tensor:
        return torch.tensor(numbers, dtype=torch.int64, device=self.device)

    def generator(self, chunk: int, stream: int) -> torch.Generator:
        return stream_generator(self.seed, self.measurement, chunk, stream, self.device)

    def coins(self, chunk: int) -> Thrown:
        """Throw the truths and both coins of every cell; cells of one stream share them."""
        thrown, trials = self._coins.of(chunk, self._throw), self._num_trials - chunk * self.chunk_size
        return Thrown(thrown.signs[:, :trials], thrown.is_first[:, :trials], thrown.num_first)

    def _throw(self, draws: Tensor) -> list[Thrown]:
        """Throw the coins of several chunks at once."""
        num_first = (draws[0] < 0.5).count_nonzero(dim=2)[self._rows]
        is_first = leading(num_first, self.chunk_size)
        norms = torch.where(is_first, self._norms[0], self._norms[1])
        sides = torch.ones(norms.shape, dtype=torch.bool, device=self.device)
        for mechanism, numbers in self._mechanisms.items():
            sides[numbers] = mechanism.own_side(norms[numbers], draws[1:, self._rows[numbers]])
        chunks = (values.unbind(dim=1) for values in (signs_of(sides, self.dtype), is_first, num_first))
        return [Thrown(*chunk) for chunk in zip(*chunks, strict=True)]

    def _place(self) -> tuple[torch.dtype, str]:
        """Return in which dtype and on which device trials are computed."""
        return self.cells[0].pair.first.dtype, str(self.cells[0].pair.first.device)

    def _chunk_size(self, num_trials: int) -> int:
        """Return how many trials a chunk has: on a card an eighth at most, since a curve leaves out the first chunk."""
        return max(chunk_size(self.dimension), min(chunk_size(self.dimension, self.device), num_trials // 8))


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
