"""An app that a stranger wrote. Its code runs in a process of its own, and only at the client's request.

Never import this module from a page: no field of a browser may name code.
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.apps.verdict import Source
from ldp_core.checking.claims import Subject
from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._process import Limits, Process
from ldp_core.checking.subjects._remote import RemoteSubject, Supply
from ldp_core.checking.subjects._words import printable
from ldp_core.checking.subjects._workers import together
from ldp_core.checking.subjects.python import interpreter, start_all
from ldp_core.errors import MechanismContractError

__all__ = ["MOST_COLUMNS", "App", "Limits"]
MOST_COLUMNS = 1_000_000
"""Numbers that one reply may have."""
_WHAT, _NAME, _RESTARTS, _MOST_MODS = "the app", 120, 2, 20


class App(Source):
    """An app in processes of its own. Close it at the end.

    Args:
        folder: with its ``pyproject.toml``.
        limits: of time and memory, and how many processes answer at a time.
        how: it is asked: arguments of ``app.FlowerApp``.

    Raises:
        ValueError: if there is no ``pyproject.toml`` in the folder.
        MechanismUnavailableError: if it cannot be loaded.
    """

    def __init__(self, folder: str, limits: Limits, **how: str | int) -> None:
        if not (Path(folder) / "pyproject.toml").is_file():
            raise ValueError(f"FOLDER must hold the app's pyproject.toml, got {folder!r}")
        start, dimension = partial(interpreter, limits, "ldp_core.checking.apps._child", _WHAT), MOST_COLUMNS // 2
        settings = {"folder": str(Path(folder).resolve()), "path": sys.path, "dimension": dimension, "how": how}
        supply, about = Supply(start=start), (_frames.words(_frames.SETTINGS, settings), dimension, limits)
        self.network, self.workers, self._single = False, limits.workers, list[RemoteSubject]()

        def made(process: Process) -> RemoteSubject:
            subject = RemoteSubject(process, supply, *about)
            self._single.append(subject)
            self.network = self.network or process.network
            self._sizes, self.metrics = _words(subject.told.get("names")), _words(subject.told.get("metrics"))
            self.mods, self.fixed = (_words(subject.told.get(key))[:_MOST_MODS] for key in ("mods", "fixed"))
            return subject

        self._subject: Subject = together(start_all(start, limits.workers), made)

    def take(self, worlds: NDArray[np.int64], *, alone: bool = False) -> NDArray[np.float64]:
        """Return replies in that order: each for the first data set (0) or the second (1), shape (n, columns)."""
        return self._asked(self._single[0] if alone else self._subject, worlds)

    def paired(self, begin: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return replies for both, the app's shared generators in the same state for each two."""
        worlds = np.column_stack((begin, 1 - begin)).ravel()
        replies = self._asked(self._subject, worlds, 1 + np.arange(len(worlds)) // 2)
        return replies[worlds == 0], replies[worlds == 1]

    def others(self, worlds: NDArray[np.int64]) -> list[NDArray[np.float64]]:
        """Return replies in that order of another worker, and in its beginning of the app started again, twice."""
        samples = [self._asked(subject, worlds) for subject in self._single[1:2]]
        for _ in range(_RESTARTS):
            restarted = self._single[0].restarted()
            assert restarted is not None
            try:
                samples.append(self._asked(restarted, worlds[: len(worlds) // 2]))
            finally:
                restarted.close()
        return samples

    def close(self) -> None:
        """End it."""
        self._subject.close()

    def _asked(
        self, subject: Subject, worlds: NDArray[np.int64], seeds: NDArray[np.int64] | int = 0
    ) -> NDArray[np.float64]:
        sent = np.column_stack((worlds, np.broadcast_to(seeds, worlds.shape))).astype(np.float32)
        replies = subject.randomize(sent, len(worlds)).astype(np.float64)
        wrong = ~np.isfinite(replies).all(axis=1)
        if wrong.any():
            which = "second" if worlds[wrong][0] else "first"
            raise MechanismContractError(f"a reply must hold finite numbers, got others for the {which} data set")
        self.names = _named(self._sizes, replies.shape[1])
        return replies


def _words(statement: object) -> list[str]:
    return [printable(str(words), _NAME) for words in statement] if isinstance(statement, list) else []


def _named(sizes: list[str], columns: int) -> list[str]:
    """Return the names of columns, numbers where the app's process does not say as many as it sends."""
    names = list[str]()
    for words in sizes:
        name, _, size = words.rpartition(" (")
        names += [name] * min(columns, int(size[:-1]) if size[:-1].isdecimal() else 0)
    return names if len(names) == columns else [f"column {place}" for place in range(columns)]
