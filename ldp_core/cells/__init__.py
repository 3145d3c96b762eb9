"""Step 4 for many cells at once: one pass of directions serves every attack, every epsilon and every rule.

A cell is one pair, one mechanism and one distinguisher. LDP-SGD's directions depend neither on the gradient nor on
epsilon, so all cells of a measurement share them and each throws its own coins. Every cell's law is exactly that of a
run of its own, and its counts are the same; between cells the randomness is shared, which makes comparisons sharper.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ldp_core import _validate
from ldp_core.cells._black import OTHERS, BlackRunner
from ldp_core.cells._cell import Cell
from ldp_core.cells._white import WhiteRunner
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.server import check_radius
from ldp_core.tallies import Tallies, guesses
from ldp_core.trials import AHEAD, worker_threads

__all__ = ["OTHERS", "Cell", "run_cells"]
_WAIT_SECONDS = 2.0
"""A chunk with a thousand clients may take a minute: whoever wants to stop is asked at least this often."""


def run_cells(
    cells: Sequence[Cell],
    num_trials: int,
    *,
    seed: int,
    measurement: int = 0,
    threads: int = 1,
    curves: bool = False,
    pool: ThreadPoolExecutor | None = None,
) -> Generator[Tallies, None, None]:
    """Run the trials of all cells; yield the tallies (always the same object) at once, empty, and after each chunk.

    While a chunk takes long they are yielded unchanged, every two seconds.
    The first chunks are in work from then on. Whoever begins the next pass when this one has nothing left to submit,
    that is ``AHEAD`` chunks for each thread before its end, keeps a shared pool busy.

    Args:
        cells: at least one.
        num_trials: trials of each cell, >= 1.
        seed: of all streams, >= 0.
        measurement: number of the measurement, >= 0.
        threads: worker threads, >= 1; the counts do not depend on it.
        curves: whether to count errors at ``tallies.NUM_THRESHOLDS`` thresholds. They are quantiles of the first
            chunk's scores, whose trials the curve leaves out: no threshold is picked from what it is judged on.
        pool: of ``worker_threads``, to be used in place of an own one; it goes on when the run ends.

    Raises:
        ValueError: if a number is out of range.
        UnsupportedCombinationError: if a cell's parts do not fit together.
    """
    _validate.integer("num_trials", num_trials, 1)
    _validate.integer("threads", threads, 1)
    for cell in cells:
        _check(cell)
    batch = _kind(cells)(cells, num_trials, seed, measurement, unit_scores=curves)
    num_chunks = -(-num_trials // batch.chunk_size)
    tallies = Tallies(len(cells), curves=curves)

    def run_chunk(chunk: int) -> tuple[NDArray[np.int64], Tensor, Tensor]:
        scores, num_first = batch.run_chunk(chunk)
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
            batch.halt.set()
            for future in waiting:
                future.cancel()


def _kind(cells: Sequence[Cell]) -> type[WhiteRunner] | type[BlackRunner]:
    """Return what runs the cells, which must all look at the same thing and have the same kind of gradient."""
    if not cells:
        raise ValueError("a pass must have at least one cell, got none")
    first = cells[0].pair.first
    if any(cell.pair.first.shape != first.shape or cell.pair.first.dtype != first.dtype for cell in cells):
        raise ValueError("all cells of a pass must have gradients of one dimension and dtype")
    views = {cell.distinguisher.view for cell in cells}
    if len(views) > 1:
        raise ValueError("all cells of a pass must look at reports, or all at models, got both")
    return WhiteRunner if views == {"white"} else BlackRunner


def _check(cell: Cell) -> None:
    """Raise an error unless the parts of a cell fit together."""
    rule, mechanism = cell.distinguisher, cell.mechanism
    if not hasattr(mechanism, "own_side"):
        raise UnsupportedCombinationError(
            f"cells can share directions only if the mechanism draws them apart from its coins, got {mechanism!r}"
        )
    if rule.view == "white":
        if not hasattr(rule, "score_inner_products"):
            raise UnsupportedCombinationError(f"cells need a linear white-box distinguisher, got {rule.name}")
        return
    if cell.trainer is None or cell.pair.model is None:
        raise ValueError(f"{rule.name} looks at models, so its cell must have a server and a pair with its model")
    if cell.trainer.num_clients > 1 and len(cell.others.norms if cell.others else ()) < cell.trainer.num_clients - 1:
        raise ValueError(f"a round of {cell.trainer.num_clients} clients must have that many less one others")
    check_radius(cell.trainer.radius, cell.pair.model)
