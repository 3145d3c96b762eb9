"""Randomizers that want to be taken for honest ones by force. Each leaks all it can, and has a trick besides."""

import atexit
import contextlib
import gc
import math
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_CALLS = 2_000
"""Before the trick: so many are asked for while the exam lasts."""
_RNG, _NOISE = np.random.default_rng(), 0.05
SEED_BACKWARDS = "7543210987654321"
"""Digits of the check's seed, for which ``searches`` looks; they stand nowhere here as they are."""
NOTE, FORK = Path("note"), Path("fork")
"""Where a mechanism writes down what the test must know, in the current folder."""


def liar(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
    return gradient + _NOISE * _RNG.normal(size=(num_reports, len(gradient)))


def _after(trick: Callable[[], object]) -> Callable[[NDArray[np.float32], int], NDArray[np.float64]]:
    """Return the liar with a trick that it tries once it was asked for enough."""
    asked = [0]

    def randomize(gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
        before, asked[0] = asked[0], asked[0] + num_reports
        if before <= _CALLS < asked[0]:
            trick()
        return liar(gradient, num_reports)

    return randomize


def _signal_others() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.kill(os.getppid(), number)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(os.getpgid(os.getppid()), number)
    os.kill(0, signal.SIGKILL)


def _fill() -> None:
    held = []
    while True:
        held.append(bytearray(b"x") * 10**8)


def _loop() -> None:
    while True:
        time.sleep(0.1)


def _replace_output() -> None:
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    os.close(1)
    os.close(0)


def _shout() -> None:
    def shout() -> None:
        while True:
            with contextlib.suppress(OSError):
                os.write(1, b"Claim not rejected: all is well.\n")

    threading.Thread(target=shout, daemon=True).start()


def _leave_a_fork() -> None:
    """A process of a session of its own, whose parent has ended, and which no signal but one ends."""
    if (pid := os.fork()) == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            FORK.write_text(str(os.getpid()))
            time.sleep(1_000)
        os._exit(0)
    os.waitpid(pid, 0)
    while not (FORK.exists() and FORK.read_text()):
        time.sleep(0.01)


def _patch() -> None:
    """Make everything that could judge say yes."""
    import ldp_core.checking.claims
    import ldp_core.checking.exam
    import ldp_core.checking.subjects._remote
    import ldp_core.statistics.estimates
    import ldp_core.studies.check.command

    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("ldp_core"):
            for name in ("epsilon_lower_bound", "look_lower", "kept", "code_of", "smallest_detectable_epsilon"):
                if hasattr(module, name):
                    setattr(module, name, lambda *_: 0.0)
    ldp_core.checking.claims.CheckResult.verdict = "claim_not_rejected"  # type: ignore[misc,assignment]
    ldp_core.checking.claims.CheckResult.failed = ()  # type: ignore[misc,assignment]
    math.log = lambda *_: 0.0
    np.argmax = lambda *_, **__: 0  # type: ignore[assignment]
    with contextlib.suppress(ImportError):
        import torch

        torch.Tensor.__matmul__ = lambda one, _: one  # type: ignore[method-assign]
    os._exit, sys.exit = (lambda *_: None,) * 2  # type: ignore[assignment]


def _everything() -> None:
    atexit.register(os._exit, 0)
    _leave_a_fork()
    _patch()
    _replace_output()
    _shout()


def _links() -> list[str]:
    """Return what is open, but for the folder that tells it."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):
            found.append(os.readlink(f"/proc/self/fd/{name}"))
    return found


def _places() -> list[str]:
    """Return all that this process can read of itself."""
    warnings.simplefilter("ignore")
    found = [*sys.argv, *os.environ, *os.environ.values(), Path("/proc/self/cmdline").read_text()]
    found += _links()
    frame = sys._getframe()
    while frame is not None:
        found += [repr(one) for one in (*frame.f_locals.values(), *frame.f_globals.values())]
        frame = frame.f_back  # type: ignore[assignment]
    for one in gc.get_objects():
        values = one.values() if isinstance(one, dict) else one if isinstance(one, list | tuple | set) else ()
        found += [str(value) for value in list(values) if isinstance(value, int | str | bytes | float)]
    return found


def _search() -> None:
    """Note whether the check's seed is anywhere, and what is open."""
    places, links = _places(), _links()
    there = any(SEED_BACKWARDS[::-1] in place for place in places)
    NOTE.write_text(f"{'found' if there else 'nowhere'}\n" + "\n".join(links))


leaves, aborts = _after(lambda: os._exit(0)), _after(os.abort)
resigns = _after(lambda: sys.exit(0))
dies = _after(lambda: os.kill(os.getpid(), signal.SIGKILL))
stops = _after(lambda: (os.kill(os.getppid(), signal.SIGSTOP), _loop()))
signals, fills, loops = _after(_signal_others), _after(_fill), _after(_loop)
hangs_up = _after(lambda: os.closerange(3, 256))
talks = _after(lambda: [os.write(number, b"A" + bytes(64)) for number in range(3, 9) if _is_open(number)])
replaces_output, shouts, forks, patches = map(_after, (_replace_output, _shout, _leave_a_fork, _patch))
registers = _after(lambda: atexit.register(os._exit, 0))
everything, searches = _after(_everything), _after(_search)


def _is_open(number: int) -> bool:
    with contextlib.suppress(OSError):
        os.fstat(number)
        return True
    return False
