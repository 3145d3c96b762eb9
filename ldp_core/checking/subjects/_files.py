"""Files that are written once: together or not at all, and never over others unless that was asked for."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path

_BINARY = getattr(os, "O_BINARY", 0)


def check_free(what: str, path: Path, *, force: bool) -> None:
    """Raise ``ValueError`` if a file, named in words, is there that must stay, or something that is no file."""
    try:
        mode = path.stat(follow_symlinks=force).st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise ValueError(f"{what} must name a file, got {str(path)!r}: {error.strerror}") from error
    if not stat.S_ISREG(mode) and (force or not stat.S_ISLNK(mode)):
        raise ValueError(f"{what} must name a file, got {str(path)!r}, which is something else")
    if not force:
        raise ValueError(f"{what} must name a new file, got {str(path)!r}, which is there; --force overwrites it")


def write_together(files: Sequence[tuple[Path, bytes, int]], *, force: bool) -> None:
    """Write files, all or none, each created with its own mode (less what the umask takes away).

    ``force``: whether files that are there are replaced; their modes do not matter.
    Raises ``ValueError`` if a file is there that must stay and ``OSError`` if a file cannot be written.
    """
    waiting: list[tuple[Path, Path]] = []
    placed: list[Path] = []
    try:
        for path, content, mode in files:
            target = Path(os.path.realpath(path)) if force else path
            waiting.append((target.with_name(f".{secrets.token_hex(8)}.tmp"), target))
            handle = os.open(waiting[-1][0], os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        for temporary, target in waiting:
            if not force:
                check_free("each file", target, force=False)
                placed.append(target)
            os.replace(temporary, target)
    except BaseException:
        for path in (*(temporary for temporary, _ in waiting), *placed):
            with contextlib.suppress(OSError):
                path.unlink()
        raise
