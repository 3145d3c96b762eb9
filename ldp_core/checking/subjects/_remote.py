"""A Python mechanism in a process of its own, as the process that decides sees it."""

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
from ldp_core.checking.subjects._calls import STATED, VARIED, batch_rows, inexact, joined, longest_report, one_type
from ldp_core.checking.subjects._process import Limits, Process
from ldp_core.checking.subjects._words import printable
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
        """Return the next process, or None."""
        with contextlib.suppress(IndexError):
            return self._ready.pop(0)
        return self._start() if self._start else None

    def close(self) -> None:
        """End those that nobody took."""
        while self._ready:
            self._ready.pop().close(at_once=True)


class RemoteSubject:
    """A mechanism that another process runs; ``close`` ends it.

    Args:
        supply: of processes for restarts.
        settings: the first frame that is sent; empty if the process knows what it runs.
        dimension: length d of the inputs.
        limits: of time.
        first: whether nobody needs the supply after it; else it is a restarted one.
        alike: whether other processes that run it would draw the same numbers: then there is no restart.

    Raises:
        ValueError: if the mechanism needs an argument that nobody gave.
        MechanismUnavailableError: if it cannot be imported or made.
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
        self.alike = alike
        self._process, self._supply, self._settings, self._first = process, supply, settings, first
        self._dimension, self._limits = dimension, limits
        self._rows, self._length, self._type, self._problem = _FIRST_ROWS, 0, "", ""
        self.takes: tuple[str, ...] = ()
        self.told: dict[str, Any] = {}
        try:
            self.stated = self._introduced()
        except BaseException:
            self._process.close(at_once=True)
            raise

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[Any]:
        """Return reports; see ``claims.Subject``. A sentence of the mechanism's leaves it running."""
        if self._problem:
            raise MechanismUnavailableError(f"the mechanism cannot be asked again after an error: {self._problem}")
        parts: list[NDArray[Any]] = []
        while num_reports > 0:
            count, start = min(self._rows, num_reports), time.monotonic()
            parts.append(self._asked(gradient, count))
            num_reports -= count
            took = time.monotonic() - start
            if took < _QUICK_SECONDS and count == self._rows:  # a slow mechanism is asked for little at a time
                self._rows = min(_GROWTH * self._rows, batch_rows(self._dimension))
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

    def stop(self) -> None:
        """Have it killed at once, also from another thread."""
        self._process.stop()

    def close(self) -> None:
        """End it."""
        self._process.close(at_once=bool(self._problem))
        self._problem = self._problem or "it was closed"
        if self._first:
            self._supply.close()

    def _introduced(self) -> dict[str, float | str]:
        """Send the settings, and return what the mechanism states."""
        reader, seconds = _frames.Reader(), max(START_SECONDS, self._limits.timeout)
        self._process.exchange(self._settings, seconds, reader.feed, "be imported and made", lambda: "")
        said = reader.words() if reader.kind != _frames.ANSWER else None
        if reader.kind == _frames.STATED:
            self.told = said if isinstance(said, dict) else {}
            takes = self.told.get("takes")
            self.takes = tuple(name for name in VARIED if isinstance(takes, list) and name in takes)
            return _credible(said)
        sentence = printable(str(said), _SENTENCE)
        raise ValueError(sentence) if reader.kind == _frames.WRONG else MechanismUnavailableError(sentence)

    def _asked(self, gradient: NDArray[np.float32], count: int) -> NDArray[Any]:
        reader = _frames.Reader(count, longest_report(self._dimension), self._length)
        try:
            if self._process.waiting():
                raise MechanismContractError("an answer must come after its request, got one before")
            whole = self._process.exchange(
                _frames.request(gradient, count),
                self._limits.timeout,
                reader.feed,
                "answer",
                lambda: f"0 of {count} reports",
            )
            if not whole:
                raise MechanismContractError("an answer must come after its request, got one before")
            if reader.kind == _frames.ANSWER:
                reports = reader.reports()
                self._length, self._type = reports.shape[1], one_type(self._type, reports)
                if problem := inexact(reports):
                    raise MechanismUnavailableError(problem)
                return reports
            sentence = printable(str(reader.words()), _SENTENCE)
            if reader.kind != _frames.BROKEN:
                raise MechanismUnavailableError(sentence)
        except (MechanismContractError, MechanismUnavailableError) as error:
            self._problem = str(error)
            self._process.close(at_once=True)
            raise
        raise MechanismContractError(sentence)


def _credible(said: Any) -> dict[str, float | str]:
    """Return those of a mechanism's statements that are a number or a word under a known name."""
    found: dict[str, float | str] = {}
    for name, value in said.items() if isinstance(said, dict) else ():
        if name == "clip_order":
            found[name] = printable(str(value), 40)
        elif name in STATED and isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            found[name] = float(value)
    return found
