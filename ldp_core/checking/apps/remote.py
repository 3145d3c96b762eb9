"""An app that a stranger wrote. Its code runs in a process of its own, and only at the client's request.

Never import this module from a page: no field of a browser may name code.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.claims import Subject
from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._process import Limits, Process
from ldp_core.checking.subjects._remote import RemoteSubject, Supply
from ldp_core.checking.subjects._words import printable
from ldp_core.checking.subjects._workers import together
from ldp_core.checking.subjects.python import interpreter, several
from ldp_core.errors import MechanismContractError

__all__ = ["MOST_COLUMNS", "App", "Limits"]
MOST_COLUMNS = 1_000_000
"""Numbers that one reply may have."""
_WHAT, _NAME, _RESTARTS, _MOST_MODS = "the app", 120, 2, 20


class App:
    """An app in processes of its own; see ``verdict.Source``. Close it at the end.

    Args:
        folder: with its ``pyproject.toml``.
        limits: of time and memory, and how many processes answer at a time.
        how: it is asked: arguments of ``app.FlowerApp``.

    Raises:
        ValueError: if there is no ``pyproject.toml`` in the folder.
        MechanismUnavailableError: if it cannot be loaded.
    """

    at_once = 0

    def __init__(self, folder: str, limits: Limits, **how: str | int) -> None:
        if not (Path(folder) / "pyproject.toml").is_file():
            raise ValueError(f"FOLDER must hold the app's pyproject.toml, got {folder!r}")
        start, dimension = partial(interpreter, limits, "ldp_core.checking.apps._child", _WHAT), MOST_COLUMNS // 2
        settings = {"folder": str(Path(folder).resolve()), "path": sys.path, "dimension": dimension, "how": how}
        supply, about = Supply(start=start), (_frames.words(_frames.SETTINGS, settings), dimension, limits)
        self._told = dict[str, object]()
        self.network = False
        """Whether the app can use the network."""

        def made(process: Process) -> RemoteSubject:
            subject = RemoteSubject(process, supply, *about)
            self._told, self.network = dict(subject.told), self.network or process.network
            return subject

        self._subject: Subject = together(several(start, limits.workers), made)
        self._columns = 0

    @property
    def names(self) -> list[str]:
        """Of the columns; numbers where the app's process does not say as many as it sends."""
        columns = list[str]()
        for words in self._words("names"):
            name, _, size = words.rpartition(" (")
            columns += [name] * min(self._columns, int(size[:-1]) if size[:-1].isdecimal() else 0)
        return columns if len(columns) == self._columns else [f"column {place}" for place in range(self._columns)]

    @property
    def mods(self) -> list[str]:
        """That a reply passes, the outermost first, as the app's process says."""
        return self._words("mods")[:_MOST_MODS]

    @property
    def fixed(self) -> list[str]:
        """Libraries whose shared generator the app sets in every reply, as its process says."""
        return self._words("fixed")[:_MOST_MODS]

    def take(self, world: int, count: int) -> NDArray[np.float64]:
        """Return so many replies for the first data set (0) or the second (1), shape (count, columns)."""
        return self._asked(self._subject, world, count)

    def paired(self, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return replies for both, the app's shared generators in the same state for each two."""
        both = [[self._asked(self._subject, world, 1, seed) for seed in range(1, count + 1)] for world in (0, 1)]
        return np.concatenate(both[0]), np.concatenate(both[1])

    def restarts(self, count: int) -> list[NDArray[np.float64]]:
        """Return replies for the first data set of the app started again, twice."""
        samples, last = list[NDArray[np.float64]](), self._subject
        for _ in range(_RESTARTS):
            restarted = last.restarted()
            assert restarted is not None
            try:
                samples.append(self._asked(restarted, 0, count))
            finally:
                restarted.close()
        return samples

    def close(self) -> None:
        """End it."""
        self._subject.close()

    def _words(self, what: str) -> list[str]:
        told = self._told.get(what)
        return [printable(str(words), _NAME) for words in told] if isinstance(told, list) else []

    def _asked(self, subject: Subject, world: int, count: int, seed: int = 0) -> NDArray[np.float64]:
        sent = np.array([1.0 - 2.0 * world, seed], np.float32)
        found = subject.randomize(sent, count).astype(np.float64)
        if not np.isfinite(found).all():
            which = "second" if world else "first"
            raise MechanismContractError(f"a reply must hold finite numbers, got others for the {which} data set")
        self._columns = found.shape[1]
        return found
