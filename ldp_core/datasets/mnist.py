"""MNIST and Fashion-MNIST, which share a file format."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ldp_core.datasets._source import Part, Source

if TYPE_CHECKING:
    from torch import Tensor


class Mnist(Source):
    """70,000 handwritten digits."""

    name = "mnist"
    place = "MNIST/raw"
    shape = (1, 28)
    download_bytes = 11_594_722

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

    def read(self, root: str, train: bool) -> tuple[Tensor, Tensor]:
        """Read one split."""
        data = self._data_set()(root=root, train=train)
        return data.data.unsqueeze(1), data.targets

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
