"""Replies that something else made and kept in a file: for two data sets, whatever framework or device."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.apps.verdict import FIRST, MOST_VALUES, Source
from ldp_core.checking.columns import signed
from ldp_core.checking.subjects import _npz
from ldp_core.checking.subjects._key import read_content
from ldp_core.checking.subjects._words import printable
from ldp_core.checking.subjects.calls import inexact
from ldp_core.errors import ChallengeError

_WHAT, _MOST_ROWS = "the file of replies", 10**7


class Recorded(Source):
    """Replies from an ``.npz``: what they passed, and what made them, it does not say.

    Args:
        content: the file or its path, with arrays ``first`` and ``second``, both of shape (n, columns), n at least 50,
            and perhaps ``names`` of the columns. Nothing in it is run, no pickle is read, and no size is believed.
        most_bytes: of it, packed, and of each array.

    Raises:
        ChallengeError: if it is no such file.
    """

    def __init__(self, content: bytes | Path, most_bytes: int = _npz.MOST_BYTES) -> None:
        content = read_content(content, _WHAT, most_bytes)
        rows = range(FIRST, _MOST_ROWS + 1)
        worlds = [
            _npz.read_rows(content, name, rows, MOST_VALUES // FIRST, most_bytes, _WHAT) for name in ("first", "second")
        ]
        for name, replies in zip(("first", "second"), worlds, strict=True):
            if problem := inexact(replies):
                raise ChallengeError(f"the array {name} cannot be compared: {problem}")
            if wrong := int((~np.isfinite(replies)).sum()):
                raise ChallengeError(
                    f"the array {name} must hold finite numbers, got {wrong:,} that are not", "finite", got=wrong
                )
        if worlds[0].shape != worlds[1].shape:
            raise ChallengeError(
                f"first and second must have one shape (n, m), got {worlds[0].shape} and {worlds[1].shape}", "shapes"
            )
        self._worlds = [signed(replies := world.astype(np.float64), replies) for world in worlds]
        self.at_once, columns = worlds[0].shape
        self._taken = [0, 0]
        names = _npz.read_words(content, "names", columns, _WHAT)
        if names is None:
            names = [f"column {place}" for place in range(columns)]
        self.names = [printable(name, _npz.MOST_LETTERS) for name in names]

    def take(self, worlds: NDArray[np.int64], *, alone: bool = False) -> NDArray[np.float64]:
        """Return the next replies in that order of data sets; those of one are in the order of the file."""
        replies = np.empty((len(worlds), len(self.names)))
        for world, rows in enumerate(self._worlds):
            places, start = np.flatnonzero(worlds == world), self._taken[world]
            self._taken[world] += len(places)
            replies[places] = rows[start : self._taken[world]]
        return replies
