"""Labelled images: built in, public ones from a local folder or downloaded on request, and the client's own."""

from collections.abc import Iterator
from pathlib import Path

from ldp_core import _validate
from ldp_core.datasets._digest import digest
from ldp_core.datasets._download import progress
from ldp_core.datasets._images import DataSet, ImageData
from ldp_core.datasets._pictures import dark_on_light, read_grey
from ldp_core.datasets._source import Source, data_folder
from ldp_core.datasets.cifar10 import Cifar10
from ldp_core.datasets.digits import Digits
from ldp_core.datasets.mnist import FashionMnist, Mnist
from ldp_core.datasets.own import Own, read_archive, reading
from ldp_core.datasets.svhn import Svhn
from ldp_core.facts import OWN

__all__ = [
    "DATASETS",
    "PUBLIC_DATASETS",
    "DataSet",
    "ImageData",
    "dark_on_light",
    "digest",
    "fetch",
    "load_dataset",
    "read_archive",
    "read_grey",
    "reading",
]

_ALL: tuple[DataSet, ...] = (Digits(), Mnist(), FashionMnist(), Cifar10(), Svhn(), Own())
DATASETS: dict[str, DataSet] = {dataset.name: dataset for dataset in _ALL}
PUBLIC_DATASETS = tuple(name for name in DATASETS if name != OWN)
"""Names of the data sets that are not the client's own images."""


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
    return DATASETS[name].load(data_dir, download)


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
    dataset = DATASETS[name]
    return progress(dataset, data_folder(data_dir)) if isinstance(dataset, Source) else iter(())
