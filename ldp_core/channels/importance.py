"""A map of importance: which pixels get more noise, as squares in ten levels, and no picture of anybody's.

It is written as rows of digits with "/" between them, from 0 (black) to 9 (white, the most important): of a square of 2
to 16 squares a side, however many pixels the pictures have.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ldp_core.datasets import read_squares
from ldp_core.statistics.information import Values

MOST = 16
"""Squares of a map's side, at most."""
_HIGHEST = 9
_RULE = (
    f"rows of digits from 0 to {_HIGHEST} such as 0000/0990/0990/0000, 2 to {MOST} rows, as long as there are rows, "
    "and not the same everywhere"
)


EYES = "00000000/00000000/00000000/00999900/00999900/00000000/00000000/00000000"
"""The paper's square: rows 12 to 19, columns 8 to 23 of 32 x 32 pixels; of 28 x 28 a row less."""


def is_map(drawn: object) -> bool:
    """Return whether a value is a square of digits; all of them may be the same."""
    rows = drawn.split("/") if isinstance(drawn, str) and drawn.isascii() else []
    return 2 <= len(rows) <= MOST and all(len(row) == len(rows) and row.isdigit() for row in rows)


def is_even(drawn: str) -> bool:
    """Return whether all squares of a map are the same, so that none is more important."""
    return len({*drawn} - {"/"}) < 2


def check_map(drawn: object) -> None:
    """Raise ``ValueError`` unless a value is a map of importance, or None."""
    if drawn is None:
        return
    if not is_map(drawn) or is_even(str(drawn)):
        raise ValueError(f"importance_map must be {_RULE}, got {str(drawn)[:60]!r}")


def map_of(squares: Sequence[Sequence[int]] | NDArray[np.uint8]) -> str:
    """Return the map of grey squares, 0 (black) to 255 (white), shape (n, n) with n from 2 to ``MOST``.

    Raises ``ValueError`` if they are all of one level.
    """
    levels = (np.asarray(squares) * (_HIGHEST / 255.0)).round().astype(int)
    drawn = "/".join("".join(map(str, row)) for row in levels.tolist())
    check_map(drawn)
    return drawn


def read_map(text: str) -> str:
    """Return a map that is written, or that of a picture's file: grey, fitted as a client's own pictures are.

    Raises ``ValueError`` if it is neither, and ``LdpCoreError`` if the picture is too large.
    """
    if re.fullmatch("[0-9]+(/[0-9]+)+", text):
        check_map(text)
        return text
    try:
        with Path(text).open("rb") as file:
            squares = read_squares(file, MOST)
    except (OSError, ValueError):
        squares = None
    if squares is None:
        raise ValueError(f"importance_map must be a picture's file, such as a PNG, or {_RULE}, got {text[:60]!r}")
    if len(squares) < 2:
        raise ValueError(f"importance_map must be a picture of at least 2 x 2 pixels, got one of 1 x 1: {text[:60]!r}")
    return map_of(squares)


def squares_of(drawn: str) -> int:
    """Return how many squares a side of a map has."""
    return drawn.count("/") + 1


def importance_levels(channels: int, size: int, drawn: str | None = None) -> Values:
    """Return how important each pixel is, from 0 to 1, shape (channels * size * size,); colours share it.

    Of a map each pixel has the level of the square in which its middle lies. Without one, it is the paper's: 1 on rows
    12 to 19, columns 8 to 23 of 32 x 32 pixels (the eyes), other sizes at the same place, else 0.

    Source: the paper named at ``information.capacity``, Appendix B.
    """
    if drawn is None:
        levels = np.zeros((size, size))
        rows, columns = (slice(round(low * size / 32), round(high * size / 32)) for low, high in ((12, 20), (8, 24)))
        levels[rows, columns] = 1.0
    else:
        squares = np.array([list(map(int, row)) for row in drawn.split("/")]) / _HIGHEST
        places = (2 * np.arange(size) + 1) * len(squares) // (2 * size)
        levels = squares[np.ix_(places, places)]
    return np.tile(levels.reshape(-1), channels)


def importance_weights(channels: int, size: int, factor: float, drawn: str | None = None) -> Values:
    """Return the variance of each pixel's noise beside that of a black one: ``factor`` where it is white.

    Grey lies between in proportion; shape and map as in ``importance_levels``.
    """
    return np.asarray(1.0 + (factor - 1.0) * importance_levels(channels, size, drawn))
