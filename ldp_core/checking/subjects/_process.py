"""A stranger's process as the one that decides sees it: bytes to it, bytes from it, its end, and its last words."""

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from ldp_core import _validate
from ldp_core.checking.subjects._words import printable
from ldp_core.errors import MechanismUnavailableError

_READ_BYTES, _TAIL_BYTES = 1 << 20, 2_000
_MOST_READS = 8
_GRACE_SECONDS = 2.0
_START_SECONDS = 120.0
_KEPT = ("PATH", "HOME", "TMPDIR", "TZ", "LANG", "LANGUAGE")
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_LEAST_MEMORY, _MOST_MEMORY = 16 * 2**20, 2**50


@dataclass(frozen=True, slots=True)
class Limits:
    """What a stranger's program may take.

    Args:
        timeout: seconds for one answer, from 0.1 to 3,600.
        memory: bytes of data that each of its processes may hold, at least 16 MiB; None for no limit. On Linux
            RLIMIT_DATA, which counts no mapped libraries (torch alone maps 3 GB of them); elsewhere RLIMIT_AS.
        workers: processes that answer at a time, from 1 to 256.
        env: names of variables of the environment that it gets beside PATH, HOME, TMPDIR, TZ, the locale and the
            numbers of threads; each must be set.
        network: whether it may use the network; where that is not taken away, ``Process.network`` tells.
    """

    timeout: float = 30.0
    memory: int | None = None
    workers: int = 1
    env: tuple[str, ...] = ()
    network: bool = True

    def __post_init__(self) -> None:
        _validate.number("timeout", self.timeout, 0.1, 3_600.0)
        _validate.integer("workers", self.workers, 1, 256)
        if self.memory is not None:
            _validate.integer("memory limit", self.memory, _LEAST_MEMORY, _MOST_MEMORY)
        if missing := [name for name in self.env if name not in os.environ]:
            raise ValueError(f"--env must name a variable of the environment that is set, got {missing[0]!r}")

    @property
    def environment(self) -> dict[str, str]:
        """What a process gets of the environment; with several workers, each its share of the cores."""
        share = dict.fromkeys(THREADS, str(max(1, (os.cpu_count() or 1) // self.workers))) if self.workers > 1 else {}
        kept = {*_KEPT, *THREADS, *self.env}
        return share | {name: value for name, value in os.environ.items() if name in kept or name.startswith("LC_")}


class Guard(Protocol):
    """The process between."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; raises ``subprocess.TimeoutExpired``."""
        ...

    def send_signal(self, sig: int) -> None:
        """Send it a signal; nothing happens if it has ended."""
        ...


class Process:
    """A stranger's running process behind its guard (``_guard``).

    Attributes:
        network: whether it can use the network; at first, and elsewhere than on Linux, always.

    Args:
        guard: the process that starts it.
        control: descriptor of the socket to the guard.
        pipes: descriptors to write to it, to read its answers, and to read its standard error; they are closed here.
        what: it is called in sentences.

    Raises:
        OSError: if it cannot be started.
    """

    def __init__(self, guard: Guard, control: int, pipes: tuple[int, int, int], description: str) -> None:
        self.pid, self.returncode, self.network = 0, cast("int | None", None), True
        self._what, self._guard, self._control = description, guard, control
        self._to, self._from, self._errors = pipes
        self._heard, self._tail, self._gone = b"", b"", False
        self._selector = selectors.DefaultSelector()
        for descriptor in (control, *pipes):
            os.set_blocking(descriptor, False)
        for descriptor in (control, self._from, self._errors):
            self._selector.register(descriptor, selectors.EVENT_READ)
        self._finalizer = weakref.finalize(self, _let_go, guard, (control, *pipes), self._selector)
        try:
            self._listen_until(lambda: self._gone or self.pid > 0, _START_SECONDS)
            if not self.pid:
                raise OSError(f"it did not start within {_START_SECONDS:g} seconds")
        except OSError:
            self._finalizer()
            raise

    def exchange(
        self,
        request: bytes,
        timeout: float,
        feed: Callable[[bytes], bool],
        task: str,
        done: Callable[[], str],
        late_hint: str = "",
    ) -> bool:
        """Send a request, and hand over what comes until that is a whole answer.

        ``request``: may be longer than a pipe holds; ``timeout``: seconds for all of it; ``feed``: takes what comes and
        returns True once the answer is whole; ``task``, ``done``, ``late_hint``: for the sentence if it is late.
        Returns whether it read the whole request before it had answered.
        Raises ``MechanismUnavailableError`` if it ends or is late.
        """
        deadline, unsent, whole = time.monotonic() + timeout, memoryview(request), False
        with contextlib.suppress(KeyError):
            self._selector.register(self._to, selectors.EVENT_WRITE)
        try:
            while not whole:
                if self.returncode is not None:  # what it left behind has a moment to answer in its place
                    deadline = min(deadline, time.monotonic() + _GRACE_SECONDS)
                left = deadline - time.monotonic()
                if self._gone or (left <= 0.0 and self.returncode is not None):
                    raise MechanismUnavailableError(self._ended(task, done()))
                if left <= 0.0:
                    late = f"{self._what} must {task} within {timeout:g} seconds"
                    late += (f", got {done()}" if done() else "") + late_hint
                    raise MechanismUnavailableError(late + self.last_words())
                for key, _ in self._selector.select(left):
                    if key.fd == self._to:
                        unsent = unsent[self._written(unsent) :]
                        if not unsent:
                            self._selector.unregister(self._to)
                    elif key.fd == self._from:
                        if (read := _read(key.fd)) == b"":
                            raise MechanismUnavailableError(self._ended(task, done()))
                        whole = feed(read) if read else whole
                    else:
                        self._note(key.fd)
        finally:
            with contextlib.suppress(KeyError):
                self._selector.unregister(self._to)
        return not unsent

    def waiting(self) -> bytes:
        """Return what it has said unasked; nothing at its end, which the next answer will tell."""
        ready = {key.fd for key, _ in self._selector.select(0)}
        return (_read(self._from) or b"") if self._from in ready else b""

    def last_words(self) -> str:
        """Return the last line that it wrote to its standard error, in words."""
        for _ in range(_MOST_READS):  # it may never stop
            self._tail = (self._tail + (_read(self._errors) or b""))[-_TAIL_BYTES:]
        lines = self._tail.decode("utf-8", "replace").strip().splitlines()
        return f"; it said: {printable(lines[-1], 200)}" if lines else ""

    def stop(self) -> None:
        """Have it killed at once, also from another thread; it must still be closed."""
        with contextlib.suppress(OSError):
            os.write(self._control, b"K")

    def close(self, *, at_once: bool = False) -> None:
        """End it: first its input ends, then it and its children are asked to stop, then made to.

        ``at_once``: leave out the first, since it does not read.
        """
        if not self._finalizer.alive:
            return
        for descriptor in (self._to, self._from, self._errors):
            with contextlib.suppress(KeyError):
                self._selector.unregister(descriptor)
            os.close(descriptor)
        if not at_once:
            self._wait_for_end(_GRACE_SECONDS)
        self._guard.send_signal(signal.SIGCONT)  # a stranger may have stopped it
        for wish, seconds in ((b"T", _GRACE_SECONDS), (b"K", _START_SECONDS)):
            with contextlib.suppress(OSError):
                os.write(self._control, wish)
            if wish == b"K":
                self._listen_until(lambda: self._gone, seconds)
            else:
                self._wait_for_end(seconds)
        self._finalizer.detach()
        _let_go(self._guard, (self._control,), self._selector)

    def _wait_for_end(self, seconds: float) -> None:
        self._listen_until(lambda: self._gone or self.returncode is not None, seconds)

    def _listen_until(self, happened: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not happened() and (left := deadline - time.monotonic()) > 0.0:
            with selectors.DefaultSelector() as control:
                control.register(self._control, selectors.EVENT_READ)
                if control.select(left):
                    self._note(self._control)

    def _note(self, descriptor: int) -> None:
        """Take in what the guard says, or what is on standard error."""
        if (read := _read(descriptor)) is None:
            return
        if not read:
            self._gone = self._gone or descriptor == self._control
            with contextlib.suppress(KeyError):  # an interrupt may have come after it was taken out
                self._selector.unregister(descriptor)
        elif descriptor == self._errors:
            self._tail = (self._tail + read)[-_TAIL_BYTES:]
        else:
            *lines, self._heard = (self._heard + read).split(b"\n")
            for line in lines:
                self._hear(*line.decode().split())

    def _hear(self, word: str, value: str) -> None:
        if word == "errno":
            raise OSError(int(value), os.strerror(int(value)))
        if word == "cut":
            self.network = value == "0"
        elif word == "pid":
            self.pid = int(value)
        else:
            self.returncode = int(value)

    def _written(self, unsent: memoryview) -> int:
        try:
            return os.write(self._to, unsent[:_READ_BYTES])
        except BlockingIOError:
            return 0
        except OSError:  # it does not read any more: what it still says tells why
            return len(unsent)

    def _ended(self, task: str, done: str) -> str:
        self._wait_for_end(_GRACE_SECONDS)
        code = self.returncode
        if code is None:
            end = "its process was ended" if self._gone else "its process closed its output"
        elif code < 0:
            end = f"its process was ended by signal {-code} ({signal.strsignal(-code) or 'unknown'})"
        else:
            end = f"its process ended with exit code {code}"
        return f"{self._what} must {task}, but {end}" + (f" after {done}" if done else "") + self.last_words()


def _let_go(guard: Guard, descriptors: Sequence[int], selector: selectors.BaseSelector) -> None:
    """Close all; without its control socket, the guard kills what it guards and ends."""
    selector.close()
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    try:
        guard.wait(_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        guard.send_signal(signal.SIGKILL)
        guard.wait(_GRACE_SECONDS)


def _read(descriptor: int) -> bytes | None:
    """Return what is there: None for nothing yet, empty at the end."""
    try:
        return os.read(descriptor, _READ_BYTES)
    except BlockingIOError:
        return None
    except OSError:
        return b""
