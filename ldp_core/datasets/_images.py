"""Labelled images in memory, and how a collection without parts of its own is split."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from torch import Tensor

_SPLIT_SEED = 0


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ImageData:
    """A data set in memory. Its images may be private, so it shows nothing in a repr.

    The server trains on ``train_images``, shape (n, channels, size, size), float32 in [0, 1], and ``train_labels``,
    shape (n,), int64; ``images`` and ``labels``, of the same layout, are the client's own, held out from training.
    ``public`` says whether a model trained on it may be kept on disk.
    """

    name: str
    train_images: Tensor
    train_labels: Tensor
    images: Tensor
    labels: Tensor
    num_classes: int
    public: bool

    def __repr__(self) -> str:
        return f"<ImageData {self.name}: private>"


class DataSet(Protocol):
    """An entry of the catalogue of data sets."""

    name: ClassVar[str]
    place: ClassVar[str]
    """Where its files lie below the data folder, in words; empty where it needs none there."""
    download_bytes: ClassVar[int]
    """What a download brings in all, before unpacking; 0 where there is none."""

    @property
    def shape(self) -> tuple[int, int] | None:
        """Channels and size of its images, which have ten classes; None where the images decide by themselves."""
        ...

    def load(self, data_dir: Path | None = None, download: bool = False) -> ImageData:
        """Load the data set; see ``load_dataset``."""
        ...


def unit_range(images: Tensor) -> Tensor:
    """Bring bytes from 0 to 255 into [0, 1] as float32, with one copy only."""
    import torch

    return images.to(torch.float32, memory_format=torch.contiguous_format).div_(255.0)


def held_out_fifth(number: int) -> tuple[Tensor, Tensor]:
    """Return the places of what is trained on and of the fifth that is held out, the same at every call."""
    import numpy as np
    import torch

    order = torch.from_numpy(np.random.default_rng(_SPLIT_SEED).permutation(number))
    return order[number // 5 :], order[: number // 5]
