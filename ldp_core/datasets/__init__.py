"""Labelled images: built in, public ones from a local folder or downloaded on request, and the client's own."""

from collections.abc import Callable, Iterator
from pathlib import Path

from ldp_core import _validate
from ldp_core.datasets import digits, own
from ldp_core.datasets._digest import digest
from ldp_core.datasets._download import progress
from ldp_core.datasets._images import ImageData
from ldp_core.datasets._pictures import read_grey
from ldp_core.datasets._source import Source, data_folder
from ldp_core.datasets.cifar10 import Cifar10
from ldp_core.datasets.mnist import FashionMnist, Mnist
from ldp_core.datasets.own import read_archive, reading
from ldp_core.datasets.svhn import Svhn

__all__ = [
    "DATASETS",
    "SHAPES",
    "ImageData",
    "digest",
    "fetch",
    "load_dataset",
    "read_archive",
    "read_grey",
    "reading",
]

_SOURCES: dict[str, Source] = {source.name: source for source in (Mnist(), FashionMnist(), Cifar10(), Svhn())}

DATASETS: dict[str, Callable[[Path | None, bool], ImageData]] = {
    digits.NAME: digits.load,
    **{name: source.load for name, source in _SOURCES.items()},
    own.NAME: own.load,
}

SHAPES: dict[str, tuple[int, int]] = {
    digits.NAME: digits.SHAPE,
    **{name: source.shape for name, source in _SOURCES.items()},
}
"""Channels and size of the images; the client's own decide by themselves."""


def load_dataset(name: str, data_dir: Path | None = None, *, download: bool = False) -> ImageData:
    """Load a data set by name.

    Args:
        name: one of ``DATASETS``.
        data_dir: folder in which torchvision's files lie (or are put), without one, the cache folder; for own
            images their folder or .zip file.
        download: whether missing files may be fetched from the internet.

    Raises:
        ValueError: if the name is unknown.
        DatasetUnavailableError: if files are missing, damaged or cannot be downloaded.
    """
    _validate.choice("dataset", name, DATASETS)
    return DATASETS[name](data_dir, download)


def fetch(name: str, data_dir: Path | None = None) -> Iterator[tuple[int, int]]:
    """Download a data set in the background, and report how far it is about five times a second.

    Who stops listening early does not stop the download; who asks again meanwhile joins it.

    Args:
        name: one of ``DATASETS``.
        data_dir: folder in which its files are put; without one, the cache folder.

    Returns:
        An iterator over (bytes so far, bytes in total). It is empty if the files are there already or none are
        needed, and raises ``DatasetUnavailableError`` if they cannot be fetched.

    Raises:
        ValueError: if the name is unknown.
    """
    _validate.choice("dataset", name, DATASETS)
    return progress(_SOURCES[name], data_folder(data_dir)) if name in _SOURCES else iter(())
