"""What a server takes of its machine, as Linux counts it."""

import contextlib
import json
import os
import signal
import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process held at one moment: seconds since the watch began, memory in MB, open files, threads."""

    at: float
    memory: float
    handles: int
    threads: int


class Watch:
    """Looks at the process that listens at an address once a second, until it is closed."""

    def __init__(self, address: str) -> None:
        self.folder = _process(address.rpartition(":")[2])
        self.seen: list[Taken] = []
        self._start = time.monotonic()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def now(self) -> Taken:
        """Return what the process holds now."""
        status = (self.folder / "status").read_text()
        resident = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
        counted = (len(list((self.folder / name).iterdir())) for name in ("fd", "task"))
        return Taken(time.monotonic() - self._start, int(resident) / 1024, *counted)

    def threads(self, named: Path) -> dict[str, int]:
        """Ask the server to name its threads in a file (``site/sitecustomize.py``); those that poll are left out."""
        named.unlink(missing_ok=True)
        os.kill(int(self.folder.name), signal.SIGUSR1)
        deadline = time.monotonic() + 30.0
        while not named.exists():
            assert time.monotonic() < deadline, "the server did not name its threads within 30 seconds"
            time.sleep(0.05)
        found = json.loads(named.read_text())
        names = found["others"]
        native = self.now().threads - found["polling"] - len(names)
        return {"native": native} | {name: names.count(name) for name in names}

    def files(self) -> Counter[str]:
        """Return how often each file is open; sockets and pipes together, by their kind."""
        return Counter(os.readlink(name).partition(":[")[0] for name in (self.folder / "fd").iterdir())

    def between(self, start: float, end: float) -> list[Taken]:
        """Return what was seen in a span of seconds since the watch began."""
        return [taken for taken in self.seen if start <= taken.at < end]

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._closing.wait(1.0):
            try:
                self.seen.append(self.now())
            except (OSError, StopIteration):  # the server has ended
                return


def middle(seen: list[Taken]) -> float:
    """Return the median of the memory, in MB."""
    return statistics.median(taken.memory for taken in seen)


def _process(port: str) -> Path:
    """Return the folder of the server that was started with a port."""
    wanted = f"\0--server.port\0{port}\0".encode()
    for folder in _PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):  # others end meanwhile
            if wanted in (folder / "cmdline").read_bytes():
                return folder
    raise LookupError(f"no process was started with the port {port}")
