"""Runs the passes of a comparison in other processes or on a cluster, through joblib."""

import re
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from ldp_core import _validate
from ldp_core.errors import BackendUnavailableError, LdpCoreError

BACKENDS = ("here", "loky", "dask", "ray")
_WHOLE_LISTS = ("ray",)
"""Backends that joblib cannot ask for one output at a time."""
_RAY_ADDRESS = r"[^\s:/]+:\d{1,5}"
_LEAST_RAY_WORKERS = "at least 2 with the backend ray, since joblib runs one task at a time in this process"
_ANSWER_SECONDS = 20
_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


def check_backend(backend: str, cluster: str | None, workers: int | None) -> None:
    """Raise ``ValueError`` if these do not fit together.

    ``backend`` is one of ``BACKENDS``; ``cluster`` the address of a running dask cluster, or of a ray one (HOST:PORT);
    ``workers`` the tasks at a time, which a dask cluster decides itself, and ray needs two at least.
    """
    _validate.choice("backend", backend, BACKENDS)
    if workers is not None:
        _validate.integer("workers", workers, 1, 100_000)
    if backend == "here" and workers is not None:
        raise ValueError(f"workers must be left out with the backend here, which is this process, got {workers}")
    if backend in ("here", "loky") and cluster is not None:
        place = "process" if backend == "here" else "machine"
        raise ValueError(f"cluster must be left out with the backend {backend}, which is this {place}, got {cluster!r}")
    if backend == "dask" and cluster is not None and workers is not None:
        raise ValueError(f"workers must be left out with a dask cluster, which uses all that it has, got {workers}")
    if backend == "ray" and not re.fullmatch(_RAY_ADDRESS, cluster or ""):
        raise ValueError(
            "cluster must be HOST:PORT with the backend ray, which listens to every machine around and so is not "
            f"started from here, got {cluster!r}"
        )
    if backend == "ray" and workers == 1:
        raise ValueError(f"workers must be {_LEAST_RAY_WORKERS}, got 1")


def carry_out(
    work: Callable[[_Task], _Found], tasks: Sequence[_Task], backend: str, cluster: str | None, workers: int | None
) -> Generator[_Found, None, None]:
    """Run tasks through joblib and yield what they return, in the order in which they end.

    ``work`` must be importable in the workers, tasks must be picklable. Other arguments as in ``check_backend``;
    without a cluster's address a dask cluster of this machine is started.
    Raises ``BackendUnavailableError`` if the backend's package is missing or the cluster does not answer.
    """
    _validate.choice("backend", backend, BACKENDS[1:])
    check_backend(backend, cluster, workers)
    from joblib import parallel_config

    with _importable(), _connected(backend, cluster, workers), parallel_config(backend=backend):
        outputs: Generator[_Found, None, None] | None = None
        try:
            outputs = _outputs(work, tasks, workers or -1, whole=backend in _WHOLE_LISTS)
            for outcome in outputs:  # noqa: UP028  # "yield from" would close it outside the filter below
                yield outcome
        except Exception as error:
            if isinstance(error, LdpCoreError | ValueError) or not _is_lost_worker(error):
                raise
            raise BackendUnavailableError(
                f"the workers of {backend} must be there until they are done, got {type(error).__name__}"
            ) from error
        finally:
            with warnings.catch_warnings():  # cancelling loses the tasks in work
                warnings.filterwarnings("ignore", ".*tasks", UserWarning)
                if outputs is not None:
                    outputs.close()


@contextmanager
def _importable() -> Iterator[None]:
    """Put this package's folder on the path that workers inherit; ``ldp_core._path`` removes a clone's."""
    home = str(Path(__file__).parents[2])
    added = home not in sys.path
    if added:
        sys.path.append(home)
    try:
        yield
    finally:
        if added:
            sys.path.remove(home)


def _outputs(
    work: Callable[[_Task], _Found], tasks: Sequence[_Task], workers: int, whole: bool
) -> Generator[_Found, None, None]:
    from joblib import Parallel, delayed

    calls = [delayed(work)(task) for task in tasks]
    if whole:
        return _lists(Parallel(workers, batch_size=1), calls, workers)
    outputs: Generator[_Found, None, None] = Parallel(workers, return_as="generator_unordered", batch_size=1)(calls)
    return outputs


def _lists(parallel: Any, calls: Sequence[Any], workers: int) -> Generator[Any, None, None]:
    """Yield outputs of calls, sent in lists of as many as run at a time."""
    from joblib import effective_n_jobs

    together = effective_n_jobs(workers)
    if together < 2:
        raise BackendUnavailableError(f"workers must be {_LEAST_RAY_WORKERS}, got a cluster with {together}")
    with parallel:
        for start in range(0, len(calls), together):
            yield from parallel(calls[start : start + together])


def _is_lost_worker(error: Exception) -> bool:
    """Return whether an error says that a worker or a cluster went away, and not that the work failed."""
    names = {kind.__name__ for kind in type(error).__mro__}
    lost = {"BrokenExecutor", "KilledWorker", "CommClosedError", "RayActorError", "WorkerCrashedError"}
    return bool(names & lost) or isinstance(error, ConnectionError | TimeoutError)


def _connected(backend: str, cluster: str | None, workers: int | None) -> AbstractContextManager[Any]:
    """Connect to a cluster, or start a dask one that only this machine reaches; leaving the context disconnects."""
    try:
        if backend == "dask":
            from distributed import Client

            options: dict[str, Any] = {"address": cluster, "timeout": _ANSWER_SECONDS}
            if cluster is None:
                options = {
                    "host": "127.0.0.1",
                    "dashboard_address": "127.0.0.1:0",
                    "processes": True,
                    "threads_per_worker": 1,
                }
                options |= {"n_workers": workers} if workers else {}
            client: AbstractContextManager[Any] = Client(**options)  # type: ignore[no-untyped-call]
            return client
        if backend == "ray":
            import ray
            from ray.util.joblib import register_ray

            assert cluster is not None
            host, _, port = cluster.rpartition(":")
            socket.create_connection((host, int(port)), _ANSWER_SECONDS).close()  # ray would ask for minutes
            register_ray()
            with _own_signals():
                try:
                    session: AbstractContextManager[Any] = ray.init(cluster, log_to_driver=False, logging_level="error")
                except (RuntimeError, ray.exceptions.RayError) as error:  # another version, another token
                    raise ConnectionError(type(error).__name__) from error
            return session
    except ImportError as error:
        package = {"dask": "distributed", "ray": "ray"}[backend]
        raise BackendUnavailableError(
            f"the backend {backend} needs the package {package}, which is not installed; pip install {package}"
        ) from error
    except (OSError, TimeoutError, ConnectionError) as error:
        raise BackendUnavailableError(
            f"the {backend} cluster must answer, got {type(error).__name__} from {cluster!r}"
        ) from error
    return nullcontext()


@contextmanager
def _own_signals() -> Iterator[None]:
    """Restore the SIGTERM handler that ray replaces, without which a command would not print its result."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)
