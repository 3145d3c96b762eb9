"""Several processes of one mechanism that answer at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.claims import Subject
from ldp_core.checking.subjects._remote import RemoteSubject
from ldp_core.checking.subjects.calls import joined, rows_of

if TYPE_CHECKING:
    from ldp_core.checking.subjects._process import Process


class Worker(Subject, Protocol):
    """A subject in a process of its own."""

    @property
    def stated(self) -> dict[str, float | str]:
        """What the mechanism states about itself."""
        ...

    def stop(self) -> None:
        """Have it killed at once, also from another thread."""
        ...


_Worker = TypeVar("_Worker", bound=Worker)


class Workers:
    """Splits the reports of each request over several subjects, in equal parts that keep their order.

    A single report comes from the first; a request with a row of its own for each report is split with them. Restarted,
    each is.
    ``subjects``: at least one.
    """

    seeded, ordered, alike, notice = False, True, False, ""

    def __init__(self, subjects: Sequence[Worker]) -> None:
        self._subjects = tuple(subjects)
        self._threads = ThreadPoolExecutor(len(self._subjects), thread_name_prefix="worker")

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return reports; see ``claims.Subject``."""
        if num_reports == 1:
            return self._subjects[0].randomize(gradient, 1)
        parts = len(self._subjects)
        ends = [num_reports * part // parts for part in range(parts + 1)]
        waiting = [
            self._threads.submit(subject.randomize, rows_of(gradient, start, end), end - start)
            for subject, (start, end) in zip(self._subjects, pairwise(ends), strict=True)
            if end > start
        ]
        wait(waiting)  # none is asked again before it has answered
        return joined([future.result() for future in waiting])

    @property
    def stated(self) -> dict[str, float | str]:
        """What the first states."""
        return self._subjects[0].stated

    @property
    def takes(self) -> tuple[str, ...]:
        """What the first can be made with other values of."""
        first = self._subjects[0]
        return first.takes if isinstance(first, RemoteSubject) else ()

    def remade(self, values: Mapping[str, float]) -> Subject | None:
        """Return one more of them, made with other values; None of a program."""
        first = self._subjects[0]
        return first.remade(values) if isinstance(first, RemoteSubject) else None

    def restarted(self) -> Subject | None:
        """Return as many new ones; None if one cannot be restarted."""
        subjects: list[Any] = []
        try:
            for new in self._threads.map(lambda subject: subject.restarted(), self._subjects):
                subjects.append(new)
        except BaseException:
            _close(subjects)
            raise
        if None in subjects:
            _close(subjects)
            return None
        return Workers(subjects)

    def close(self) -> None:
        """End all."""
        for subject in self._subjects:  # an answer that a thread still waits for does not come
            subject.stop()
        self._threads.shutdown()
        _close(self._subjects)


def together(processes: Sequence[Process], made: Callable[[Process], _Worker]) -> _Worker | Workers:
    """Return what answers with several processes at a time.

    ``made``: waits until a process is ready, and returns it as a subject; if one is not what it should be, all are
    ended.
    """
    if len(processes) == 1:
        return made(processes[0])
    with ThreadPoolExecutor(len(processes)) as threads:
        waiting = [threads.submit(made, process) for process in processes]
        try:
            return Workers([future.result() for future in waiting])
        except BaseException:
            for process in processes:
                process.stop()
            wait(waiting)
            for process in processes:
                process.close(at_once=True)
            raise


def _close(subjects: Sequence[Any]) -> None:
    for subject in subjects:
        if subject is not None:
            subject.close()
