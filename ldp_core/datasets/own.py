"""The client's own labelled images: a folder with one subfolder per label, a zip file of one, or a .npz file.

No sentence, repr or exception here names a file or a label: they are the client's.
"""

from __future__ import annotations

import io
import os
from collections.abc import Generator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar

from ldp_core.datasets._archive import MOST_ENTRIES, Entry, entries, opened
from ldp_core.datasets._arrays import Arrays, arrays, is_arrays
from ldp_core.datasets._images import ImageData, held_out_fifth, unit_range
from ldp_core.datasets._pictures import in_both_layouts, read_picture
from ldp_core.errors import DatasetUnavailableError
from ldp_core.facts import OWN

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

LEAST_LABELS, MOST_LABELS = 2, 1_000
LEAST_IMAGES = 20
_LITTER = frozenset({"__macosx", "thumbs.db", "desktop.ini", "icon\r"})
_Reading = Generator[None, None, ImageData]


class Own:
    """The client's own images."""

    name: ClassVar[str] = OWN
    shape: ClassVar[None] = None
    place: ClassVar[str] = ""
    download_bytes: ClassVar[int] = 0

    def load(self, data_dir: Path | None = None) -> ImageData:
        """Load the images below a folder, in a .zip file, or in a .npz file, which may be the only one of a folder.

        They become grey 28x28, or RGB 32x32 if any of them has colour, padded with black so that nothing is cut off.
        The labels are the sorted names of the subfolders or the numbers of the .npz file; held out is the latter's test
        part, else a fifth, the same one every time.
        Raises ``DatasetUnavailableError`` if it is not such a folder or file (see ``_arrays``), or breaks one of the
        limits.
        """
        steps = _opened(data_dir)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                data: ImageData = end.value
                return data


def reading(source: bytes | Path) -> _Reading:
    """Read a folder or file, or a whole uploaded one in memory, as ``Own.load`` does; yield after each picture.

    Nothing is written to the disk. Who stops iterating stops the reading; the images are returned. Errors as there.
    """
    return _unpacked(io.BytesIO(source)) if isinstance(source, bytes) else _opened(source)


def _opened(data_dir: Path | None) -> _Reading:
    rule = "your own images must be a folder with one subfolder per label, a .zip file of such a folder, or a .npz file"
    if data_dir is None:
        raise DatasetUnavailableError(f"{rule}, got none; name it")
    try:
        source = _below(data_dir) if data_dir.is_dir() else _regular(data_dir)
    except (OSError, ValueError) as error:
        reason = error.__class__.__name__
    else:
        if isinstance(source, list):
            return (yield from _assembled(source))
        with source:
            return (yield from _unpacked(source))
    raise DatasetUnavailableError(f"{rule}, got a path that cannot be read: {reason}; name another")


def _unpacked(file: IO[bytes]) -> _Reading:
    with opened(file) as archive:
        return (yield from _of_arrays(arrays(archive)) if is_arrays(archive) else _assembled(entries(archive)))


def _regular(path: Path) -> IO[bytes]:
    if path.exists() and not path.is_file():
        raise OSError("neither a file nor a folder")
    return path.open("rb")


def _below(folder: Path) -> list[Entry]:
    """List the files below a folder; links to folders are not followed, and links to files lead nowhere else."""
    files: list[Entry] = []
    leaving, root, linked = 0, folder.resolve(), sum(path.is_symlink() and path.is_dir() for path in folder.iterdir())
    if linked:
        raise DatasetUnavailableError(
            f"the subfolders of your own images must lie in the folder itself, got {linked:,} links to folders, which "
            "are not followed; copy what they lead to"
        )
    failures: list[OSError] = []
    for place, _, names in os.walk(folder, onerror=failures.append):
        for path in (Path(place, name) for name in names):
            if path.is_file():
                leaving += path.is_symlink() and not path.resolve().is_relative_to(root)
                files.append(Entry(path.relative_to(folder).parts, partial(_regular, path)))
        if len(files) > MOST_ENTRIES:
            raise DatasetUnavailableError(
                f"the folder of your own images must hold at most {MOST_ENTRIES:,} files, got more; name a smaller one"
            )
    if failures:
        raise DatasetUnavailableError(
            f"each subfolder of your own images must be readable, got {len(failures):,} that are not; "
            "change their permissions"
        )
    if leaving:
        raise DatasetUnavailableError(
            f"each of your own images must lie in the folder itself, got {leaving:,} links that lead out of it; "
            "copy their files into it"
        )
    return files


def _assembled(files: list[Entry]) -> _Reading:
    import torch

    files = [  # but for what is hidden, and what systems leave behind
        entry for entry in files if not any(part[0] == "." or part.lower() in _LITTER for part in entry.parts)
    ]
    if len(files) == 1 and files[0].parts[-1].lower().endswith(".npz"):
        with files[0].open() as file, opened(file) as archive:
            return (yield from _of_arrays(arrays(archive)))
    images = _without_wrapping(files)
    names = _checked_labels(images)
    number = {name: label for label, name in enumerate(names)}
    images = sorted(images, key=lambda entry: entry.parts)
    labels = torch.tensor([number[entry.parts[0]] for entry in images], dtype=torch.int64)
    pixels = torch.from_numpy((yield from _pixels(images)))
    return _split(pixels, labels, len(names), *held_out_fifth(len(labels)))


def _of_arrays(content: Arrays) -> _Reading:
    import numpy as np
    import torch
    from PIL import Image

    _check_sizes(len(np.unique(content.labels)), len(content.labels))
    names, labels = np.unique(content.labels, return_inverse=True)
    both = []
    for part in content.images:
        for picture in part:
            both.append(in_both_layouts(Image.fromarray(picture)))
            yield
    pixels, numbers = torch.from_numpy(_in_one_layout(both)), torch.from_numpy(labels)
    train, held_out = held_out_fifth(len(labels))
    if content.held_out:
        train, held_out = torch.arange(len(labels)).tensor_split([len(labels) - content.held_out])
    return _split(pixels, numbers, len(names), train, held_out)


def _split(pixels: Tensor, labels: Tensor, num_classes: int, train: Tensor, held_out: Tensor) -> ImageData:
    images = (unit_range(pixels[train]), labels[train], unit_range(pixels[held_out]), labels[held_out])
    return ImageData(OWN, *images, num_classes, public=False)


def _without_wrapping(images: list[Entry]) -> list[Entry]:
    """Leave out folders around the folder of labels, as most programs that pack a folder add one."""
    while images and len({entry.parts[0] for entry in images}) == 1 and min(len(e.parts) for e in images) > 2:
        images = [Entry(entry.parts[1:], entry.open) for entry in images]
    return images


def _checked_labels(images: Sequence[Entry]) -> list[str]:
    outside = sum(len(entry.parts) < 2 for entry in images)
    if outside:
        raise DatasetUnavailableError(
            f"each of your own images must lie in the subfolder of its label, got {outside:,} files outside of any; "
            "move or remove them"
        )
    names = sorted({entry.parts[0] for entry in images})
    below = [{entry.parts[1] for entry in images if entry.parts[0] == name and len(entry.parts) > 2} for name in names]
    shared = set.intersection(*below) if len(below) > 1 else set()
    if len(shared) > 1:
        raise DatasetUnavailableError(
            f"your own images must be one folder with one subfolder per label, got {len(names):,} folders with the "
            f"same {len(shared):,} subfolders, as for training and testing; name one of these folders"
        )
    _check_sizes(len(names), len(images))
    return names


def _check_sizes(labels: int, images: int) -> None:
    if not LEAST_LABELS <= labels <= MOST_LABELS:
        raise DatasetUnavailableError(
            f"your own images must have from {LEAST_LABELS} to {MOST_LABELS:,} labels, one subfolder or number each, "
            f"got {labels:,}; sort them anew"
        )
    if images < LEAST_IMAGES:
        raise DatasetUnavailableError(
            f"your own images must be at least {LEAST_IMAGES} in all, got {images:,}; add some"
        )
    if images > MOST_ENTRIES:
        raise DatasetUnavailableError(f"your own images must be at most {MOST_ENTRIES:,}, got {images:,}; take fewer")


def _pixels(images: Sequence[Entry]) -> Generator[None, None, np.ndarray]:
    """Read all pictures as bytes, shape (n, channels, size, size); yield after each."""
    both: list[tuple[np.ndarray, np.ndarray | None]] = []
    unreadable: list[int] = []
    for place, entry in enumerate(images, start=1):
        picture = _read(entry)
        if picture is None:
            unreadable.append(place)
        else:
            both.append(picture)
        yield
    if unreadable:
        which = f" (by path, number {unreadable[0]:,} of {len(images):,})" if len(unreadable) == 1 else ""
        raise DatasetUnavailableError(
            f"each file of your own images must be a whole image (PNG, JPEG, GIF, BMP, TIFF, WebP or PNM) of whole "
            f"numbers, got {len(unreadable):,} that cannot be read{which}; remove or replace them"
        )
    return _in_one_layout(both)


def _in_one_layout(both: Sequence[tuple[np.ndarray, np.ndarray | None]]) -> np.ndarray:
    """Return all pictures, grey unless one of them has colour."""
    import numpy as np

    greys = [grey for _, grey in both if grey is not None]
    return np.stack(greys if len(greys) == len(both) else [colour for colour, _ in both])


def _read(entry: Entry) -> tuple[np.ndarray, np.ndarray | None] | None:
    """Read one picture, or None; errors other than our own stop here, since they name the file."""
    try:
        file = entry.open()
    except Exception:  # what a damaged archive raises has no common name
        return None
    with file:
        return read_picture(file)
