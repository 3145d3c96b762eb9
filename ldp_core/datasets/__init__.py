"""Labelled images: built in, public ones from a local folder or downloaded on request, and the client's own."""

from collections.abc import Iterator
from pathlib import Path

from ldp_core import _validate
from ldp_core.datasets._download import progress
from ldp_core.datasets._images import DataSet, ImageData, digest
from ldp_core.datasets._pictures import dark_on_light, read_grey, read_squares
from ldp_core.datasets._source import Source, data_folder
from ldp_core.datasets.colour import Cifar10, Svhn
from ldp_core.datasets.digits import Digits
from ldp_core.datasets.mnist import FashionMnist, Mnist
from ldp_core.datasets.own import Own, reading
from ldp_core.facts import OWN

_ALL: tuple[DataSet, ...] = (Digits(), Mnist(), FashionMnist(), Cifar10(), Svhn(), Own())
DATASETS: dict[str, DataSet] = {dataset.name: dataset for dataset in _ALL}
PUBLIC_DATASETS = tuple(name for name in DATASETS if name != OWN)
"""Names of the data sets that are not the client's own images."""


def load_dataset(name: str, data_dir: Path | None = None) -> ImageData:
    """Load a data set by name.

    ``data_dir`` is the folder in which torchvision's files lie, or ``fetch`` puts them; without one, the cache folder;
    for own images their folder or .zip file.
    Raises ``ValueError`` if the name is unknown; ``DatasetUnavailableError`` if files are missing or damaged.
    """
    _validate.choice("dataset", name, DATASETS)
    return DATASETS[name].load(data_dir)


def fetch(name: str, data_dir: Path | None = None) -> Iterator[tuple[int, int]]:
    """Download a data set in the background; return an iterator over (bytes so far, bytes in total).

    It reports about five times a second, is empty if nothing is needed, and raises ``DatasetUnavailableError`` if files
    cannot be fetched. Who stops listening early does not stop the download; who asks again meanwhile joins it. Raises
    ``ValueError`` for an unknown name; ``data_dir`` as in ``load_dataset``.
    """
    _validate.choice("dataset", name, DATASETS)
    dataset = DATASETS[name]
    return progress(dataset, data_folder(data_dir)) if isinstance(dataset, Source) else iter(())
