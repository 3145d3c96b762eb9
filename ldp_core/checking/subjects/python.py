"""A mechanism that a Python program defines. Its code runs in a process of its own, and only at the client's request.

Importing it, asking what it states and calling it all happen there; this process reads bytes of bounded length. A
program of the same user can still do what the system lets it: read files and the memory of other processes.

Never import this module from a page: no field of a browser may name code.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ldp_core import _validate
from ldp_core.checking.subjects import _frames
from ldp_core.checking.subjects._process import Limits, Process
from ldp_core.checking.subjects._remote import RemoteSubject, Supply
from ldp_core.checking.subjects._start import forked, started
from ldp_core.checking.subjects._words import printable
from ldp_core.checking.subjects._workers import Workers, together
from ldp_core.checking.subjects.calls import ARRAYS
from ldp_core.errors import LdpCoreError, MechanismUnavailableError

if TYPE_CHECKING:
    from socket import socket

    from numpy.typing import NDArray


__all__ = ["Limits", "RemoteSubject", "Workers", "from_callable", "opened"]
_WHAT = "the mechanism"
_RESTARTS = 2
"""How often an exam restarts a mechanism."""
_PROBES, _PROBE_REPORTS, _PROBE_SECONDS = 2, 256, 5.0
"""Copies whose first reports are compared, how many of each, and the longest that they may take for them."""
_NEARER = 0.66
"""Share of reports that are nearer to the other copy's of the same call: of independent ones about half are."""


def opened(
    target: str,
    values: Mapping[str, float],
    given: Collection[str],
    dimension: int,
    arrays: str = "auto",
    limits: Limits | None = None,
) -> RemoteSubject | Workers:
    """Return the mechanism that ``package.module:Name`` names, in processes of its own, with what it states.

    The name may be an object with ``randomize(gradient, num_reports)``, a class or function that makes one from any of
    epsilon, delta, clip_norm and dimension (by these names), or a function ``randomize(gradient)``. It never gets our
    randomness, as on the device: neither the seed nor what will be asked is in its process. Close it at the end.

    ``values``: of what a class or factory may ask for, by name; ``given``: those handed over even where it has a
    default; ``arrays``: ``auto``, ``numpy`` or ``torch``.
    Raises ``ValueError`` if the target is not of this form and ``MechanismUnavailableError`` if it cannot be imported
    or made.
    """
    module, colon, path = target.partition(":")
    if not (colon and all(part.isidentifier() for part in (*module.split("."), *path.split(".")))):
        raise ValueError(f"the mechanism must be named package.module:Name, got {target!r}")
    _validate.choice("arrays", arrays, ARRAYS)
    limits = limits or Limits()
    settings = {
        "target": target,
        "values": dict(values),
        "given": sorted(given),
        "arrays": arrays,
        "dimension": dimension,
        "path": sys.path,
    }
    start = partial(interpreter, limits, "ldp_core.checking.subjects._child", _WHAT)
    supply, about = Supply(start=start), (_frames.words(_frames.SETTINGS, settings), dimension, limits)
    return together(start_all(start, limits.workers), lambda process: RemoteSubject(process, supply, *about))


def from_callable(
    function: Any, dimension: int, arrays: str = "auto", *, limits: Limits | None = None
) -> RemoteSubject | Workers:
    """Return a function of this program, as of a notebook, as a subject that runs in forked copies of this process.

    A copy sees all memory that this process had when it was forked: call this before the check's seed is drawn, so
    that no copy holds it. All copies are forked here, also those for the exam's two restarts; nothing is handed over
    afterwards but the inputs. torch runs on one thread there, since a pool of threads does not survive a fork.

    The generators that every program shares (numpy.random, random, torch) are seeded anew in each copy. One that the
    function closes over cannot be: where two copies begin with the same reports, one copy alone is asked, and not
    about a restart (``RemoteSubject.alike``). By chance that happens to an honest one-bit mechanism, of whatever
    epsilon, in fewer than one of 1,000 checks; one whose reports take more values begins alike more seldom.

    Args:
        function: ``randomize(gradient)``, ``randomize(gradient, num_reports)``, or an object with such a method.
        dimension: length d of the inputs.
        arrays: what it takes: ``auto``, ``numpy`` or ``torch``.
        limits: of time, of memory (which counts what this process held), and how many processes.

    Raises:
        ValueError: if it is a class, or no function.
        MechanismUnavailableError: where a process cannot fork.
    """
    _validate.choice("arrays", arrays, ARRAYS)
    if isinstance(function, type) or not callable(getattr(function, "randomize", function)):
        raise ValueError(
            f"function must be a function or an object with a method randomize, got {printable(repr(function), 80)}"
        )
    limits = limits or Limits()
    run = partial(_serve_here, function, arrays, dimension)
    try:
        copies = start_all(partial(forked, run, limits, _WHAT), limits.workers * (1 + _RESTARTS) + _PROBES)
    except OSError as error:
        raise MechanismUnavailableError(f"the mechanism must be one that can be forked: {error.strerror}") from error
    probes, copies = copies[:_PROBES], copies[_PROBES:]
    try:
        alike = _begin_alike(probes, dimension, limits)
    except BaseException:
        Supply(copies).close()
        raise
    if alike:
        Supply(copies[1:]).close()
        return RemoteSubject(copies[0], Supply(), b"", dimension, limits, alike=True)
    spare = Supply(copies[limits.workers :])
    return together(copies[: limits.workers], lambda process: RemoteSubject(process, spare, b"", dimension, limits))


def _begin_alike(probes: list[Process], dimension: int, limits: Limits) -> bool:
    """Return whether two copies answer a row of single calls alike; end both.

    Of two generators the copies may share one. So alike are reports, sizes or signs that are the same and not all one,
    and reports, or sizes, that are nearer to the other copy's of the same call than to its next ones far more often
    than not: of independent reports in fewer than one of a million checks.
    """
    vector, quick = np.full(dimension, dimension**-0.5, np.float32), replace(limits, timeout=_PROBE_SECONDS)
    reports: list[NDArray[Any]] = []
    for place, process in enumerate(probes):
        try:
            subject = RemoteSubject(process, Supply(), b"", dimension, quick)
            reports.append(np.concatenate([subject.randomize(vector, 1) for _ in range(_PROBE_REPORTS)]))
            subject.close()
        except LdpCoreError:  # whoever is asked next will tell
            Supply(probes[place:]).close()
            return False
        except BaseException:
            Supply(probes[place:]).close()
            raise
    views = (lambda values: values, np.abs, np.sign)
    answers = [[view(report.astype(np.float64)) for report in reports] for view in views]
    if any(bool((first != first[0]).any()) and np.array_equal(first, second) for first, second in answers):
        return True
    return reports[0].shape == reports[1].shape and any(
        np.sum(_distances(first, second) < _distances(first, np.roll(second, 1, axis=0))) >= _NEARER * _PROBE_REPORTS
        for first, second in answers[:2]
    )


def _distances(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.abs(first - second).sum(axis=1))


def start_all(start: Callable[[], Process], number: int) -> list[Process]:
    """Start so many processes, or none."""
    processes: list[Process] = []
    try:
        for _ in range(number):
            processes.append(start())
    except BaseException:
        Supply(processes).close()
        raise
    return processes


def interpreter(limits: Limits, child: str, description: str) -> Process:
    """Start a Python of its own that runs ``main`` of a module.

    Raises ``MechanismUnavailableError`` if it cannot be started.
    """
    root = str(Path(__file__).parents[3])
    text = (
        f"import sys; sys.path[:0] = {[root, *sys.path]!r}; from {child} import main; "
        "number = int(sys.argv.pop()); main(number)"
    )
    try:
        return started([sys.executable, "-c", text, "{socket}"], limits, description, socketed=True)
    except OSError as error:
        raise MechanismUnavailableError(f"Python must be a program that can be started: {error.strerror}") from error


def _serve_here(function: Any, arrays: str, dimension: int, channel: socket) -> None:
    """In a forked copy: answer requests, with randomness of its own where that is everybody's."""
    random.seed()  # noqa: TID251  # from the operating system, as the two below: a copy has the state of its parent
    np.random.seed()  # noqa: NPY002, TID251
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()
        sys.modules["torch"].set_num_threads(1)
    from ldp_core.checking.subjects import _child

    _child.serve(channel, lambda: _child.reporting(function, arrays, dimension))
