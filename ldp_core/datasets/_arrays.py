"""A .npz file of images and labels, as Keras, MedMNIST and ``numpy.savez`` write them; nothing pickled is read."""

from __future__ import annotations

import io
import math
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ldp_core.datasets._archive import Entry, entries
from ldp_core.errors import DatasetUnavailableError

if TYPE_CHECKING:
    import numpy as np

_PARTS = (("x_train", "y_train"), ("train_images", "train_labels"), ("x", "y"), ("val_images", "val_labels"))
_TEST = (("x_test", "y_test"), ("test_images", "test_labels"))
_RULE = (
    "a .npz file of your own images must hold images and labels as x_train and y_train, train_images and train_labels, "
    "or x and y, and may hold x_test and y_test, or test_images and test_labels"
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Arrays:
    """The images and labels of a .npz file, of which the last ``held_out`` are the file's own test part.

    Images are bytes, each part of shape (n, height, width) or (n, height, width, 3); labels whole numbers, shape (n,)
    over all parts.
    """

    images: list[np.ndarray]
    labels: np.ndarray
    held_out: int

    def __repr__(self) -> str:
        return "<Arrays: private>"


def is_arrays(archive: zipfile.ZipFile) -> bool:
    """Return whether a zip file is a .npz file: arrays, and nothing else."""
    names = archive.namelist()
    return bool(names) and all(name.endswith(".npy") for name in names)


def arrays(archive: zipfile.ZipFile) -> Arrays:
    """Read an opened .npz file, whose limits were checked.

    Raises ``DatasetUnavailableError`` if it does not hold images and labels under known names, or damaged ones.
    """
    import numpy as np

    files = {entry.parts[-1].removesuffix(".npy"): entry for entry in entries(archive)}
    known = [pair for pair in (*_PARTS, *_TEST) if set(pair) <= set(files)]
    if not set(known) & set(_PARTS[:-1]):
        raise DatasetUnavailableError(f"{_RULE}, got {len(files):,} arrays without such a pair; rename them")
    images, labels, held_out = list[Any](), list[Any](), 0
    for pair in known:
        contents = [_array(files[name]) for name in pair]
        shown, named = _bytes(contents[0]), _labels(contents[1])
        if shown is None or named is None or len(shown) != len(named):
            raise DatasetUnavailableError(
                "images of a .npz file must be whole numbers from 0 to 255 or others from 0 to 1 of shape (n, height, "
                "width), (n, height, width, 1) or (n, height, width, 3), with as many labels, whole numbers, got "
                f"{_shape(contents[0])} and {_shape(contents[1])}; save them anew"
            )
        images.append(shown)
        labels.append(named)
        held_out += len(named) * (pair in _TEST)
    return Arrays(images, np.concatenate(labels), held_out)


def _array(entry: Entry) -> np.ndarray | None:
    """Return the array of a .npy file that holds as many numbers as it says, not pickled; else None."""
    import numpy as np
    from numpy.lib import format as npy

    try:
        with entry.open() as packed:
            content = packed.read()
        file, headers = io.BytesIO(content), {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
        shape, by_columns, kind = headers[npy.read_magic(file)](file)
        if kind.hasobject or math.prod(shape) * kind.itemsize != len(content) - file.tell():
            return None
        return np.frombuffer(content, kind, offset=file.tell()).reshape(shape, order="F" if by_columns else "C")
    except Exception:  # what a damaged archive or header raises has no common name
        return None


def _bytes(images: np.ndarray | None) -> np.ndarray | None:
    """Return images as bytes, shape (n, height, width) or (n, height, width, 3); None if they are none."""
    import numpy as np

    if images is None or images.dtype.kind not in "uif" or 0 in images.shape:
        return None
    if images.ndim == 4 and images.shape[3] == 1:
        images = images[..., 0]
    if images.ndim != 3 and not (images.ndim == 4 and images.shape[3] == 3):
        return None
    least, most = float(images.min()), float(images.max())
    if not (least >= 0.0 and most <= (1.0 if images.dtype.kind == "f" else 255.0)):
        return None
    return np.round(images * 255.0).astype(np.uint8) if images.dtype.kind == "f" else images.astype(np.uint8)


def _labels(labels: np.ndarray | None) -> np.ndarray | None:
    """Return labels as whole numbers of shape (n,); None if they are none."""
    import numpy as np

    if labels is None or labels.dtype.kind not in "ui" or labels.ndim not in (1, 2) or labels.size != len(labels):
        return None
    return labels.reshape(-1).astype(np.int64)


def _shape(values: np.ndarray | None) -> str:
    return "an array that cannot be read" if values is None else f"shape {values.shape} of {values.dtype.name}"
