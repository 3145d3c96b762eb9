"""MNIST and Fashion-MNIST, which share a file format, plain or packed with gzip."""

from __future__ import annotations

import gzip
import math
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from ldp_core.datasets._source import Part, Source

if TYPE_CHECKING:
    from torch import Tensor

_BYTES = 0x08
_MOST_VALUES = 10**9


class Mnist(Source):
    """70,000 handwritten digits.

    Its files may be plain or packed with gzip, and lie in torchvision's place or in the named folder itself.
    """

    name = "mnist"
    place = "MNIST/raw"
    shape = (1, 28)
    download_bytes = 11_594_722
    reads_packed = True

    def files(self, train: bool) -> list[tuple[str, str | None]]:
        """Name the unpacked files; torchvision knows checksums of the packed ones only."""
        start = "train" if train else "t10k"
        names = [PurePosixPath(part.file).with_suffix("") for part in self.parts()]
        return [(str(name), None) for name in names if name.name.startswith(start)]

    def parts(self) -> list[Part]:
        """Name the four packed files on each mirror."""
        data_set = self._data_set()
        return [
            Part(tuple(mirror + file for mirror in data_set.mirrors), f"{self.place}/{file}", md5, packed=True)
            for file, md5 in data_set.resources
        ]

    def find(self, folder: Path, file: str) -> Path | None:
        """Return the path of a file, plain or packed, in its place or in the folder itself."""
        return _find(folder / PurePosixPath(file).parent, PurePosixPath(file).name) or _find(
            folder, PurePosixPath(file).name
        )

    def words(self, file: str) -> str:
        """Say what a file holds."""
        name = PurePosixPath(file).name
        part = "training" if name.startswith("train") else "test"
        return f"{part} {'images' if 'images' in name else 'labels'} ({name}, plain or .gz)"

    def read(self, root: str, train: bool) -> tuple[Tensor, Tensor]:
        """Read one split."""
        images, labels = (self.find(Path(root), file) for file, _ in self.files(train))
        if images is None or labels is None:
            raise FileNotFoundError("a file is missing")
        return _read_idx(images, 3).unsqueeze(1), _read_idx(labels, 1)

    def _data_set(self) -> Any:
        from torchvision.datasets import MNIST

        return MNIST


class FashionMnist(Mnist):
    """70,000 small pictures of clothes."""

    name = "fashion-mnist"
    place = "FashionMNIST/raw"
    download_bytes = 30_878_645

    def _data_set(self) -> Any:
        from torchvision.datasets import FashionMNIST

        return FashionMNIST


def _find(folder: Path, name: str) -> Path | None:
    """Return a file's path in a folder, plain before packed; None if neither is there.

    Some programs that unpack write a dot before "idx", or put the file into a folder of its own name.
    """
    for spelling in (name, name.replace("-idx", ".idx")):
        for path in (folder / spelling, folder / f"{spelling}.gz", folder / spelling / spelling):
            if path.is_file():
                return path
    return None


def _read_idx(path: Path, axes: int) -> Tensor:
    """Read a whole IDX file of bytes with so many axes; never more than it states is unpacked from a .gz file.

    Raises:
        OSError, EOFError, ValueError, zlib.error: if it is not such a file.
    """
    import torch

    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
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
