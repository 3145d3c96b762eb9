"""The same job in other processes, and on a cluster of two: the results are those of one process."""

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from ldp_core.cache import Cache
from ldp_core.cli import main
from ldp_core.errors import BackendUnavailableError, DatasetUnavailableError
from ldp_core.game.backends import BACKENDS, carry_out
from ldp_core.game.sweep import CompareConfig
from ldp_core.studies.compare.run import compare
from ldp_core.studies.compare.store import Store
from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT
from tests.helpers.server import free_port

CONFIG = CompareConfig(
    ("dummy", "benign", "collusion"), (1.0, 4.0), 7, tests=("white", "black"), clients=(1, 2), training="none",
    num_trials=900, num_measurements=3, curves=True,
)  # fmt: skip
_RAY = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")
_DASK = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="distributed is not installed")


def needs_ray(test: Callable[..., None]) -> Callable[..., None]:
    """Leave a test to the night: a cluster takes long to start and to end; without ray, skip it by name."""
    return pytest.mark.nightly(_RAY(test))


def needs_dask(test: Callable[..., None]) -> Callable[..., None]:
    """The same with a cluster of Dask."""
    return pytest.mark.nightly(_DASK(test))


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    """Undo what the program does to its signals; a process that ignores Ctrl-C has children that ignore it too."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache"))


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


@pytest.fixture
def unanswered() -> Iterator[subprocess.Popen[str]]:
    """Ask a cluster that is not there; the answer takes 20 seconds."""
    options = ["--epsilons", "1", "--backend", "dask", "--cluster", f"tcp://127.0.0.1:{free_port()}"]
    small = ["--training", "none", "--trials", "10", "--measurements", "1", "--attacks", "dummy", "--seed", "1"]
    with subprocess.Popen(
        [sys.executable, "-m", "ldp_core", "compare", *small, *options], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        yield process
        process.kill()


def test_worker_processes_find_the_same(cache: Cache, local: list[object]) -> None:
    steps = list(compare(CONFIG, cache, Store(), backend="loky", workers=2))
    assert list(steps[-1].result.measured()) == local
    assert steps[-1].result.completed
    kept = [step.cells_done for step in steps]
    assert kept == sorted(kept)
    assert kept[-1] == steps[-1].cells_total == len(local)


@needs_dask
def test_a_dask_cluster_of_two_processes_finds_the_same(cache: Cache, local: list[object], cluster: str) -> None:
    from distributed import Client

    *_, last = compare(CONFIG, cache, Store(), backend="dask", cluster=cluster)
    assert list(last.result.measured()) == local
    with Client(cluster) as client:  # type: ignore[no-untyped-call]
        ran = client.run(lambda dask_worker: dask_worker.state.executed_count)
    assert len(ran) == 2
    assert all(count > 0 for count in ran.values()), "both processes must have worked"


@needs_dask
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


@needs_ray
def test_a_ray_cluster_finds_the_same(cache: Cache, local: list[object], ray_cluster: str) -> None:
    *_, last = compare(CONFIG, cache, Store(), backend="ray", cluster=ray_cluster)
    assert list(last.result.measured()) == local


@needs_ray
def test_ray_works_in_processes_of_its_own_and_hands_over_what_has_ended(ray_cluster: str, tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    found = carry_out(_noted, [tmp_path / str(number) for number in range(5)], "ray", ray_cluster, 2)
    processes = [next(found)]
    assert len(list(tmp_path.iterdir())) == 2
    assert signal.getsignal(signal.SIGTERM) is before
    processes += found
    assert len(list(tmp_path.iterdir())) == len(processes) == 5
    assert os.getpid() not in processes


def _noted(file: Path) -> int:
    file.touch()
    return os.getpid()


@needs_ray
def test_a_ray_worker_that_dies_is_one_sentence(ray_cluster: str) -> None:
    with pytest.raises(
        BackendUnavailableError, match=r"^the workers of ray must be there until they are done, got \w+$"
    ):
        list(carry_out(os._exit, [3, 3], "ray", ray_cluster, 2))


@needs_dask
def test_a_dask_cluster_without_workers_is_one_sentence() -> None:
    from distributed import LocalCluster

    with (
        LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0") as empty,  # type: ignore[no-untyped-call]
        pytest.raises(
            BackendUnavailableError, match=r"^the workers of dask must be there until they are done, got \w+$"
        ),
    ):
        list(carry_out(str, [1], "dask", empty.scheduler_address, None))


@needs_ray
def test_a_failure_in_a_ray_worker_comes_back_as_its_own_sentence(ray_cluster: str, tmp_path: Path) -> None:
    found = carry_out(_missing, [str(tmp_path / "gone")] * 2, "ray", ray_cluster, None)
    with pytest.raises(DatasetUnavailableError, match=r"^[^\n]*gone[^\n]*$"):
        list(found)


@needs_dask
def test_the_command_line_takes_the_job_to_a_cluster(
    cache_dir: Path, tmp_path: Path, cluster: str, capsys: pytest.CaptureFixture[str]
) -> None:
    job = ["compare", "--attacks", "dummy,benign", "--epsilons", "1", "--tests", "white,black", "--trials", "50"]
    job += ["--measurements", "2", "--training", "light", "--seed", "3", "--export"]
    there, here = tmp_path / "there.csv", tmp_path / "here.csv"
    store = ["--store", str(tmp_path / "run.sqlite")]
    assert main([*job, str(there), *store, "--backend", "dask", "--cluster", cluster]) == 0
    assert main([*job, str(here)]) == 0
    assert there.read_bytes() == here.read_bytes()
    assert main([*job, str(tmp_path / "again.csv"), *store]) == 0
    assert (tmp_path / "again.csv").read_bytes() == here.read_bytes()
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.nightly
def test_what_was_finished_elsewhere_is_kept_when_a_run_is_stopped(cache: Cache, local: list[object]) -> None:
    store = Store()
    steps = compare(CONFIG, cache, store, backend="loky", workers=2)
    for step in steps:
        if step.cells_done:
            break
    steps.close()  # type: ignore[attr-defined]
    assert 0 < step.cells_done < len(local)
    again = list(compare(CONFIG, cache, store, backend="loky", workers=2))
    assert next(step.cells_done for step in again if step.stage == "crafting") >= step.cells_done
    assert list(again[-1].result.measured()) == local


def test_a_failure_in_a_worker_comes_back_as_its_own_sentence(cache: Cache, tmp_path: Path) -> None:
    """A folder that this process saw, and that is gone when the worker looks."""

    found = carry_out(_missing, [str(tmp_path / "gone")] * 2, "loky", None, 2)
    with pytest.raises(DatasetUnavailableError, match=r"^[^\n]*gone[^\n]*$"):
        list(found)


def _missing(folder: str) -> None:
    from ldp_core.datasets import load_dataset

    load_dataset("mnist", Path(folder))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"backend": "here"}, r"^backend must be one of loky, dask, ray, got 'here'$"),
        ({"workers": 0}, r"^workers must be a whole number from 1 to 100000, got 0$"),
        ({"cluster": "tcp://127.0.0.1:1"}, r"^cluster must be left out with the backend loky, .*, got 'tcp://"),
        (
            {"backend": "dask", "cluster": "tcp://127.0.0.1:1"},
            r"^workers must be left out with a dask cluster, .*, got 1$",
        ),
        ({"backend": "ray"}, r"^cluster must be HOST:PORT with the backend ray, .*, got None$"),
        ({"backend": "ray", "cluster": "local"}, r"^cluster must be HOST:PORT .*, got 'local'$"),
        ({"backend": "ray", "cluster": "127.0.0.1:1"}, r"^workers must be at least 2 with the backend ray, .*, got 1$"),
    ],
)
def test_wrong_arguments_are_refused_in_one_sentence(options: dict[str, object], words: str) -> None:
    given = {"backend": "loky", "cluster": None, "workers": 1} | options
    with pytest.raises(ValueError, match=words):
        next(carry_out(str, [1], **given))  # type: ignore[arg-type]


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="ray is installed")
def test_a_package_that_is_missing_is_named(capsys: pytest.CaptureFixture[str], cache_dir: Path) -> None:
    sentence = "the backend ray needs the package ray, which is not installed; pip install ray"
    with pytest.raises(BackendUnavailableError, match=f"^{sentence}$"):
        next(carry_out(str, [1], "ray", "127.0.0.1:1", None))
    code = main(["compare", "--trials", "10", "--measurements", "1", "--training", "none", "--backend", "ray",
                 "--cluster", "127.0.0.1:1"])  # fmt: skip
    captured = capsys.readouterr()
    assert code == 2
    assert captured.err.splitlines()[-1] == f"error: {sentence}"
    assert captured.out == ""


def test_a_cluster_without_a_cluster_backend_is_refused(capsys: pytest.CaptureFixture[str], cache_dir: Path) -> None:
    for backend in ("here", "loky"):
        code = main(["compare", "--trials", "10", "--measurements", "1", "--training", "none", "--backend", backend,
                     "--cluster", "tcp://127.0.0.1:1"])  # fmt: skip
        last = capsys.readouterr().err.splitlines()[-1]
        assert code == 2, backend
        assert last.startswith("error: cluster must be left out with the backend")


@needs_ray
def test_a_ray_cluster_that_does_not_answer_is_one_sentence() -> None:
    with pytest.raises(BackendUnavailableError, match=r"^the ray cluster must answer, got ConnectionRefusedError from"):
        next(carry_out(str, [1], "ray", f"127.0.0.1:{free_port()}", None))


def test_the_backends_are_those_that_the_help_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["compare", "--help"])
    text = capsys.readouterr().out
    assert all(name in text for name in BACKENDS)


@needs_dask
def test_a_cluster_that_does_not_answer_is_one_sentence(unanswered: subprocess.Popen[str]) -> None:
    out, err = unanswered.communicate(timeout=PATIENCE)
    last = err.splitlines()[-1]
    assert unanswered.returncode == 2
    assert out == ""
    assert last.startswith("error: the dask cluster must answer, got ")
    assert "'tcp://127.0.0.1:" in last
    assert "Traceback" not in err
