"""Starting a stranger's process behind its guard: a program, or a forked copy of this process."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ldp_core.checking.subjects import _guard
from ldp_core.checking.subjects._process import Limits, Process
from ldp_core.errors import MechanismUnavailableError


def started(words: Sequence[str], limits: Limits, description: str, *, socketed: bool = False) -> Process:
    """Start a program behind a guard.

    ``socketed``: it is spoken to over a socket, whose descriptor stands for "{socket}" in ``words``, instead of
    standard input and output; ``description``: it is called in sentences.

    Raises:
        OSError: if it cannot be started.
        ValueError: if a word holds a null character.
        MechanismUnavailableError: on a system without processes that fork.
    """
    _refuse_without_fork()
    with _Ends() as ends:
        control, theirs = ends.pair()
        errors, their_errors = ends.pipe()
        kept: list[int] = []
        if socketed:
            our_end, child_end = ends.pair()
            pipes, stdin, stdout = (os.dup(our_end), our_end, errors), subprocess.DEVNULL, their_errors
            kept, words = [child_end], [str(child_end) if word == "{socket}" else word for word in words]
        else:
            stdin, to = ends.pipe()
            answers, stdout = ends.pipe()
            pipes = (to, answers, errors)
        command = [sys.executable, "-I", "-S", "-B", _guard.__file__, str(theirs), str(limits.memory or 0)]
        guard = subprocess.Popen(
            [*command, ",".join(map(str, kept)), str(int(limits.network)), *words],
            stdin=stdin,
            stdout=stdout,
            stderr=their_errors,
            pass_fds=(theirs, *kept),
            env=limits.environment,
            start_new_session=True,  # Ctrl-C reaches us alone, and what they start ends with it
        )
        ends.keep(control, *pipes)
    return Process(guard, control, pipes, description)


def forked(run: Callable[[socket.socket], object], limits: Limits, description: str) -> Process:
    """Fork this process behind a guard, and run a function there with a socket to this one.

    Nothing but that socket is inherited open; the memory is a copy of this process's.
    Raises ``OSError`` if there can be no more processes and ``MechanismUnavailableError`` on a system without processes
    that fork.
    """
    _refuse_without_fork()
    with _Ends() as ends:
        control, theirs = ends.pair()
        errors, their_errors = ends.pipe()
        our_end, child_end = ends.pair()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads may run: nothing of theirs is used
            pid = os.fork()
        if pid == 0:
            try:
                _leave_parent(theirs, child_end, their_errors)

                def start(ready: Callable[[], None]) -> None:
                    ready()
                    try:
                        run(socket.socket(fileno=child_end))
                    finally:
                        os._exit(0)  # nothing of this process may go on there

                _guard.guard(theirs, start, limits.memory or 0, [child_end], network=limits.network)
            finally:
                os._exit(1)
        pipes = (os.dup(our_end), our_end, errors)
        ends.keep(control, *pipes)
    return Process(_Forked(pid), control, pipes, description)


_KEPT: list[Any] = []
"""Streams of the parent that a forked child must not write out."""


def _leave_parent(control: int, channel: int, errors: int) -> None:
    """In the child: give up what is the parent's, its session, its open files and its streams."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number, descriptor in enumerate((nothing, errors, errors)):
        os.dup2(descriptor, number)
    folder = "/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"
    for name in os.listdir(folder):
        if int(name) > 2 and int(name) not in (control, channel, nothing):
            with contextlib.suppress(OSError):  # replaced, not closed: an object may close that number later
                os.fstat(int(name))
                os.dup2(nothing, int(name))
    _KEPT.extend((sys.stdin, sys.stdout, sys.stderr))
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr = open(2, "w", buffering=1, errors="replace", closefd=False)  # noqa: SIM115


class _Forked:
    """A forked guard, with the part of ``subprocess.Popen`` that is needed."""

    def __init__(self, pid: int) -> None:
        self._pid: int | None = pid

    def wait(self, timeout: float | None = None) -> int:
        deadline = time.monotonic() + (timeout or 0.0)
        while self._pid is not None:
            try:
                if os.waitpid(self._pid, os.WNOHANG)[0]:
                    self._pid = None
            except ChildProcessError:
                self._pid = None
            if self._pid is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("guard", timeout or 0.0)
            if self._pid is not None:
                time.sleep(0.005)
        return 0

    def send_signal(self, sig: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self._pid is not None:
                os.kill(self._pid, sig)


class _Ends:
    """Descriptors that are closed at the end of a block unless they are kept."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def __enter__(self) -> _Ends:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self._open:
            os.close(descriptor)

    def pair(self) -> tuple[int, int]:
        return self._added(*(end.detach() for end in socket.socketpair()))

    def pipe(self) -> tuple[int, int]:
        return self._added(*os.pipe())

    def keep(self, *descriptors: int) -> None:
        self._open -= set(descriptors)

    def _added(self, first: int, second: int) -> tuple[int, int]:
        self._open |= {first, second}
        return first, second


def _refuse_without_fork() -> None:
    if not hasattr(os, "fork"):
        raise MechanismUnavailableError(
            "code of others can only be checked where a process can fork (Linux, macOS or another POSIX system), "
            f"got {sys.platform}"
        )
