"""Where the passes of a comparison run when one process is outgrown: other processes, or a cluster, through joblib."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any, TypeVar

from ldp_core import _validate
from ldp_core.errors import BackendUnavailableError, LdpCoreError

BACKENDS = ("here", "loky", "dask", "ray")
_Task = TypeVar("_Task")
_Found = TypeVar("_Found")


def carry_out(
    work: Callable[[_Task], _Found], tasks: Sequence[_Task], backend: str, cluster: str | None, workers: int | None
) -> Generator[_Found, None, None]:
    """Run tasks through joblib and yield what they return, in the order in which they end.

    Args:
        work: importable in the workers.
        tasks: may be pickled.
        backend: "loky" (processes of this machine), "dask" or "ray".
        cluster: address of a running dask or ray cluster; without one, a local one is started.
        workers: tasks at a time; without a number, as many as the backend offers.

    Raises:
        BackendUnavailableError: if the backend's package is missing or the cluster does not answer.
    """
    from joblib import Parallel, delayed

    _validate.choice("backend", backend, BACKENDS[1:])
    if workers is not None:
        _validate.integer("workers", workers, 1, 100_000)
    if cluster is not None and backend == "loky":
        raise ValueError(f"cluster must be left out with the backend loky, which is this machine, got {cluster!r}")
    with ExitStack() as stack:
        stack.enter_context(_connected(backend, cluster, workers))
        stack.enter_context(_chosen(backend))
        parallel = Parallel(n_jobs=workers or -1, return_as="generator_unordered", batch_size=1)
        outputs = parallel(delayed(work)(task) for task in tasks)
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
    """Connect to a cluster, or start one that only this machine can reach; leaving the context disconnects."""
    try:
        if backend == "dask":
            from distributed import Client

            options: dict[str, Any] = {"address": cluster, "timeout": "20s"}
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

            register_ray()
            session: AbstractContextManager[Any] = ray.init(address=cluster, log_to_driver=False)
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
