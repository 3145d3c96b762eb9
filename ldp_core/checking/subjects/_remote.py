"""A stranger's Python in a process of its own, as the process that decides sees it."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._process import Limits, Process
from ldp_core.checking.subjects._words import printable
from ldp_core.checking.subjects.calls import (
    STATED,
    VARIED,
    batch_rows,
    inexact,
    joined,
    longest_report,
    one_type,
    rows_of,
)
from ldp_core.errors import MechanismContractError, MechanismUnavailableError

START_SECONDS = 120.0
"""For the first answer, which comes after everything that the mechanism imports; more if the timeout is longer."""
_FIRST_ROWS, _GROWTH = 1, 4
_QUICK_SECONDS, _SLOW_SECONDS = 0.5, 4.0
_SENTENCE = 600


class Supply:
    """Processes that run one mechanism: one for each call.

    Args:
        ready: that were started before, in the order in which they are given.
        start: starts one more once those are used up; without it, there are no more.
    """

    def __init__(self, ready: Iterable[Process] = (), start: Callable[[], Process] | None = None) -> None:
        self._ready, self._start = list(ready), start

    def __call__(self) -> Process | None:
        with contextlib.suppress(IndexError):
            return self._ready.pop(0)
        return self._start() if self._start else None

    def close(self) -> None:
        """End those that nobody took."""
        while self._ready:
            self._ready.pop().close(at_once=True)


class Remote:
    """A stranger's Python that another process runs, and that is asked by frames; ``close`` ends it.

    Args:
        settings: the first frame that is sent; empty if the process knows what it runs.
        limits: of time.

    Raises:
        ValueError: if what it runs needs an argument that nobody gave.
        MechanismUnavailableError: if it cannot be imported or made.
    """

    what, begun = "the mechanism", "be imported and made"

    def __init__(self, process: Process, settings: bytes, limits: Limits) -> None:
        self._process, self._limits, self._problem = process, limits, ""
        try:
            self.told = self._introduced(settings)
        except BaseException:
            self._process.close(at_once=True)
            raise

    def stop(self) -> None:
        """Have it killed at once, also from another thread; it must still be closed."""
        self._process.stop()

    def close(self) -> None:
        """End it."""
        self._process.close(at_once=bool(self._problem))
        self._problem = self._problem or "it was closed"

    def accepted(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return the numbers of an answer, or raise what is wrong with them."""
        raise NotImplementedError

    def answer(self, request: bytes, reader: _frames.Reader, task: str, done: str) -> NDArray[Any]:
        """Return the answer to a request; a sentence on a wrong report leaves the process running, all else ends it.

        ``task`` and ``done``: for the sentence if it is late.
        """
        if self._problem:
            raise MechanismUnavailableError(f"{self.what} cannot be asked again after an error: {self._problem}")
        try:
            early = self._process.waiting()
            if early or not self._process.exchange(request, self._limits.timeout, reader.feed, task, lambda: done):
                raise MechanismContractError("an answer must come after its request, got one before")
            if reader.kind == _frames.ANSWER:
                return self.accepted(reader.reports())
            sentence = printable(str(reader.words()), _SENTENCE)
            if reader.kind != _frames.BROKEN:
                raise MechanismUnavailableError(sentence)
        except (MechanismContractError, MechanismUnavailableError) as error:
            self._problem = str(error)
            self._process.close(at_once=True)
            raise
        raise MechanismContractError(sentence)

    def _introduced(self, settings: bytes) -> dict[str, Any]:
        """Send the settings, and return what it says of itself."""
        reader, seconds = _frames.Reader(), max(START_SECONDS, self._limits.timeout)
        self._process.exchange(settings, seconds, reader.feed, self.begun, lambda: "")
        message = reader.words() if reader.kind != _frames.ANSWER else None
        if reader.kind == _frames.STATED:
            return message if isinstance(message, dict) else {}
        sentence = printable(str(message), _SENTENCE)
        raise ValueError(sentence) if reader.kind == _frames.WRONG else MechanismUnavailableError(sentence)


class RemoteSubject(Remote):
    """A mechanism that another process runs; see ``Remote``.

    Args:
        supply: of processes for restarts.
        dimension: length d of the inputs.
        first: whether nobody needs the supply after it; else it is a restarted one.
        alike: whether other processes that run it would draw the same numbers: then there is no restart.
    """

    seeded, ordered, notice = False, True, ""

    def __init__(
        self,
        process: Process,
        supply: Supply,
        settings: bytes,
        dimension: int,
        limits: Limits,
        *,
        first: bool = True,
        alike: bool = False,
    ) -> None:
        super().__init__(process, settings, limits)
        self.alike = alike
        self._supply, self._settings, self._first, self._dimension = supply, settings, first, dimension
        self._rows, self._length, self._type = _FIRST_ROWS, 0, ""
        takes = self.told.get("takes")
        self.takes = tuple(name for name in VARIED if isinstance(takes, list) and name in takes)
        self.stated = _credible(self.told)

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return reports; see ``claims.Subject``. A sentence of the mechanism's leaves it running."""
        parts: list[NDArray[Any]] = []
        done = 0
        while done < num_reports:
            count, start = min(self._rows, num_reports - done), time.monotonic()
            reader = _frames.Reader(count, longest_report(self._dimension), self._length)
            request = _frames.request(rows_of(gradient, done, done + count), count)
            parts.append(self.answer(request, reader, "answer", f"0 of {count} reports"))
            done += count
            took = time.monotonic() - start
            if took < _QUICK_SECONDS and count == self._rows:  # a slow mechanism is asked for little at a time
                self._rows = min(_GROWTH * self._rows, batch_rows(max(self._dimension, self._length)))
            elif took > _SLOW_SECONDS:
                self._rows = max(1, self._rows // 2)
        return joined(parts)

    def restarted(self) -> RemoteSubject | None:
        """Start the mechanism a second time, beside the first; None if there is no process left for it."""
        process = self._supply()
        if process is None:
            return None
        return RemoteSubject(process, self._supply, self._settings, self._dimension, self._limits, first=False)

    def remade(self, values: Mapping[str, float]) -> RemoteSubject | None:
        """Make it with other values of what it takes, beside the first; None if there is no process left for it.

        Raises:
            ValueError: as when it was made.
            MechanismUnavailableError: likewise.
        """
        process = self._supply()
        if process is None:
            return None
        settings = json.loads(self._settings[_frames.HEADER.size :])
        taken = {name: values[name] for name in self.takes}
        settings |= {"values": settings["values"] | taken, "given": sorted({*settings["given"], *taken})}
        frame = _frames.words(_frames.SETTINGS, settings)
        return RemoteSubject(process, self._supply, frame, self._dimension, self._limits, first=False)

    def close(self) -> None:
        """End it."""
        super().close()
        if self._first:
            self._supply.close()

    def accepted(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return reports that may be compared with those before."""
        self._length, self._type = numbers.shape[1], one_type(self._type, numbers)
        if problem := inexact(numbers):
            raise MechanismUnavailableError(problem)
        return numbers


def _credible(statements: Mapping[str, Any]) -> dict[str, float | str]:
    """Return those of a mechanism's statements that are a number or a word under a known name."""
    credible: dict[str, float | str] = {}
    for name, value in statements.items():
        if name == "clip_order":
            credible[name] = printable(str(value), 40)
        elif name in STATED and isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            credible[name] = float(value)
    return credible
