"""Labelled images: the built-in digits, and MNIST from a local folder or downloaded on request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ldp_core import _validate
from ldp_core.cache import default_directory
from ldp_core.errors import DatasetUnavailableError

if TYPE_CHECKING:
    from torch import Tensor

_SPLIT_SEED = 0


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ImageData:
    """A data set in memory. Its images may be private, so it shows nothing in a repr.

    Args:
        name: of the data set.
        train_images: what the server trains on, shape (n, channels, size, size), float32 in [0, 1].
        train_labels: shape (n,), int64.
        images: the client's own, held out from training; same layout.
        labels: likewise.
        num_classes: number of classes.
        public: whether a model trained on it may be kept on disk.
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


def load_dataset(name: str, data_dir: Path | None = None, *, download: bool = False) -> ImageData:
    """Load a data set by name.

    Args:
        name: one of ``DATASETS``.
        data_dir: folder in which torchvision looks for (or puts) its files; without one, the cache folder.
        download: whether missing files may be fetched from the internet.

    Raises:
        ValueError: if the name is unknown.
        DatasetUnavailableError: if files are missing, damaged or cannot be downloaded.
    """
    _validate.choice("dataset", name, DATASETS)
    return DATASETS[name](data_dir, download)


def _digits(data_dir: Path | None, download: bool) -> ImageData:
    """Load the 1,797 handwritten digits that ship with scikit-learn, brought from 8x8 to 28x28."""
    import numpy as np
    import torch
    from sklearn.datasets import load_digits
    from torch.nn.functional import interpolate

    digits = load_digits()
    small = torch.tensor(digits.images, dtype=torch.float32).div_(16.0).unsqueeze(1)
    images = interpolate(small, size=(28, 28), mode="bilinear", align_corners=False)
    order = torch.from_numpy(np.random.default_rng(_SPLIT_SEED).permutation(len(images)))
    images, labels = images[order], torch.tensor(digits.target, dtype=torch.int64)[order]
    held_out = len(images) // 5
    return ImageData(
        "digits", images[held_out:], labels[held_out:], images[:held_out], labels[:held_out], 10, public=True
    )


def _mnist(data_dir: Path | None, download: bool) -> ImageData:
    """Load MNIST in its own file format through torchvision."""
    folder = data_dir or default_directory() / "datasets"
    if not download and not _is_folder(folder):
        raise DatasetUnavailableError(
            f"the folder for mnist must exist and hold MNIST/raw, got {_shown(folder)}; "
            "name another folder or allow a download"
        )
    train_images, train_labels = _mnist_split(folder, True, download)
    images, labels = _mnist_split(folder, False, download)
    return ImageData("mnist", train_images, train_labels, images, labels, 10, public=True)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _mnist_split(folder: Path, train: bool, download: bool) -> tuple[Tensor, Tensor]:
    import torch
    from torchvision.datasets import MNIST

    part = "training" if train else "test"
    try:
        data = MNIST(root=str(folder), train=train, download=download)
        images, labels = data.data, data.targets
        if images.ndim != 3 or images.shape[1:] != (28, 28) or len(images) != len(labels) or len(images) < 20:
            raise ValueError("wrong shape")
        if int(labels.min()) < 0 or int(labels.max()) > 9:
            raise ValueError("wrong labels")
    except OSError as error:
        if not download:
            raise _damaged(folder, part) from error
        raise DatasetUnavailableError(
            f"mnist could not be downloaded into {_shown(folder)}: {error.__class__.__name__}; "
            "check the network or name a folder that holds it"
        ) from error
    except RuntimeError as error:
        if "not found" not in str(error).lower():
            raise _damaged(folder, part, download) from error
        raise DatasetUnavailableError(
            f"mnist must lie in MNIST/raw below the data folder, got {_shown(folder)} without it; "
            "name another folder or allow a download"
        ) from error
    except (ValueError, AssertionError, EOFError, KeyError, TypeError, IndexError) as error:
        raise _damaged(folder, part, download) from error
    return images.to(torch.float32).div_(255.0).unsqueeze(1), labels.to(torch.int64)


def _damaged(folder: Path, part: str, download: bool = False) -> DatasetUnavailableError:
    if download:
        return DatasetUnavailableError(
            f"mnist could not be downloaded whole into {_shown(folder)}; "
            "check the network or name a folder that holds it"
        )
    return DatasetUnavailableError(
        f"mnist's {part} files must be whole files in MNIST's own format, got damaged ones in {_shown(folder)}; "
        "replace them or allow a download into an empty folder"
    )


def _shown(folder: Path) -> str:
    return repr(str(folder))


DATASETS: dict[str, Callable[[Path | None, bool], ImageData]] = {"digits": _digits, "mnist": _mnist}
