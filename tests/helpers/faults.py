"""Real faults for real programs: a server that is killed or frozen, a cable that is pulled, a disk, a clock."""

import contextlib
import os
import shlex
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from pages.server.log_redaction import LEFT_OUT
from tests.helpers.patience import LONGEST_END
from tests.helpers.places import ROOT
from tests.helpers.server import free_port, serving, wait_until_healthy


class Cable:
    """A loopback port that leads to another one, and can be pulled out and put back."""

    def __init__(self, port: int) -> None:
        self._target, self._open, self._plugged = port, list[socket.socket](), True
        self._lock, self._carriers = threading.Lock(), list[threading.Thread]()
        self._listener = socket.create_server(("127.0.0.1", free_port()))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "Cable":
        return self

    def __exit__(self, *error: object) -> None:
        self._listener.close()
        self.pull()
        for carrier in self._carriers:
            carrier.join()

    def pull(self) -> None:
        """Close every connection, and each new one at once."""
        with self._lock:
            self._plugged = False
            for end in self._open:
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            self._open.clear()

    def plug(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._plugged = True

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                with self._lock:
                    far = None
                    with contextlib.suppress(OSError):
                        far = socket.create_connection(("127.0.0.1", self._target)) if self._plugged else None
                    if far is None:
                        near.close()
                        continue
                    self._open += [near, far]
                self._carriers.append(threading.Thread(target=_carry, args=(near, far), daemon=True))
                self._carriers[-1].start()


def _carry(near: socket.socket, far: socket.socket) -> None:
    with near, far:
        back = threading.Thread(target=_pump, args=(far, near), daemon=True)
        back.start()
        _pump(near, far)
        back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while content := source.recv(65536):
            target.sendall(content)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


class Server:
    """The app in a session of its own, so that whatever it leaves behind is found; ``prefix`` may mount a disk."""

    def __init__(
        self, cache: Path, port: int, prefix: Sequence[str] = (), log: Path | None = None, **environment: str
    ) -> None:
        self.port, self.address, self.log = port, f"http://127.0.0.1:{port}", log or cache.with_suffix(".log")
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [*prefix, *serving("app.py", port)], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT,
                env=os.environ | {"LDP_CACHE_DIR": str(cache), **environment}, start_new_session=True,
            )  # fmt: skip

    def __enter__(self) -> "Server":
        wait_until_healthy(self.address, self.process)
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def end(self, sent: signal.Signals) -> int:
        """Send a signal, wait for the end, and return the exit code; nothing may be left behind."""
        self.process.send_signal(sent)
        code = self.process.wait(LONGEST_END)
        assert left_of(self.process.pid) == []
        return code


def outcries(log: str) -> list[str]:
    """Return the lines of a server's log that tell of an error which nobody expected."""
    return [line for line in log.splitlines() if any(mark in line for mark in (LEFT_OUT, "Traceback", "terminate"))]


def left_of(session: int) -> list[str]:
    """Return the command lines of the processes that are left of a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.getsid(int(folder.name)) == session and "State:\tZ" not in (folder / "status").read_text():
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def mounting(commands: str) -> list[str]:
    """Return words that carry out shell commands as root of an own file system, then what follows; or skip the test."""
    for flags in ("-m", "-rm"):
        words = ["unshare", flags, "sh", "-c"]
        if (
            shutil.which("unshare")
            and not subprocess.run([*words, "mount -t tmpfs none /mnt"], capture_output=True, check=False).returncode
        ):
            return [*words, f'{commands} && exec "$@"', "sh"]
    pytest.skip("this machine lets nobody mount a file system")


def full_disk(folder: Path) -> list[str]:
    """Return words that put a disk at a folder that what was in it and a useless file fill, and run what follows."""
    held, there = shlex.quote(f"{folder}.held"), shlex.quote(str(folder))
    return mounting(
        f"cp -r {there} {held} && mount -t tmpfs -o size=64k none {there} && cp -r {held}/. {there} && "
        f"! dd if=/dev/zero of={there}/useless bs=1k 2>/dev/null"
    )


def read_only(folder: Path) -> list[str]:
    """Return words that let nobody write in a folder, also not root, and run what follows."""
    there = shlex.quote(str(folder))
    return mounting(f"mount --bind {there} {there} && mount -o remount,bind,ro {there}")
