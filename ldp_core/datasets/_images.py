"""Labelled images in memory, and how a collection without parts of its own is split."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

from ldp_core import facts

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

    def load(self, data_dir: Path | None = None) -> ImageData:
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


_BYTES, _INTEGERS, _FLOATS = 0x08, 0x0C, 0x0D
_AT_A_TIME = 2_000


def digest(data: ImageData) -> str:
    """Return a SHA-256 over a data set's images and labels, 64 hexadecimal digits.

    It is ``facts.combined`` of four SHA-256: of the training images, the training labels, the held-out images and the
    held-out labels, each written as an IDX file: two zero bytes, the type, the number of axes, the length of each axis
    as a big-endian 32-bit integer, then the values in C order, big-endian. Images have the axes (n, height, width), or
    (n, channels, height, width) if they have several channels. Their type is bytes (0x08) if every value is k/255 for a
    whole k, which is written, else float32 (0x0D). Labels are bytes (0x08), or 32-bit integers (0x0C) if one exceeds
    255. Hence MNIST's and Fashion-MNIST's four parts have the digests of their four unpacked files.
    """
    return facts.combined(
        (_images(data.train_images), _labels(data.train_labels), _images(data.images), _labels(data.labels))
    )


def _images(images: Tensor) -> str:
    shape = (images.shape[0], *images.shape[2:]) if images.shape[1] == 1 else tuple(images.shape)
    return _bytes(images, shape) or _floats(images, shape)


def _bytes(images: Tensor, shape: tuple[int, ...]) -> str:
    """Return the digest of an IDX file of bytes; "" if a value is not k/255."""
    import torch

    sha = _begun(_BYTES, shape)
    for block in torch.split(images, _AT_A_TIME):
        whole = block.mul(255.0).round_().clamp_(0.0, 255.0)
        sha.update(whole.byte().contiguous().numpy().tobytes())
        if not torch.equal(whole.div_(255.0), block):
            return ""
    return sha.hexdigest()


def _floats(images: Tensor, shape: tuple[int, ...]) -> str:
    import torch

    sha = _begun(_FLOATS, shape)
    for block in torch.split(images, _AT_A_TIME):
        sha.update(block.contiguous().numpy().astype(">f4").tobytes())
    return sha.hexdigest()


def _labels(labels: Tensor) -> str:
    as_bytes = int(labels.max()) <= 255
    sha = _begun(_BYTES if as_bytes else _INTEGERS, tuple(labels.shape))
    sha.update(labels.numpy().astype("u1" if as_bytes else ">i4").tobytes())
    return sha.hexdigest()


def _begun(kind: int, shape: tuple[int, ...]) -> hashlib._Hash:
    axes = b"".join(length.to_bytes(4, "big") for length in shape)
    return hashlib.sha256(bytes([0, 0, kind, len(shape)]) + axes)
