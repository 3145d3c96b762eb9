"""The same job in other processes, and on a cluster of two: the results are those of one process."""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

from ldp_core.cache import Cache
from ldp_core.datasets import load_dataset
from ldp_core.errors import BackendUnavailableError, DatasetUnavailableError
from ldp_core.game.backends import carry_out
from ldp_core.game.sweep import CompareConfig
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store

CONFIG = CompareConfig(
    ("dummy", "benign", "collusion"), (1.0, 4.0), 7, tests=("white", "black"), clients=(1, 2), training="none",
    num_trials=900, num_measurements=3, curves=True,
)  # fmt: skip


def needs(package: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Leave a test to the night: a cluster takes long to start and to end; without its package, skip it by name."""
    skipped = pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed")
    return lambda test: pytest.mark.nightly(skipped(test))


@pytest.fixture(scope="module")
def local(cache: Cache) -> list[object]:
    *_, last = compare(CONFIG, cache, Store())
    return list(last.result.measured())


@pytest.fixture(scope="module", autouse=True)
def main_module_without_a_file() -> Iterator[None]:
    """Processes that are spawned run the file of ``__main__`` again, and a test of a page leaves the page there."""
    before = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    yield
    sys.modules["__main__"] = before


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a Dask cluster of two worker processes on loopback."""
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, processes=True, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as running:
        assert len(running.workers) == 2
        yield running.scheduler_address


@pytest.fixture(scope="module")
def ray_cluster() -> Iterator[str]:
    """Return the address of a ray cluster of two workers on this machine."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")  # without it, ray's makers are told
        environment.setenv("RAY_AUTH_MODE", "disabled")  # without it, a token is written to the home folder
        from ray.cluster_utils import Cluster

        running = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "include_dashboard": False})
        yield running.address
        running.shutdown()


@pytest.mark.nightly
def test_worker_processes_find_the_same(cache: Cache, local: list[object]) -> None:
    steps = list(compare(CONFIG, cache, Store(), backend="loky", workers=2))
    assert list(steps[-1].result.measured()) == local
    assert steps[-1].result.completed
    kept = [step.cells_done for step in steps]
    assert kept == sorted(kept)
    assert kept[-1] == steps[-1].cells_total == len(local)


@needs("distributed")
def test_a_dask_cluster_of_two_processes_finds_the_same(cache: Cache, local: list[object], cluster: str) -> None:
    from distributed import Client

    *_, last = compare(CONFIG, cache, Store(), backend="dask", cluster=cluster)
    assert list(last.result.measured()) == local
    with Client(cluster) as client:  # type: ignore[no-untyped-call]
        ran = client.run(lambda dask_worker: dask_worker.state.executed_count)
    assert len(ran) == 2
    assert all(count > 0 for count in ran.values()), "both processes must have worked"


@needs("distributed")
def test_a_cluster_of_our_own_can_be_reached_from_this_machine_only() -> None:
    import psutil

    found = carry_out(_listening, [0, 1], "dask", None, 2)
    first = next(found)
    here = {place.laddr.ip for place in psutil.Process().net_connections("tcp") if place.status == "LISTEN"}
    assert first | here | next(found) == {"127.0.0.1"}
    assert list(found) == []


def _listening(_: int) -> set[str]:
    import psutil

    return {place.laddr.ip for place in psutil.Process().net_connections("tcp") if place.status == "LISTEN"}


@needs("ray")
def test_a_ray_cluster_finds_the_same(cache: Cache, local: list[object], ray_cluster: str) -> None:
    *_, last = compare(CONFIG, cache, Store(), backend="ray", cluster=ray_cluster)
    assert list(last.result.measured()) == local


@needs("ray")
def test_a_ray_worker_that_dies_is_one_sentence(ray_cluster: str) -> None:
    with pytest.raises(
        BackendUnavailableError, match=r"^the workers of ray must be there until they are done, got \w+$"
    ):
        list(carry_out(os._exit, [3, 3], "ray", ray_cluster, 2))


def test_a_failure_in_a_worker_comes_back_as_its_own_sentence(tmp_path: Path) -> None:
    """A folder that this process saw, and that is gone when the worker looks."""
    found = carry_out(partial(load_dataset, "mnist"), [tmp_path / "gone"] * 2, "loky", None, 2)  # one works here
    with pytest.raises(DatasetUnavailableError, match=r"^[^\n]*gone[^\n]*$"):
        list(found)
