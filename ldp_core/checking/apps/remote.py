"""An app that a stranger wrote. Its code runs in a process of its own, and only at the client's request.

Never import this module from a page: no field of a browser may name code.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._process import Limits
from ldp_core.checking.subjects._remote import RemoteSubject, Supply
from ldp_core.checking.subjects._words import printable
from ldp_core.checking.subjects.python import interpreter

__all__ = ["MOST_COLUMNS", "Limits", "opened", "replies"]
MOST_COLUMNS = 1_000_000
"""Numbers that one reply may have."""
_WHAT, _NAME = "the app", 120


def opened(folder: str, limits: Limits) -> tuple[RemoteSubject, tuple[tuple[str, int], ...]]:
    """Return an app in a process of its own, and the names and sizes of what its client replies.

    Raises:
        ValueError: if there is no ``pyproject.toml`` in the folder.
        MechanismUnavailableError: if it cannot be loaded.
    """
    if not (Path(folder) / "pyproject.toml").is_file():
        raise ValueError(f"FOLDER must hold the app's pyproject.toml, got {folder!r}")
    start, dimension = partial(interpreter, limits, "ldp_core.checking.apps._child", _WHAT), MOST_COLUMNS // 2
    settings = {"folder": str(Path(folder).resolve()), "path": sys.path, "dimension": dimension}
    frame = _frames.words(_frames.SETTINGS, settings)
    subject = RemoteSubject(start(), Supply(start=start), frame, dimension, limits)
    return subject, _named(subject.told.get("names"))


def replies(subject: RemoteSubject, world: int, count: int) -> NDArray[np.float64]:
    """Return so many replies for the first data set (0) or the second (1), shape (count, columns)."""
    sent = np.full(1, 1.0 - 2.0 * world, np.float32)
    return subject.randomize(sent, count).astype(np.float64)


def _named(names: object) -> tuple[tuple[str, int], ...]:
    """Return names and sizes of what a program said that they are; nothing where it said none."""
    found = list[tuple[str, int]]()
    for words in names if isinstance(names, list) else []:
        name, _, size = printable(str(words), _NAME).rpartition(" (")
        found.append((name, int(size[:-1]) if size[:-1].isdecimal() else 0))
    return tuple(found)
