"""Step 4: repeat "randomize one of the two, guess which" and count, for one cell or for many at once.

A cell is one pair, one mechanism and one distinguisher. LDP-SGD's directions depend neither on the gradient nor on
epsilon, so one pass of directions serves every attack, every epsilon and every rule, and each cell throws its own
coins. Every cell's law is exactly that of a run of its own, and its counts are the same; between cells the randomness
is shared, which makes comparisons sharper.

How cells are run depends on what their distinguishers look at: at inner products of shared directions
(``InnerProducts``), at these as their exact law gives them (``Angles``), at models (``Models``), or at the reports of a
mechanism that is called through ``randomize`` (``Reports``).

Source: Matsumoto et al. 2022, arXiv:2206.09122, Algorithm 4 (Algorithm 3 of the Japanese paper).
"""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ldp_core import _validate
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.game.cells._parts import Cell, Runner, moved, shares_directions
from ldp_core.game.cells._white import Angles, InnerProducts, Reports
from ldp_core.game.counts import Tallies, guesses
from ldp_core.game.trials import AHEAD, DIRECTIONS, sampling_threads, worker_threads
from ldp_core.learning.models import flat_parameters
from ldp_core.learning.server import ModelTrainer, check_radius
from ldp_core.mechanisms.ldp_sgd import flip_to_side, signs_of
from ldp_core.private import ModelUpdates
from ldp_core.types import SAMPLINGS, BlackBox, SupportsSharedDirections

OTHERS = 2**33
"""Stream ``OTHERS + 2 j`` draws the directions of the j-th other client, the next one its coins."""


class Models(Runner):
    """Black-box cells of one pass; arguments as in ``Runner``."""

    def _prepare(self) -> None:
        models = [cell.pair.model for cell in self.cells if cell.pair.model]
        pairs = {id(cell.pair): cell.pair for cell in self.cells}
        self.before = {id(model): flat_parameters(model) for model in models}
        self.values_before: dict[int, Tensor] = {}
        self.units = {name: torch.stack((pair.first_direction, pair.second_direction)) for name, pair in pairs.items()}
        self.clients = [cast(ModelTrainer, cell.trainer).num_clients for cell in self.cells]

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
        flip_to_side(normals, sides, self.units[id(pair)], is_first, out=reports)
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


__all__ = ["OTHERS", "Cell", "run_cells"]
_WAIT_SECONDS = 2.0
"""A chunk with a thousand clients may take a minute: a stop takes effect within this time."""


def run_cells(
    cells: Sequence[Cell],
    num_trials: int,
    *,
    seed: int,
    measurement: int = 0,
    sampling: str = "full",
    threads: int = 1,
    curves: bool = False,
    pool: ThreadPoolExecutor | None = None,
    more_devices: Sequence[str] = (),
) -> Generator[Tallies, None, None]:
    """Run the trials of all cells; yield the tallies (always the same object) at once, empty, and after each chunk.

    Each trial sends one gradient of the pair, drawn with probability 1/2. The counts depend on cells, trials, seed,
    measurement and sampling alone. Whoever stops iterating stops the run; what was yielded is that of a shorter run.
    While a chunk takes long the tallies are yielded unchanged, every two seconds. The first chunks are in work from the
    first yield on: beginning the next pass when this one has nothing left to submit, that is ``AHEAD`` chunks for each
    thread before its end, keeps a shared pool busy.

    ``sampling``: ``full`` builds reports of dimension d, or what is seen of them; ``projected`` draws only the inner
    products that a linear distinguisher sees, from their exact law, on the CPU. ``threads``: of which each card uses
    two; mechanisms called through ``randomize`` run on one, and leave ``more_devices`` idle, further cards like that of
    the gradients, which take chunks in turn with it: the counts are those of one. ``curves``: count errors at
    ``counts.NUM_THRESHOLDS`` thresholds too, quantiles of the first chunk's scores, whose trials the curve leaves out:
    no threshold is picked from what it is judged on. ``pool``: of ``worker_threads``, used in place of an own one; it
    goes on when the run ends.

    Raises:
        ValueError: if a number is out of range, or cells cannot share a pass.
        UnsupportedCombinationError: if a cell's parts do not fit together.
        MechanismContractError: if a mechanism returns something that is not a batch of reports.
    """
    _validate.integer("num_trials", num_trials, 1)
    _validate.integer("threads", threads, 1)
    for name, value in (("seed", seed), ("measurement", measurement), *(("stream", cell.stream) for cell in cells)):
        _validate.integer(name, value, 0)
    _validate.choice("sampling", sampling, SAMPLINGS)
    if curves and sampling == "projected":
        raise UnsupportedCombinationError("curves need scores of whole reports, got projected sampling")
    for cell in cells:
        _check(cell, sampling)
    runner = _runner(cells, sampling)
    if runner.in_turn:
        threads, pool, more_devices = 1, None, ()
    batches = [
        runner(shared, num_trials, seed, measurement, unit_scores=curves)
        for shared in (cells, *(moved(cells, device) for device in more_devices))
    ]
    threads = sampling_threads([batch.device for batch in batches], threads)
    num_chunks = -(-num_trials // batches[0].chunk_size)
    tallies = Tallies(len(cells), curves=curves)

    def run_chunk(chunk: int) -> tuple[NDArray[np.int64], Tensor, Tensor]:
        scores, num_first = batches[chunk % len(batches)].run_chunk(chunk)
        return guesses(scores, num_first), scores, num_first

    with nullcontext(pool) if pool else worker_threads(threads) as workers:
        waiting: deque[Future[tuple[NDArray[np.int64], Tensor, Tensor]]] = deque()
        try:
            ahead = min(AHEAD * threads, num_chunks)
            waiting.extend(workers.submit(run_chunk, chunk) for chunk in range(ahead))
            yield tallies
            for chunk in range(num_chunks):
                while wait([waiting[0]], _WAIT_SECONDS).not_done:
                    yield tallies
                tallies.add(*waiting.popleft().result())
                if chunk + ahead < num_chunks:
                    waiting.append(workers.submit(run_chunk, chunk + ahead))
                yield tallies
        finally:
            for batch in batches:
                batch.halt.set()
            for future in waiting:
                future.cancel()


def _runner(cells: Sequence[Cell], sampling: str) -> type[Runner]:
    """Return what runs the cells, which must all be run alike and have the same kind of gradient."""
    if not cells:
        raise ValueError("a pass must have at least one cell, got none")
    first = cells[0].pair.first
    if any(cell.pair.first.shape != first.shape or cell.pair.first.dtype != first.dtype for cell in cells):
        raise ValueError("all cells of a pass must have gradients of one dimension and dtype")
    if len({cell.distinguisher.view for cell in cells}) > 1:
        raise ValueError("all cells of a pass must look at reports, or all at models, got both")
    if cells[0].distinguisher.view == "black":
        return Models
    if sampling == "projected":
        return Angles
    alike = {_sees_inner_products(cell) for cell in cells}
    if len(alike) > 1:
        raise ValueError("all cells of a pass must share directions, or none, got both")
    return InnerProducts if alike == {True} else Reports


def _sees_inner_products(cell: Cell) -> bool:
    return shares_directions(cell.mechanism) and hasattr(cell.distinguisher, "score_inner_products")


def _check(cell: Cell, sampling: str) -> None:
    """Raise an error unless the parts of a cell fit together."""
    rule, mechanism = cell.distinguisher, cell.mechanism
    if sampling == "projected" and not _sees_inner_products(cell):
        raise UnsupportedCombinationError(
            "projected sampling needs our own mechanism and a linear distinguisher, "
            f"got {mechanism.name} and {rule.name}"
        )
    if rule.view == "white":
        return
    if not shares_directions(mechanism):
        raise UnsupportedCombinationError(
            f"a black box needs a mechanism that draws directions apart from its coins, got {mechanism.name}"
        )
    if cell.trainer is None or cell.pair.model is None:
        raise ValueError(f"{rule.name} looks at models, so its cell must have a server and a pair with its model")
    if cell.trainer.num_clients > 1 and len(cell.others.norms if cell.others else ()) < cell.trainer.num_clients - 1:
        raise ValueError(f"a round of {cell.trainer.num_clients} clients must have that many less one others")
    check_radius(cell.trainer.radius, cell.pair.model)
