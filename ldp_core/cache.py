"""Where trained public models and finished results are kept: a private folder, and memory while that fails."""

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")
_FOLDERS = ("models", "results")


class Cache:
    """Keep small files under a folder, else under ``LDP_CACHE_DIR``, else in the user's cache folder, else in memory.

    Files have mode 0600, are written to a temporary name and renamed, so that a reader never meets half a file, also
    with several processes on one folder. While the disk is full or read-only, what is there can still be read; what is
    new stays in memory, and is written with the first file that can be written again. Meanwhile ``directory`` is None,
    and ``notice``, else "", one sentence.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._folder = directory or default_directory()
        self._memory: dict[tuple[str, str], bytes] = {}
        self._aside: set[tuple[str, str]] = set()
        self._joined: list[tuple[str, Callable[[], str]]] = []
        self.directory: Path | None = self._folder
        self.notice = ""
        try:
            self._make_folders()
            with tempfile.TemporaryFile(dir=self._folder / _FOLDERS[0]):
                pass
        except OSError as error:
            self._fall_back(error)

    def read(self, folder: str, name: str) -> bytes | None:
        """Return what was kept under a name, or None."""
        if not _NAME.fullmatch(name):
            return None
        content = self._memory.get((folder, name))
        if content is None and (folder, name) not in self._aside:
            with contextlib.suppress(OSError):
                content = (self._folder / folder / name).read_bytes()
        return content

    def write(self, folder: str, name: str, content: bytes) -> None:
        """Keep content under a name; on a full or read-only disk, in memory."""
        if not _NAME.fullmatch(name):
            raise ValueError(f"a kept file's name must be letters, digits, dots and dashes, got {name!r}")
        self._memory[folder, name] = content
        self.catch_up()

    def path(self, folder: str, name: str) -> Path:
        """Return where a file lies that is not written through the cache; it may be impossible to write there."""
        return self._folder / folder / name

    def join(self, description: str, write: Callable[[], str]) -> None:
        """Have something else written with each file, too; ``write`` returns why that fails, else ""."""
        self._joined.append((description, write))

    def catch_up(self) -> None:
        """Write what waits in memory; the notice says what has to wait on."""
        files = list(self._memory.items())
        try:
            self._make_folders()
            for (inside, waiting), kept in files:
                write_atomically(self._folder / inside / waiting, kept)
                self._aside.discard((inside, waiting))
                self._memory.pop((inside, waiting), None)
        except OSError as error:
            self._fall_back(error)
        else:
            if files or self.directory:
                self.directory, self.notice = self._folder, ""
        for description, write in self._joined:
            if reason := write():
                self.notice = (
                    self.notice or f"{description} are kept in memory only, because their file failed: {reason}."
                )

    def set_aside(self, folder: str, name: str) -> None:
        """Rename a damaged file so that it is not read again."""
        if not _NAME.fullmatch(name):
            return
        self._memory.pop((folder, name), None)
        path = self._folder / folder / name
        try:
            path.replace(path.with_name(name + ".damaged"))
        except FileNotFoundError:  # another process has renamed it
            pass
        except OSError:
            self._aside.add((folder, name))

    def _make_folders(self) -> None:
        for folder in _FOLDERS:
            (self._folder / folder).mkdir(mode=0o700, parents=True, exist_ok=True)

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
