"""Small colour pictures in ten classes: CIFAR-10, 60,000 photographs, and SVHN, 99,289 house numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldp_core.datasets._source import Part, Source

if TYPE_CHECKING:
    from torch import Tensor


class Cifar10(Source):
    """CIFAR-10 in its own pickle format; torchvision opens only files with the right checksums."""

    name = "cifar10"
    place = "cifar-10-batches-py"
    shape = (3, 32)
    download_bytes = 170_498_071

    def files(self, train: bool) -> list[tuple[str, str | None]]:
        """Name the batches, and the list of classes, which both splits need."""
        from torchvision.datasets import CIFAR10

        batches = CIFAR10.train_list if train else CIFAR10.test_list
        names = [*batches, [CIFAR10.meta["filename"], CIFAR10.meta["md5"]]]
        return [(f"{self.place}/{file}", md5) for file, md5 in names]

    def parts(self) -> list[Part]:
        """Name the one archive."""
        from torchvision.datasets import CIFAR10

        return [Part((CIFAR10.url,), CIFAR10.filename, CIFAR10.tgz_md5, packed=True)]

    def read(self, root: str, train: bool) -> tuple[Tensor, Tensor]:
        """Read one split."""
        import torch
        from torchvision.datasets import CIFAR10

        data = CIFAR10(root=root, train=train)
        return torch.from_numpy(data.data).permute(0, 3, 1, 2), torch.tensor(data.targets)


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
