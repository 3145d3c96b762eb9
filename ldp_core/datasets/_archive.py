"""A zip file of images, read in memory: nothing is unpacked onto the disk, and its limits are checked first."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import IO

from ldp_core.errors import DatasetUnavailableError

MOST_ENTRIES = 100_000
MOST_BYTES = 1_000_000_000
_ENCRYPTED = 0x1


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """A file below the folder of own images: its path in parts, and how to open it."""

    parts: tuple[str, ...]
    open: Callable[[], IO[bytes]]

    def __repr__(self) -> str:
        return "<Entry: private>"


def opened(file: IO[bytes]) -> zipfile.ZipFile:
    """Open a zip file within the limits.

    Raises ``DatasetUnavailableError`` if it is no whole zip file, too large unpacked, encrypted or leads out of itself.
    """
    archive = _parsed(file)
    if archive is None:
        raise DatasetUnavailableError(
            "your own images must be a folder or a whole .zip file, got a file that is no whole .zip file; pack it anew"
        )
    members = archive.infolist()
    if len(members) > MOST_ENTRIES:
        raise DatasetUnavailableError(
            f"a .zip file of your own images must hold at most {MOST_ENTRIES:,} entries, got {len(members):,}; "
            "pack fewer"
        )
    size = sum(member.file_size for member in members)
    if size > MOST_BYTES:
        raise DatasetUnavailableError(
            f"a .zip file of your own images must unpack to at most {MOST_BYTES:,} bytes, got {size:,}; "
            "pack fewer or smaller images"
        )
    locked = sum(bool(member.flag_bits & _ENCRYPTED) for member in members)
    if locked:
        raise DatasetUnavailableError(
            f"a .zip file of your own images must not be encrypted, got {locked:,} encrypted entries; "
            "pack it without a password"
        )
    leaving = sum(".." in _parts(member) for member in members)
    if leaving:
        raise DatasetUnavailableError(
            f"a .zip file of your own images must keep below its own folder, got {leaving:,} paths that leave it; "
            "pack it anew"
        )
    return archive


def entries(archive: zipfile.ZipFile) -> list[Entry]:
    """List the files of an opened zip file; each is unpacked only when it is opened."""
    files = [member for member in archive.infolist() if not member.is_dir()]
    return [Entry(_parts(member), partial(_content, archive, member)) for member in files]


def _parsed(file: IO[bytes]) -> zipfile.ZipFile | None:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, LookupError):
        return None


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> IO[bytes]:
    """Unpack one file, never more than the size it states; two compressions only, since others ignore that bound."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise NotImplementedError("this compression cannot be bounded")
    with archive.open(member) as file:
        return io.BytesIO(file.read(member.file_size))


def _parts(member: zipfile.ZipInfo) -> tuple[str, ...]:
    return tuple(part for part in member.filename.replace("\\", "/").split("/") if part not in ("", "."))
