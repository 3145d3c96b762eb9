"""Many cells in one run: attacks by epsilons by rules by measurements by data sets, kept as they finish.

Everything that shares a data set, a measurement and a test goes through one pass (see ``cells``). A pass depends on its
arguments alone, so passes may run in this process or, through joblib, in others and on other machines.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ldp_core import _validate
from ldp_core.cache import Cache
from ldp_core.datasets import DATASETS, ImageData
from ldp_core.errors import HaltedError, StoreError, UnsupportedCombinationError
from ldp_core.facts import DataFacts
from ldp_core.game.backends import carry_out, check_backend
from ldp_core.game.setup import Prepared, client_state, devices_of, one_thread_per_operation, prepare, resolve_device
from ldp_core.game.sweep import TESTS, CompareConfig, CompareResult, test_of
from ldp_core.game.trials import AHEAD, sampling_threads, worker_threads
from ldp_core.learning.models import fingerprint, flat_parameters, to_bytes
from ldp_core.mechanisms import LDP_SGD_FAMILY, MECHANISMS
from ldp_core.private import ClientState
from ldp_core.randomness.blocks import chunk_size
from ldp_core.studies.compare import shared_cells
from ldp_core.studies.compare.passes import Pairs, Pass, Steps, crafted, pass_steps, run_pass
from ldp_core.studies.compare.store import Finding, Store, assemble
from ldp_core.study import Step
from ldp_core.types import AuditConfig


@dataclass(frozen=True, slots=True)
class CompareProgress(Step[CompareResult]):
    """As in an audit, with the trials of the pass in work; with another backend "passes" of the comparison.

    ``cells_done`` measurements of cells, of ``cells_total``, are finished and kept. ``notes`` are sentences on those
    that could not be made; ``unkept`` says why the store lacks some of the result, "" if it has all of it.
    """

    dataset: str
    cells_done: int
    cells_total: int
    notes: tuple[str, ...] = ()
    unkept: str = ""


def compare(
    config: CompareConfig,
    cache: Cache,
    store: Store | None = None,
    *,
    device: str = "cpu",
    threads: int | None = None,
    data_dir: Path | None = None,
    download: bool = False,
    images: ImageData | None = None,
    backend: str = "here",
    cluster: str | None = None,
    workers: int | None = None,
    halted: Callable[[], bool] = bool,
) -> Generator[CompareProgress, None, None]:
    """Run what the store does not hold yet; whoever stops iterating loses at most the passes in work.

    ``store``: without one, the cells that the cache's comparisons share.
    ``threads``: of one pass; without a number all cores, or 1 with a backend. ``backend``: one of
    ``backends.BACKENDS``, with ``cluster`` as ``check_backend`` takes it and so many ``workers``, processes that joblib
    uses at a time. The rest as for ``audit``; ``halted`` is asked in this process alone.
    Yields the state after each step; the last one's ``result`` is all that could be found.
    Raises ``ValueError`` if an argument is wrong; ``LdpCoreError`` if data, cache, store, device or backend fail.
    """
    for name in config.datasets:
        _validate.choice("dataset", name, DATASETS)
    _validate.choice("mechanism", config.mechanism, MECHANISMS)
    if config.mechanism not in LDP_SGD_FAMILY:
        raise UnsupportedCombinationError(
            f"a comparison needs a mechanism whose noise is LDP-SGD's ({', '.join(LDP_SGD_FAMILY)}), "
            f"got {config.mechanism}"
        )
    check_backend(backend, cluster, workers)
    if backend not in ("here", "loky") and "own" in config.datasets:
        raise UnsupportedCombinationError(f"your own images stay on this machine, got the backend {backend} for them")
    if backend != "here" and images is not None:
        raise UnsupportedCombinationError("images in memory stay in this process, got another backend for them")
    device = resolve_device(device)
    threads = sampling_threads(devices_of(device), 1 if threads is None and backend != "here" else threads)
    run = _Run(config, store or shared_cells.of(cache).opened())
    with one_thread_per_operation():
        for name in config.datasets:
            yield run.progress(name, "data")
            ready = yield from prepare(
                partial(run.progress, name), name, config.training, cache,
                data=images if name == "own" else None, data_dir=data_dir, download=download,
            )  # fmt: skip
            passes = run.begin(name, ready, str(data_dir) if data_dir else None, threads, device)
            yield run.progress(name, "crafting")  # with what the store holds, which may be all
            if backend == "here":
                steps = _in_this_process(run, passes, client_state(ready.data, ready.model, config.clip_norm, halted))
            else:
                steps = _elsewhere(run, passes, backend, cluster, workers)
            try:
                with closing(steps):
                    yield from steps
            except HaltedError:
                yield run.progress(name, "crafting")
                return


class _Run:
    """The bookkeeping of one comparison."""

    def __init__(self, config: CompareConfig, store: Store) -> None:
        self.config, self.store = config, store
        self.cells = config.cells()
        self.total = sum(cell.num_measurements for cell in self.cells)
        self.found: dict[tuple[AuditConfig, int], Finding] = {}
        self.notes: list[str] = []
        self.facts: dict[str, DataFacts] = {}
        self.result = assemble(config, {})
        self.digest = ""
        self.unkept: list[tuple[Sequence[Finding], str]] = []
        self.failure = ""
        if (first := store.first_plan(config)) != config.num_measurements:
            self.notes.append(
                f"this store was first asked for {first} measurements: reading it again with "
                f"{config.num_measurements} spends the significance a second time"
            )

    def begin(self, name: str, ready: Prepared, data_dir: str | None, threads: int, device: str) -> list[Pass]:
        """Look up what is kept of a data set's cells, and return the passes that are missing."""
        name_of_data = fingerprint(ready.data)
        self.facts[name] = ready.facts
        self.digest = self.store.digest(name_of_data)
        cells = [cell for cell in self.cells if cell.dataset == name]
        curves = self.config.curves and self.config.num_trials > chunk_size(flat_parameters(ready.model).numel())
        self.found |= {
            key: finding
            for key, finding in self.store.find(cells, self.digest).items()
            if finding.result.curve is not None or not curves
        }
        self.result = assemble(self.config, self.found, self.facts)
        weights, passes = to_bytes(ready.model, ready.facts.passes), []
        for measurement in range(self.config.num_measurements):
            for test in TESTS:
                missing = tuple(
                    cell
                    for cell in cells
                    if test_of(cell.distinguisher) == test and (cell, measurement) not in self.found
                )
                if missing:
                    passes.append(
                        Pass(missing, measurement, self.config.curves, weights, name_of_data, data_dir, threads, device)
                    )
        return passes

    def finish(self, findings: Sequence[Finding], notes: Sequence[str]) -> None:
        """Keep what a pass found, and what the store could not take before."""
        self.unkept.append((findings, self.digest))
        try:
            while self.unkept:
                self.store.add(*self.unkept[0])
                del self.unkept[0]
        except StoreError as error:
            self.failure = str(error)
        self.found |= {(finding.config, finding.measurement): finding for finding in findings}
        self.notes += [note for note in notes if note not in self.notes]
        self.result = assemble(self.config, self.found, self.facts)

    def progress(self, dataset: str, stage: str, done: int = 0, total: int = 0) -> CompareProgress:
        failure = self.failure if self.unkept else ""
        notes = tuple(self.notes)
        return CompareProgress(stage, done, total, self.result, dataset, len(self.found), self.total, notes, failure)


def _in_this_process(run: _Run, passes: Sequence[Pass], client: ClientState) -> Generator[CompareProgress, None, None]:
    """Run passes one after another; those of one measurement share its pairs.

    All share one pool: a thread more than there are cores would make all of them wait for each other. While a pass
    runs, the next ones' pairs are crafted, and behind its last chunks wait the next one's first: no thread idles.
    """
    if not passes:
        return
    with worker_threads(passes[0].threads) as pool, closing(_Beginnings(passes, client, pool)) as beginnings:
        last_submitted = AHEAD * passes[0].threads * chunk_size(flat_parameters(client.model).numel(), passes[0].device)
        following: Steps | None = None
        for number, pass_ in enumerate(passes):
            name, planned = pass_.configs[0].dataset, pass_.configs[0].num_trials
            yield run.progress(name, "crafting")
            steps, following = following or beginnings.begin(number), None
            for done, outcome in steps:
                if outcome is not None:
                    run.finish(*outcome)
                elif following is None and planned - done <= last_submitted and beginnings.can_begin(number + 1):
                    following = beginnings.begin(number + 1)
                yield run.progress(name, "trials", done, planned)


class _Beginnings:
    """Passes begun in their order; the pairs of two more are crafted ahead, in the pool that runs the trials."""

    def __init__(self, passes: Sequence[Pass], client: ClientState, pool: ThreadPoolExecutor) -> None:
        self._passes, self._client, self._pool = passes, client, pool
        self._pairs: dict[int, Future[Pairs]] = {}
        self._begun = ExitStack()
        self._begun.callback(pool.shutdown, wait=False, cancel_futures=True)  # last of all: nobody waits for pairs then

    def begin(self, number: int) -> Steps:
        """Begin a pass, which puts its first chunks into the pool; wait for its pairs."""
        self._craft_until(number + 1)
        steps = pass_steps(self._passes[number], self._client, self._pairs[number].result(), self._pool)
        self._pairs.pop(number - 1, None)
        self._begun.enter_context(closing(steps))
        next(steps)
        self._craft_until(number + 2)
        return steps

    def can_begin(self, number: int) -> bool:
        """Return whether a pass can begin without waiting; one whose pairs failed must not yet."""
        pairs = self._pairs.get(number)
        return pairs is not None and pairs.done() and pairs.exception() is None

    def close(self) -> None:
        """Stop the passes and what waits in the pool."""
        self._begun.close()

    def _craft_until(self, number: int) -> None:
        for later in range(max(self._pairs, default=-1) + 1, min(number + 1, len(self._passes))):
            self._pairs[later] = self._pool.submit(self._craft, later)

    def _craft(self, number: int) -> Pairs:
        """Craft a pass's pairs; those of the pass before serve again where the measurement is the same."""
        pass_, last = self._passes[number], self._passes[number - 1] if number else None
        known = self._pairs[number - 1].result() if last and last.measurement == pass_.measurement else None
        return crafted(pass_, self._client, last, known)


def _elsewhere(
    run: _Run, passes: Sequence[Pass], backend: str, cluster: str | None, workers: int | None
) -> Generator[CompareProgress, None, None]:
    """Run passes through joblib, in any order; what they find does not depend on it."""
    if not passes:
        return
    name, finished = passes[0].configs[0].dataset, carry_out(run_pass, passes, backend, cluster, workers)
    yield run.progress(name, "passes", 0, len(passes))
    with closing(finished):
        for number, (findings, notes) in enumerate(finished, start=1):
            run.finish(findings, notes)
            yield run.progress(name, "passes", number, len(passes))
