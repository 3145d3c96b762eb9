"""What every test may use."""

import ctypes
import logging
import os
import re
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from pages.server import log_redaction
from tests.helpers.places import SHARED

for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    # Before torch and numpy are loaded, and for the processes that tests start: threads of several processes that share
    # the cores wait for each other in loops (on two busy cores a test of 3 seconds took 125).
    os.environ.setdefault(_name, "1")

hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None, max_examples=60)
hypothesis.settings.load_profile("fixed")

LAW_SEEDS = range(1, 1 + int(os.environ.get("LDP_TEST_SEEDS", "1")))
"""Seeds of the statistical tests: one by default, more on request; a right program passes them all."""


def pytest_configure() -> None:
    """Let Ctrl-C end what the tests start, also where a shell runs the tests in its background and has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to the night what a test that is marked ``few`` has beyond its first cases."""
    cases = Counter[str]()
    for item in items:
        if mark := item.get_closest_marker("few"):
            name = item.nodeid.partition("[")[0]
            cases[name] += 1
            if cases[name] > mark.args[0]:
                item.add_marker("nightly")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give every test that asks for ``law_seed`` each of the seeds."""
    if "law_seed" in metafunc.fixturenames:
        metafunc.parametrize("law_seed", LAW_SEEDS)


_LIBRARY = ctypes.CDLL(None)
if hasattr(_LIBRARY, "mallopt"):  # one arena (M_ARENA_MAX) for all threads: each keeps a hundred MB of its own else
    _LIBRARY.mallopt(-8, 1)


@pytest.fixture(autouse=True, scope="module")
def _memory_goes_back() -> Iterator[None]:
    """Give the system what the tests of a file freed: glibc keeps it else, hundreds of MB in each process."""
    yield
    if hasattr(_LIBRARY, "malloc_trim"):
        _LIBRARY.malloc_trim(0)


@pytest.fixture
def quietly() -> Iterator[None]:
    """Install the log without words for one test."""
    before = logging.getLogRecordFactory(), threading.excepthook, sys.unraisablehook
    log_redaction.install()
    yield
    logging.setLogRecordFactory(before[0])
    threading.excepthook, sys.unraisablehook = before[1:]


@pytest.fixture
def data_dir() -> Path:
    """Return the folder with real MNIST digits, or skip by name."""
    if not (SHARED / "MNIST" / "raw").is_dir():
        pytest.skip("../shared/data/MNIST/raw is not on this machine")
    return SHARED


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point the program at a cache folder of the test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LDP_CACHE_DIR", str(folder))
    return folder


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """Undo what a program did to its signals: else what later tests start may ignore Ctrl-C, too."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def own_cache(cache_dir: Path) -> None:
    """Give a test of the command line a cache of its own."""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return what carries out a command; that returns its exit code and what it printed on both streams."""
    from ldp_core.cli import main

    return lambda *words: (main([*map(str, words)]), *capsys.readouterr())


@pytest.fixture
def refused(run: Callable[..., tuple[int, str, str]]) -> Callable[..., str]:
    """Return what carries out a command that must end with exit code 2 and one sentence, which that returns."""

    def refused(*words: object, at_once: bool = False) -> str:
        code, out, err = run(*words)
        *_, last = err.strip().splitlines()
        assert (code, out) == (2, "")
        assert last.startswith("error: ")
        assert "Traceback" not in err
        assert not re.search("mistake in this program|^(trial|game) ", err, re.MULTILINE)
        assert not at_once or err == f"{last}\n"
        return last

    return refused


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a cache that the tests of a file share."""
    from ldp_core.cache import Cache

    return Cache(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def data() -> Any:
    """Return the built-in digits."""
    from ldp_core.datasets import load_dataset

    return load_dataset("digits")


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Compute in torch as ``audit`` does, so that weights can be compared bit by bit."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
