"""Downloads in the background, with progress.

Addresses, checksums and unpacking are torchvision's. Only the transfer is done here, since torchvision's own prints a
bar on standard error, tells no one else how far it is, and waits for ever on a silent server. A file that lies there
with the right checksum is one that torchvision itself would not download again.
"""

import threading
from collections.abc import Iterator
from pathlib import Path

from ldp_core.datasets._source import Part, Source

SECONDS_BETWEEN_REPORTS = 0.2
SECONDS_OF_SILENCE = 30.0
_CHUNK = 64 * 1024

_lock = threading.Lock()
_running: dict[tuple[str, str], "_Transfer"] = {}


def progress(source: Source, folder: Path) -> Iterator[tuple[int, int]]:
    """Fetch what is missing in a thread of its own; yield bytes so far and in total, nothing if nothing is missing.

    Who stops listening early does not stop the download; who asks again meanwhile joins it. Raises
    ``DatasetUnavailableError`` if the files cannot be fetched.
    """
    if source.is_here(folder):
        return
    transfer = _joined(source, folder)
    while transfer.is_alive():
        yield min(transfer.done, source.download_bytes), source.download_bytes
        transfer.join(SECONDS_BETWEEN_REPORTS)
    if transfer.error is not None:
        raise source.failed_download(folder, transfer.error) from transfer.error
    yield source.download_bytes, source.download_bytes


class _Transfer(threading.Thread):
    """One download; ``done`` counts bytes, ``error`` is what went wrong."""

    def __init__(self, source: Source, folder: Path) -> None:
        super().__init__(name=f"download of {source.name}", daemon=True)
        self.done = 0
        self.error: Exception | None = None
        self._source = source
        self._folder = folder

    def run(self) -> None:
        try:
            for part in self._source.parts():
                self._bring(part, self._folder / part.file)
        except Exception as error:  # any error is handed to the thread that listens
            self.error = error

    def _bring(self, part: Part, path: Path) -> None:
        from torchvision.datasets.utils import check_integrity, extract_archive

        if check_integrity(str(path), part.md5):
            self.done += path.stat().st_size
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._copy_from_any(part, path)
        if part.packed:
            extract_archive(str(path), str(path.parent))

    def _copy_from_any(self, part: Part, path: Path) -> None:
        from http.client import HTTPException
        from urllib.error import HTTPError

        from torchvision.datasets.utils import check_integrity

        before = self.done
        failure: Exception = ValueError("no address")
        for url in part.urls:
            self.done = before
            try:
                self._copy(url, path)
                if check_integrity(str(path), part.md5):
                    return
                failure = ValueError("wrong checksum")
            except (OSError, HTTPException) as error:
                failure = error
                if isinstance(error, HTTPError):  # the error holds the open answer of the server
                    error.close()
        raise failure

    def _copy(self, url: str, path: Path) -> None:
        import urllib.request

        request = urllib.request.Request(url, headers={"User-Agent": "ldp-audit"})
        with urllib.request.urlopen(request, timeout=SECONDS_OF_SILENCE) as answer, path.open("wb") as file:
            while chunk := answer.read1(_CHUNK):
                file.write(chunk)
                self.done += len(chunk)


def _joined(source: Source, folder: Path) -> _Transfer:
    """Return the running download of this data set into this folder, started if there is none."""
    with _lock:
        transfer = _running.get((source.name, str(folder)))
        if transfer is None or not transfer.is_alive():
            transfer = _running[source.name, str(folder)] = _Transfer(source, folder)
            transfer.start()
        return transfer
