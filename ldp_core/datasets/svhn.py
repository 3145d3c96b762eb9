"""SVHN: 99,289 house numbers, one digit in the middle of each picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldp_core.datasets._source import Part, Source

if TYPE_CHECKING:
    from torch import Tensor


class Svhn(Source):
    """SVHN's cropped digits, without the extra training set."""

    name = "svhn"
    place = "train_32x32.mat and test_32x32.mat"
    shape = (3, 32)
    download_bytes = 182_040_794 + 64_275_384

    def files(self, train: bool) -> list[tuple[str, str | None]]:
        """Name the one file of a split."""
        part = self.parts()[0 if train else 1]
        return [(part.file, part.md5)]

    def parts(self) -> list[Part]:
        """Name the file of each split."""
        from torchvision.datasets import SVHN

        splits = [SVHN.split_list[split] for split in ("train", "test")]
        return [Part((url,), file, md5, packed=False) for url, file, md5 in splits]

    def read(self, root: str, train: bool) -> tuple[Tensor, Tensor]:
        """Read one split."""
        import torch
        from torchvision.datasets import SVHN

        data = SVHN(root=root, split="train" if train else "test")
        return torch.from_numpy(data.data), torch.from_numpy(data.labels)
