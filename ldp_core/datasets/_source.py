"""Data sets whose file format, addresses and checksums torchvision knows: finding, checking and reading them."""

from __future__ import annotations

import os
import pickle
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ldp_core.cache import default_directory
from ldp_core.datasets._images import ImageData, unit_range
from ldp_core.errors import DatasetUnavailableError

if TYPE_CHECKING:
    from torch import Tensor

_DAMAGE = (
    OSError, RuntimeError, ValueError, AssertionError, EOFError, LookupError, TypeError, pickle.UnpicklingError,
    zlib.error,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One file that a download brings: its addresses in the order to try, its place below the data folder, its MD5.

    ``packed`` files must be unpacked where they lie.
    """

    urls: tuple[str, ...]
    file: str
    md5: str
    packed: bool


class Source(ABC):
    """A data set of images in ten classes that torchvision can read.

    ``place`` says in words where its files lie below the data folder; ``shape`` is channels and size of its images;
    ``download_bytes`` what a download brings, before unpacking; ``reads_packed`` whether files are read packed with
    gzip too.
    """

    name: ClassVar[str]
    place: ClassVar[str]
    shape: ClassVar[tuple[int, int]]
    download_bytes: ClassVar[int]
    reads_packed: ClassVar[bool] = False

    @abstractmethod
    def files(self, train: bool) -> list[tuple[str, str | None]]:
        """Return the files that one split needs, each with its checksum if torchvision knows one."""

    @abstractmethod
    def parts(self) -> list[Part]:
        """Return what a download brings."""

    def find(self, folder: Path, file: str) -> Path | None:
        """Return the path of one of ``files`` below the data folder, None if it is not there."""
        path = folder / file
        return path if path.exists() else None

    def words(self, file: str) -> str:
        """Describe one of ``files``, for a message that it is missing."""
        return file

    @abstractmethod
    def read(self, root: str, train: bool) -> tuple[Tensor, Tensor]:
        """Let torchvision read one split: images as bytes, shape (n, channels, size, size), and labels."""

    def is_here(self, folder: Path, splits: tuple[bool, ...] = (True, False)) -> bool:
        """Say whether all files lie in the folder, with the right checksums where there are any."""
        from torchvision.datasets.utils import check_integrity

        try:
            files = [(self.find(folder, file), md5) for train in splits for file, md5 in self.files(train)]
            return all(path is not None and check_integrity(str(path), md5) for path, md5 in files)
        except OSError:
            return False

    def load(self, data_dir: Path | None = None) -> ImageData:
        """Load the data set; see ``load_dataset``."""
        folder = data_folder(data_dir)
        if not _is_folder(folder):
            if _forbidden([folder]):
                raise self._unreadable(folder)
            raise DatasetUnavailableError(
                f"the folder for {self.name} must exist and hold {self.place}, got {_shown(folder)}; "
                "name another folder or allow a download"
            )
        train_images, train_labels = self._split(folder, True)
        images, labels = self._split(folder, False)
        return ImageData(self.name, train_images, train_labels, images, labels, 10, public=True)

    def _split(self, folder: Path, train: bool) -> tuple[Tensor, Tensor]:
        import torch

        channels, size = self.shape
        try:
            images, labels = self.read(str(folder), train)
            if images.shape[1:] != (channels, size, size) or len(images) < 20 or images.dtype != torch.uint8:
                raise ValueError("wrong images")
            if labels.shape != images.shape[:1] or int(labels.min()) < 0 or int(labels.max()) > 9:
                raise ValueError("wrong labels")
        except _DAMAGE as error:
            raise self._unusable(folder, train) from error
        return unit_range(images), labels.to(torch.int64)

    def _unusable(self, folder: Path, train: bool) -> DatasetUnavailableError:
        """Say why a split could not be read; torchvision may have stumbled over a file of the other one."""
        files = list(dict.fromkeys(file for split in (True, False) for file, _ in self.files(split)))
        if _forbidden([folder, *(path for file in files for path in ((folder / file).parent, folder / file))]):
            return self._unreadable(folder)
        missing = [file for file in files if self.find(folder, file) is None]
        if missing:
            return self._missing(folder, missing, len(missing) == len(files))
        if self.is_here(folder, (train,)) and not self.is_here(folder, (not train,)):
            train = not train
        part = "training" if train else "test"
        return DatasetUnavailableError(
            f"{self.name}'s {part} files must be whole files in its own format, got damaged ones in {_shown(folder)}; "
            "replace them or allow a download into an empty folder"
        )

    def _missing(self, folder: Path, missing: list[str], all_of_it: bool) -> DatasetUnavailableError:
        """Say which files are not there, and whether they lie there packed."""
        rule = f"{self.name} must lie below the data folder as {self.place}, got {_shown(folder)} without it"
        packed = [f"{file}.gz" for file in missing] + [part.file for part in self.parts() if part.packed]
        present = [file for file in packed if (folder / file).exists()]
        if present and not self.reads_packed:
            return DatasetUnavailableError(f"{rule} but with {', '.join(present)}; unpack it there")
        if all_of_it:
            return DatasetUnavailableError(f"{rule}; name another folder or allow a download")
        which = ", ".join(map(self.words, missing))
        return DatasetUnavailableError(f"{rule}s {which}; add what is missing or allow a download")

    def _unreadable(self, folder: Path) -> DatasetUnavailableError:
        """Say that this user may not read the files."""
        return DatasetUnavailableError(
            f"{self.name}'s folders and files must be readable, got some in {_shown(folder)} that this user may not "
            "read; change their permissions or name another folder"
        )

    def failed_download(self, folder: Path, error: Exception) -> DatasetUnavailableError:
        """Say that the files could not be fetched."""
        return DatasetUnavailableError(
            f"{self.name} could not be downloaded whole into {_shown(folder)}: {error.__class__.__name__}; "
            "check the network and the disk, or name a folder that holds it"
        )


def data_folder(data_dir: Path | None) -> Path:
    """Return the named folder, else the one below the cache folder."""
    return data_dir or default_directory() / "datasets"


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _forbidden(paths: list[Path]) -> bool:
    """Say whether the system refuses to list one of the folders or to read one of the files."""
    for path in paths:
        try:
            if path.is_dir():
                os.scandir(path).close()
            else:
                path.open("rb").close()
        except PermissionError:
            return True
        except (OSError, ValueError):
            continue
    return False


def _shown(folder: Path) -> str:
    return repr(str(folder))
