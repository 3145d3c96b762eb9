"""Where the passes of a comparison run when one process is outgrown: other processes, or a cluster, through joblib."""

from __future__ import annotations

import re
import socket
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any, TypeVar

from ldp_core import _validate
from ldp_core.errors import BackendUnavailableError, LdpCoreError

BACKENDS = ("here", "loky", "dask", "ray")
_WHOLE_LISTS = ("ray",)
"""Backends that joblib cannot ask for one output at a time."""
_RAY_ADDRESS = r"auto|[^\s:/]+:\d{1,5}"
_ANSWER_SECONDS = 20
_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


def check_backend(backend: str, cluster: str | None, workers: int | None) -> None:
    """Check where a comparison is to run.

    Args:
        backend: one of ``BACKENDS``.
        cluster: address of a running dask cluster, or of a ray one: HOST:PORT, or auto for the one on this machine.
        workers: tasks at a time.

    Raises:
        ValueError: if they do not fit together.
    """
    _validate.choice("backend", backend, BACKENDS)
    if workers is not None:
        _validate.integer("workers", workers, 1, 100_000)
    if backend == "here" and workers is not None:
        raise ValueError(f"workers must be left out with the backend here, which is this process, got {workers}")
    if backend in ("here", "loky") and cluster is not None:
        place = "process" if backend == "here" else "machine"
        raise ValueError(f"cluster must be left out with the backend {backend}, which is this {place}, got {cluster!r}")
    if backend == "ray" and not re.fullmatch(_RAY_ADDRESS, cluster or ""):
        raise ValueError(
            "cluster must be HOST:PORT, or auto for the one on this machine, with the backend ray, which listens to "
            f"every machine around and so is not started from here, got {cluster!r}"
        )


def carry_out(
    work: Callable[[_Task], _Found], tasks: Sequence[_Task], backend: str, cluster: str | None, workers: int | None
) -> Generator[_Found, None, None]:
    """Run tasks through joblib and yield what they return, in the order in which they end.

    Args:
        work: importable in the workers.
        tasks: may be pickled.
        backend: "loky" (processes of this machine), "dask" or "ray".
        cluster: see ``check_backend``; without one, a dask cluster of this machine is started.
        workers: tasks at a time; without a number, as many as the backend offers.

    Raises:
        ValueError: if they do not fit together.
        BackendUnavailableError: if the backend's package is missing or the cluster does not answer.
    """
    _validate.choice("backend", backend, BACKENDS[1:])
    check_backend(backend, cluster, workers)
    with ExitStack() as stack:
        stack.enter_context(_connected(backend, cluster, workers))
        stack.enter_context(_chosen(backend))
        outputs = _outputs(work, tasks, workers or -1, whole=backend in _WHOLE_LISTS)
        try:
            for found in outputs:  # noqa: UP028  # "yield from" would close it outside the filter below
                yield found
        except Exception as error:
            if isinstance(error, LdpCoreError | ValueError) or not _is_lost_worker(error):
                raise
            raise BackendUnavailableError(
                f"the workers of {backend} must stay alive until they are done, got {type(error).__name__}"
            ) from error
        finally:
            with warnings.catch_warnings():  # who cancels knows that tasks in work are lost
                warnings.filterwarnings("ignore", ".*tasks", UserWarning)
                outputs.close()


def _outputs(
    work: Callable[[_Task], _Found], tasks: Sequence[_Task], workers: int, whole: bool
) -> Generator[_Found, None, None]:
    """Return what the tasks return as they end; whole lists of as many as run at a time where joblib has only those."""
    from joblib import Parallel, delayed, effective_n_jobs

    calls = [delayed(work)(task) for task in tasks]
    if not whole:
        outputs: Generator[_Found, None, None] = Parallel(workers, return_as="generator_unordered", batch_size=1)(calls)
        return outputs
    together = effective_n_jobs(workers)
    starts = range(0, len(calls), together)
    return (found for start in starts for found in Parallel(workers, batch_size=1)(calls[start : start + together]))


def _is_lost_worker(error: Exception) -> bool:
    """Return whether an error says that a worker or a cluster went away, and not that the work failed."""
    names = {kind.__name__ for kind in type(error).__mro__}
    lost = {"BrokenExecutor", "KilledWorker", "CommClosedError", "RayActorError", "WorkerCrashedError"}
    return bool(names & lost) or isinstance(error, ConnectionError | TimeoutError)


def _chosen(backend: str) -> AbstractContextManager[Any]:
    from joblib import parallel_config

    chosen: AbstractContextManager[Any] = parallel_config(backend=backend)
    return chosen


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
            if cluster != "auto":  # ray itself would go on asking for minutes
                host, _, port = cluster.rpartition(":")
                socket.create_connection((host, int(port)), _ANSWER_SECONDS).close()
            register_ray()
            session: AbstractContextManager[Any] = ray.init(cluster, log_to_driver=False, logging_level="error")
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
