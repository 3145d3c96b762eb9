"""What a study is: all that the queue, the command line, saved results and documents know of one.

A study asks one question. It is a folder in ``ldp_core.studies`` and one line in the registry there; nothing else in
the core names it. No torch.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from ldp_core.cache import Cache
    from ldp_core.presentation.documents.context import Context

_Result = TypeVar("_Result")
_Job = TypeVar("_Job")


@dataclass(frozen=True, slots=True)
class Step(Generic[_Result]):
    """Where a run stands: how many units of a stage are done; "data" and "download", in bytes, are the same everywhere.

    ``total``: 0 where it is not known; ``result``: what is found so far, valid at every moment; None before there is
    anything.
    """

    stage: str
    done: int
    total: int
    result: _Result


class Request(Protocol):
    """One run that somebody waits for.

    Args:
        config: of the study.
        data_dir: folder that holds the data set; None where it is built in.
        download: whether a missing public data set may be downloaded.
        own: what the client brought, dropped when the run ends.
        device: where a study that can be run elsewhere is computed.
        resume: file with what an earlier run of the same settings finished; None where there is none.
    """

    config: Any
    data_dir: Path | None
    download: bool
    own: Any
    device: str
    resume: Path | None

    def unwanted(self) -> bool:
        """Return whether nobody waits for it any more."""
        ...


@dataclass
class CommandRun:
    """The run that a command asks for, a ``Request``."""

    config: Any
    data_dir: Path | None = None
    download: bool = False
    own: Any = None
    device: str = "cpu"
    resume: Path | None = None

    def unwanted(self) -> bool:
        """Return False: Ctrl-C ends a command."""
        return False


class Study(ABC):
    """One question, and how it is run, kept and told.

    Args:
        name: of the study in the program and in the names of files; without one, that of its folder.
        config: type of its configuration, by which it is recognized.
        timed: stage of a run whose time is foretold; "" for none.
        schemas: of its JSON, the present one first; none for a study whose results are never kept.
        command_modules: of its folder, each with a ``COMMAND``, or with ``NAME`` and ``add_to``.
    """

    name: ClassVar[str]
    config: ClassVar[type]
    timed: ClassVar[str] = ""
    schemas: ClassVar[tuple[str, ...]] = ()
    command_modules: ClassVar[tuple[str, ...]] = ("command",)

    def __init_subclass__(cls) -> None:
        cls.name = vars(cls).get("name", cls.__module__.split(".")[-2])

    @property
    def folder(self) -> str:
        """Return the name of its folder, here and among the pages."""
        return type(self).__module__.split(".")[-2]

    @property
    def commands(self) -> tuple[Any, ...]:
        """Return what adds its commands to the parser."""
        modules = [import_module(f"ldp_core.studies.{self.folder}.{name}") for name in self.command_modules]
        return tuple(module if hasattr(module, "add_to") else module.COMMAND for module in modules)

    @abstractmethod
    def run(self, request: Request, cache: Cache, threads: int | None) -> Iterator[Any]:
        """Return the steps of a run, None where there is nothing new to show.

        Each is a ``Step`` or has its fields; its result says whether it is ``completed``. Leaving the iterator cancels
        the run; the last result is valid. Torch is imported by the first step.

        Args:
            request: what to run, and where; ``unwanted`` is asked where a step takes long.
            cache: keeps trained models.
            threads: worker threads; without a number, all cores.

        Raises:
            ValueError: if an argument is wrong.
            LdpCoreError: if the data, the cache or the device fail.
        """

    @abstractmethod
    def has_data(self, result: Any) -> bool:
        """Return whether a result holds anything."""

    def progress(self, step: Any) -> tuple[str, float, float]:
        """Return a step's stage, units done and units in all."""
        return step.stage, step.done, step.total

    def work(self, step: Any) -> float:
        """Return which share of the timed stage's work is done, from 0 to 1."""
        _, done, total = self.progress(step)
        return done / total if total else 0.0

    def check_size(self, config: Any) -> None:  # noqa: B027 - most studies are small
        """Raise ``workload.TooLargeError`` for a run that would keep the page's worker too long."""

    def seconds(self, config: Any, values_per_second: float | None) -> float:
        """Return about how long a run takes on a device that draws so many random values in a second."""
        raise NotImplementedError

    def read(self, content: bytes, report: Mapping[str, Any]) -> tuple[Any, tuple[str, ...]]:
        """Return a result and its notes from JSON of one of the schemas; derived values are not believed.

        Raises ``ValueError`` if it contradicts itself.
        """
        raise ValueError(f"a {self.name} must stay in memory, got a kept one")

    def to_json(self, result: Any, notes: Sequence[str] = ()) -> str:
        """Return a result as JSON of the present schema."""
        raise ValueError(f"a {self.name} must stay in memory, got a result to be kept")

    def text(self, result: Any, notes: Sequence[str] = ()) -> str:
        """Return what the command prints."""
        raise NotImplementedError

    def code(self, result: Any) -> int:
        """Return the exit code of the command: 0 or, where a claim is rejected, 1."""
        return 0

    def datasets(self, config: Any) -> tuple[str, ...]:
        """Return the names of the data sets that a run needs."""
        dataset = getattr(config, "dataset", "")
        return tuple(getattr(config, "datasets", (dataset,) if dataset else ()))

    def finding(self, result: Any, context: Context) -> Sequence[str]:
        """Return the finding for a document, the verdict first, where the caller brings no sentences."""
        return ()

    def parts(self, result: Any, context: Context) -> list[str]:
        """Return the sections of a document that follow the finding."""
        raise NotImplementedError

    def save_figures(self, result: Any, folder: Path, words: Mapping[str, str], epsilon: float | None) -> list[Path]:
        """Save the figures for print and return the files; ``epsilon`` is of charts that are drawn at one."""
        return []


def data_of(request: Request, datasets: Sequence[str]) -> Generator[None, None, dict[str, Any]]:
    """Return where a run finds its data: ``data_dir``, ``download``, and ``images``, the client's own.

    Where they are among ``datasets``, they are read into memory, one by one: the uploaded archive, or the folder that
    was named.
    Raises ``ValueError`` if they were neither named nor picked for this run.
    """
    images = None
    if "own" in datasets:
        from ldp_core.datasets import reading

        if not isinstance(request.own, bytes | Path):
            raise ValueError("your own images must be named or picked, got none: they are dropped when a run ends")
        images = yield from reading(request.own)
    return {"data_dir": request.data_dir, "download": request.download, "images": images}


def in_order(
    pool: ThreadPoolExecutor, work: Callable[[_Job], _Result], jobs: Iterable[_Job], ahead: int
) -> Iterator[_Result]:
    """Yield what ``work`` returns of each job, in the order of the jobs, with ``ahead`` of them in work or waiting."""
    coming = iter(jobs)
    waiting = deque(pool.submit(work, job) for job in islice(coming, ahead))
    try:
        while waiting:
            answer = waiting.popleft().result()
            waiting.extend(pool.submit(work, job) for job in islice(coming, 1))
            yield answer
    finally:
        for future in waiting:
            future.cancel()
