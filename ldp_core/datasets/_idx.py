"""MNIST's file format, plain or packed with gzip."""

from __future__ import annotations

import gzip
import math
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

_BYTES = 0x08
_MOST_VALUES = 10**9


def find(folder: Path, name: str) -> Path | None:
    """Return a file's path in a folder, plain before packed; None if neither is there.

    Some programs that unpack write a dot before "idx", or put the file into a folder of its own name.
    """
    for each in (name, name.replace("-idx", ".idx")):
        for path in (folder / each, folder / f"{each}.gz", folder / each / each):
            if path.is_file():
                return path
    return None


def read(path: Path, axes: int) -> Tensor:
    """Read a whole IDX file of bytes with so many axes; never more than it states is unpacked from a .gz file.

    Raises:
        OSError, EOFError, ValueError, zlib.error: if it is not such a file.
    """
    if path.suffix == ".gz":
        with gzip.open(path) as unpacked:
            return _read(unpacked, axes)
    with path.open("rb") as file:
        return _read(file, axes)


def _read(file: IO[bytes] | gzip.GzipFile, axes: int) -> Tensor:
    """Read the two zero bytes, the type, the number of axes, their lengths, and the values."""
    import torch

    if file.read(4) != bytes([0, 0, _BYTES, axes]):
        raise ValueError("another format")
    lengths = [int.from_bytes(file.read(4), "big") for _ in range(axes)]
    size = math.prod(lengths)
    if not 0 < size <= _MOST_VALUES:
        raise ValueError("no values, or too many")
    content = bytearray(file.read(size))
    if len(content) != size or file.read(1):
        raise ValueError("another length")
    return torch.frombuffer(content, dtype=torch.uint8).reshape(lengths)
