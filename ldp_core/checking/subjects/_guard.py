"""Stands between the process that decides and a stranger's: starts it, tells of its end, and leaves nothing of it.

The stranger's parent and the group of that parent are the guard's, so that a signal to them does not reach whoever
decides. What the stranger starts, also in a session of its own, falls back to the guard when its parent ends (Linux),
and is ended with it. Run as a program (by its path, with nothing of ours imported) or called after a fork; it needs
the standard library alone.

Lines to the parent, on the control socket: ``cut N`` first, 1 if the network was taken away, ``pid N`` once the program
runs, ``errno N`` instead if it cannot be started, ``end N`` with its exit code, or minus the signal. From the parent:
``T`` asks the stranger's group to end (SIGTERM); at ``K``, or when the control socket ends, everything is killed.
"""

import contextlib
import ctypes
import fcntl
import os
import resource
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

Start = Callable[[Callable[[], None]], object]

_PARENT_DEATH, _SUBREAPER = 1, 36
_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
_SET_FLAGS, _UP = 0x8914, 1
_LINUX = sys.platform.startswith("linux")
_LIBRARY = ctypes.CDLL(None)
FIRST_VICTIM = "1000"
"""For ``oom_score_adj``: a machine out of memory ends the stranger first."""


def guard(
    control: int, start: Start, memory_limit: int = 0, keep: Sequence[int] = (), *, network: bool = True
) -> NoReturn:
    """Start a stranger's program in a session of its own, and outlive it; for a process of its own, which this ends.

    ``control``: descriptor of the socket to the parent; ``start``: runs or becomes the stranger's program, in another
    process. It is given a function to call once nothing can fail any more; a program that replaces the process need
    not. ``memory_limit``: bytes of data of each process, 0 for no limit; ``keep``: descriptors beside 0, 1 and 2 for
    the stranger alone; ``network``: whether it may use the network, which not every system lets a guard take away.
    """
    code, child = 1, 0
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        wake, woken = os.pipe()
        os.set_blocking(woken, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(woken)
        _prctl(_SUBREAPER, 1)
        os.write(control, f"cut {int(not network and _leave_network())}\n".encode())
        failure, failed = os.pipe()
        guarding = os.getpid()
        child = os.fork()
        if child == 0:
            _become(start, failed, guarding, memory_limit, (control, wake, woken, failure))
        os.close(failed)
        _let_go(keep)
        if error := os.read(failure, 16):
            os.write(control, b"errno " + error + b"\n")
        else:
            os.write(control, f"pid {child}\n".encode())
            _watch(control, wake, child)
        code = 0
    finally:
        with contextlib.suppress(BaseException):
            if child:
                _end_all(control, child)
        os._exit(code)


def _become(start: Start, failed: int, guarding: int, memory_limit: int, ours: Sequence[int]) -> None:
    """Turn into the stranger's program; never returns."""
    code = 1
    try:
        os.setsid()
        _prctl(_PARENT_DEATH, signal.SIGKILL)
        if os.getppid() != guarding:
            os._exit(1)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for descriptor in ours:
            os.close(descriptor)
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write(FIRST_VICTIM)
        if memory_limit:
            kind = resource.RLIMIT_DATA if _LINUX else resource.RLIMIT_AS
            resource.setrlimit(kind, (memory_limit, memory_limit))
        start(partial(os.close, failed))
        code = 0
    except OSError as error:
        with contextlib.suppress(OSError):
            os.write(failed, str(error.errno).encode())
    finally:
        os._exit(code)


def _watch(control: int, wake: int, child: int) -> None:
    """Wait until the parent wants no more; tell it of the end of the stranger's first process."""
    poll = select.poll()
    for descriptor in (control, wake):
        poll.register(descriptor, select.POLLIN)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll()}
        if wake in ready:
            os.read(wake, 1_024)
            for ended, status in _reaped():
                _tell(control, child, ended, status)
        if control in ready:
            wish = os.read(control, 16)
            if not wish or b"K" in wish:
                return
            if b"T" in wish:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(child, signal.SIGTERM)


def _tell(control: int, child: int, ended: int, status: int) -> None:
    if ended == child:
        with contextlib.suppress(OSError):
            os.write(control, f"end {os.waitstatus_to_exitcode(status)}\n".encode())


def _reaped() -> list[tuple[int, int]]:
    children = []
    with contextlib.suppress(ChildProcessError):
        while (child := os.waitpid(-1, os.WNOHANG))[0]:
            children.append(child)
    return children


def _end_all(control: int, child: int) -> None:
    """Kill the stranger's group, then children until there are none; those of the killed fall back to this process."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in _children():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            _tell(control, child, *os.waitpid(-1, 0))


def _children() -> list[int]:
    """Return the children of this process, as far as the system tells."""
    pid, children = str(os.getpid()), []
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError, IndexError):
                if name.isdigit() and _parent(name) == pid:
                    children.append(int(name))
    return children


def _parent(name: str) -> str:
    with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[1]


def _let_go(keep: Sequence[int]) -> None:
    """Keep nothing open that the parent waits to see closed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2, *keep):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _leave_network() -> bool:
    """Take the network from this process and all that it starts; a loopback of their own is left to them.

    Without the right to do so, in a user namespace where each user is who they were. Sockets that are files stay open.
    """
    user, group = os.geteuid(), os.getegid()
    if not (_LINUX and hasattr(_LIBRARY, "unshare")):
        return False
    if _LIBRARY.unshare(_NEW_NETWORK):
        if _LIBRARY.unshare(_NEW_USER | _NEW_NETWORK):
            return False
        for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
                file.write(line)
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh22x", b"lo", _UP))
    return True


def _prctl(option: int, value: int) -> None:
    if _LINUX:
        with contextlib.suppress(OSError, AttributeError):
            _LIBRARY.prctl(option, value, 0, 0, 0)


def _program(words: Sequence[str], ready: object) -> None:
    os.execvp(words[0], list(words))


if __name__ == "__main__":
    _control, _limit, _kept, _network, *_words = sys.argv[1:]
    os.set_inheritable(int(_control), False)
    _keep = [int(digits) for digits in _kept.split(",") if digits]
    guard(int(_control), partial(_program, _words), int(_limit), _keep, network=_network == "1")
