"""Where trained public models and finished results are kept: a private folder, or memory."""

import contextlib
import os
import re
import sys
import tempfile
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")
_FOLDERS = ("models", "results")


class Cache:
    """Keep small files under ``LDP_CACHE_DIR``, else in the user's cache folder, else in memory.

    Files have mode 0600, are written to a temporary name and renamed, so that a reader never meets half
    a file, also with several processes on one folder.

    Args:
        directory: the folder; without one it is found as said above.

    Attributes:
        directory: the folder in use, or None.
        notice: one sentence when things are kept in memory only, else "".
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._memory: dict[tuple[str, str], bytes] = {}
        self.notice = ""
        self.directory: Path | None = directory or default_directory()
        try:
            for folder in _FOLDERS:
                (self.directory / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.directory / _FOLDERS[0]):
                pass
        except OSError as error:
            self._fall_back(error)

    def read(self, folder: str, name: str) -> bytes | None:
        """Return what was kept under a name, or None."""
        if not _NAME.fullmatch(name):
            return None
        if (folder, name) in self._memory:
            return self._memory[folder, name]
        if self.directory is None:
            return None
        try:
            return (self.directory / folder / name).read_bytes()
        except OSError:
            return None

    def write(self, folder: str, name: str, content: bytes) -> None:
        """Keep content under a name; on a full or read-only disk, in memory."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"a kept file's name must be letters, digits, dots and dashes, got {name!r}")
        if self.directory is not None:
            try:
                write_atomically(self.directory / folder / name, content)
                return
            except OSError as error:
                self._fall_back(error)
        self._memory[folder, name] = content

    def set_aside(self, folder: str, name: str) -> None:
        """Rename a damaged file so that it is not read again."""
        if not _NAME.fullmatch(name):
            return
        self._memory.pop((folder, name), None)
        if self.directory is not None:
            path = self.directory / folder / name
            with contextlib.suppress(OSError):
                path.replace(path.with_name(name + ".damaged"))

    def _fall_back(self, error: OSError) -> None:
        reason = error.strerror or type(error).__name__
        self.notice = f"Trained models and results are kept in memory only, because the cache folder failed: {reason}."
        self.directory = None


def default_directory() -> Path:
    """Return ``LDP_CACHE_DIR``, else this program's folder among the user's caches."""
    named = os.environ.get("LDP_CACHE_DIR")
    if named:
        return Path(named)
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "ldp-audit"


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file of mode 0600 so that it exists whole or not at all; raises ``OSError``."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
