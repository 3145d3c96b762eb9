"""Files that are cut, disks that are full or read-only, clocks that jump, and signals: nothing finished is lost."""

import dataclasses
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ldp_core import results
from ldp_core.cache import Cache
from ldp_core.errors import StoreDamagedError, StoreError
from ldp_core.game.sweep import CompareConfig
from ldp_core.studies import STUDIES
from ldp_core.studies.compare.shared_cells import STORE
from ldp_core.studies.compare.store import Store
from pages import jobs
from pages.jobs.job import Job
from pages.state import prepared
from tests.comparison.test_store import altered, finding, rows
from tests.helpers import vendor
from tests.helpers.faults import ROOT, full_disk, left_of, mounting, read_only
from tests.helpers.patience import PATIENCE
from tests.helpers.processes import ended
from tests.presentation.test_takeaway import WRITERS

AUDIT = ["audit", "--training", "none", "--trials", "400", "--measurements", "2", "--seed", "7"]
COMPARE = ["compare", "--attacks", "dummy,benign", "--epsilons", "1,2", "--training", "none", "--trials", "200",
           "--seed", "1"]  # fmt: skip
CHECK = ["check", "--epsilon", "1", "--reports", "12000", "--dimension", "8", "--seed", "7", "--confidence", "0.999999"]
CONFIG = CompareConfig(("dummy",), (1.0,), 3, training="none", num_trials=100, num_measurements=2)
CUTS: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda content: b"",
    "one byte": lambda content: content[:1],
    "half": lambda content: content[: len(content) // 2],
    "all but one": lambda content: content[:-1],
}
ID = "a" * 32


def program(*words: str, prefix: list[str] | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python to its end."""
    return ended([*(prefix or []), sys.executable, *words], patience=4 * PATIENCE, **environment)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("kind", WRITERS)
def test_a_kept_result_that_was_cut_is_said_to_be_gone(tmp_path: Path, kind: str, cut: str) -> None:
    make, write = WRITERS[kind]
    whole = write(make()).encode()
    manager = jobs.JobManager(Cache(tmp_path))
    manager.cache.write("results", f"{ID}.json", CUTS[cut](whole))
    assert manager.get(ID) is None
    assert manager.get(ID) is None, "also when it was set aside"
    assert [path.name for path in (tmp_path / "results").iterdir()] == [f"{ID}.json.damaged"]
    manager.cache.write("results", f"{ID}.json", whole)
    job = manager.get(ID)
    assert job.result == results.read(whole).result
    manager.shutdown()


def compared(cache: Cache, config: CompareConfig = CONFIG) -> jobs.Job:
    manager = jobs.JobManager(cache)
    job = manager.submit(config)
    assert job.ended.wait(PATIENCE)
    manager.shutdown()
    assert (job.state, job.error) == ("done", "")
    return job


def counts(result: Any) -> list[Any]:
    return [measurement.counts for _, _, measurement in result.measured()]


WIDER = dataclasses.replace(CONFIG, attacks=("dummy", "benign"), epsilons=(1.0, 2.0), num_measurements=6)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return what a comparison of several passes counts where nothing fails."""
    return counts(compared(Cache(tmp_path_factory.mktemp("expected")), WIDER).result)


@pytest.mark.parametrize("cut", CUTS)
def test_the_app_s_cells_are_counted_anew_where_their_file_was_cut(tmp_path: Path, cut: str) -> None:
    first = compared(Cache(tmp_path))
    store = tmp_path / "results" / STORE
    damaged = CUTS[cut](store.read_bytes())
    store.write_bytes(damaged)
    again = compared(Cache(tmp_path))
    assert counts(again.result) == counts(first.result) != []
    aside = store.with_name(f"{STORE}.damaged")
    assert (aside.read_bytes() if damaged else b"") == damaged
    manager = jobs.JobManager(Cache(tmp_path))
    kept = manager.get(first.id)
    manager.shutdown()
    assert counts(kept.result) == counts(first.result)


@pytest.mark.parametrize("cut", [name for name in CUTS if name != "nothing"])
def test_a_client_s_own_store_that_was_cut_is_refused_and_left_alone(tmp_path: Path, cut: str) -> None:
    path = tmp_path / "run.sqlite"
    Store(path).add([finding(number) for number in range(4)], "digest")
    damaged = CUTS[cut](path.read_bytes())
    path.write_bytes(damaged)
    with pytest.raises(StoreDamagedError, match=r"^the store must [^\n]+$"):
        Store(path)
    assert path.read_bytes() == damaged


def test_a_store_that_is_no_store_of_ours_is_left_alone_and_memory_serves(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    store = tmp_path / "results" / STORE
    store.mkdir()
    assert counts(compared(cache).result) != []
    assert list(store.iterdir()) == []
    with pytest.raises(StoreError):
        Store(store)


@pytest.mark.parametrize("cut", CUTS)
def test_a_prepared_example_that_was_cut_is_none(tmp_path: Path, cut: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = (prepared.FOLDER / "prepared.json").read_bytes().rstrip()
    (tmp_path / "prepared.json").write_bytes(CUTS[cut](whole))
    monkeypatch.setattr(prepared, "FOLDER", tmp_path)
    prepared.job.cache_clear()
    try:
        assert prepared.job() is None
    finally:
        prepared.job.cache_clear()


_THREE_JOBS = """
import json, sys
from pathlib import Path
from ldp_core.cache import Cache
from ldp_core.checking.claims import CheckConfig
from ldp_core.game.sweep import CompareConfig
from ldp_core.types import AuditConfig
from pages.jobs import JobManager

folder, earlier = Path(sys.argv[1]), sys.argv[2]
audit = AuditConfig("dummy", 1.0, bound="pooled", seed=7, training="none", num_trials=400, num_measurements=2)
compare = CompareConfig(("dummy",), (1.0,), 3, training="none", num_trials=100, num_measurements=2)
check = CheckConfig("ldp-sgd", 1.0, 7, dimension=8, reports=12_000)
manager, said = JobManager(Cache()), {}
try:
    for name, config in (("audit", audit), ("compare", compare), ("check", check)):
        job = manager.submit(config)
        job.ended.wait(200)
        found = manager.get(job.id).result
        cells = found.cells if name == "compare" else ()
        said[name] = [job.state, job.error, str(found.looks if name == "check" else
            [item.counts for cell in cells or (found,) for item in cell.measurements])]
    said["kept"] = manager.get(earlier) is not None
    said["notice"] = manager.cache.notice
    if (folder / "useless").exists():
        (folder / "useless").unlink()  # there is room again
        again = manager.submit(audit)
        again.ended.wait(200)
        said["room"] = [manager.cache.notice, len(list((folder / "results").glob("*.json")))]
finally:
    manager.shutdown()
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what three runs of the app find on a disk with room."""
    folder = tmp_path_factory.mktemp("cache")
    finished = program("-c", _THREE_JOBS, str(folder), ID, LDP_CACHE_DIR=str(folder))
    assert finished.returncode == 0, finished.stderr
    said: dict[str, Any] = json.loads(finished.stdout)
    assert [said[name][:2] for name in ("audit", "compare", "check")] == [["done", ""]] * 3
    assert said.pop("notice") == ""
    assert not said.pop("kept")
    return said


@pytest.mark.nightly
@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_the_app_s_runs_end_right_and_earlier_ones_open_on_a_disk_that_is(
    tmp_path: Path, fault: str, undisturbed: dict[str, Any]
) -> None:
    home = tmp_path / "home"
    folder = home / ".cache" / "ldp-audit"
    Cache(folder).write("results", f"{ID}.json", (prepared.FOLDER / "prepared.json").read_bytes())
    prefix = full_disk(folder) if fault == "full" else read_only(home)
    finished = program(
        "-c", _THREE_JOBS, str(folder), ID, prefix=prefix, HOME=str(home), XDG_CACHE_HOME="", LDP_CACHE_DIR=""
    )
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    said = json.loads(finished.stdout)
    assert "in memory only" in said.pop("notice")
    assert said.pop("kept"), "what was there can be read"
    if fault == "full":
        assert said.pop("room") == ["", 5], "all four results are written beside the earlier one"
    assert said == undisturbed


def compared_until(cache: Cache, fault: Callable[[], object], config: CompareConfig = CONFIG) -> list[Any]:
    """Compare twice in one server, first with a fault when one pass is done; return both jobs and the notice."""
    faults = [fault]

    def run(job: Job, cache: Cache, threads: int) -> Iterator[Any]:
        for step in STUDIES["compare"].run(job, cache, threads):
            if step.cells_done and faults:
                faults.pop()()
            yield step

    manager, ended = jobs.JobManager(cache, {"compare": run}), []
    for _ in range(2):
        ended.append(manager.submit(config))
        assert ended[-1].ended.wait(PATIENCE)
    manager.shutdown()
    return [*ended, cache.notice]


def no_page_left(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let SQLite refuse to make the file longer, with its own words for a full disk."""

    class Full(sqlite3.Connection):
        def __init__(self, database: str, *options: Any, **named: Any) -> None:
            super().__init__(database, *options, **named)
            if database == str(store):
                self.execute("PRAGMA max_page_count = 1")

    monkeypatch.setattr(sqlite3, "connect", Full)


def removed(store: Path, _: pytest.MonkeyPatch) -> None:
    shutil.rmtree(store.parents[1])


def replaced_by_a_folder(store: Path, _: pytest.MonkeyPatch) -> None:
    store.unlink()
    store.mkdir()


def overwritten(store: Path, _: pytest.MonkeyPatch) -> None:
    store.write_text("something else" * 1000)


def cut_short(store: Path, _: pytest.MonkeyPatch) -> None:
    store.write_bytes(store.read_bytes()[:-100])


def one_row_changed(store: Path, _: pytest.MonkeyPatch) -> None:
    altered(store, "UPDATE cells SET first_as_first = -1 WHERE measurement = 0")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("fault", "waits"),
    [(no_page_left, True), (removed, False), (replaced_by_a_folder, True), (overwritten, False), (cut_short, False),
     (one_row_changed, False)],
)  # fmt: skip
def test_the_app_s_comparison_goes_on_when_its_file_breaks_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: list[Any],
    fault: Callable[[Path, pytest.MonkeyPatch], None], waits: bool,
) -> None:  # fmt: skip
    """Either its cells wait in memory, and the notice says so, or a second run has written all to a new file."""
    cache = Cache(tmp_path / "cache")
    store = tmp_path / "cache" / "results" / STORE
    first, again, notice = compared_until(cache, lambda: fault(store, monkeypatch), WIDER)
    monkeypatch.undo()
    assert [(job.state, job.error) for job in (first, again)] == [("done", "")] * 2
    assert counts(first.result) == counts(again.result) == expected != []
    assert ("in memory only" in notice) == waits
    if waits:
        if store.is_dir():
            store.rmdir()
        cache.write("results", "any", b"there is room again")
        assert cache.notice == ""
    assert len(rows(store)) == len(expected), "the second run has counted what was in a file that is gone"
    assert stat.S_IMODE(store.stat().st_mode) == 0o600


@pytest.mark.parametrize("cut", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_two_servers_compare_at_once_on_one_file(tmp_path: Path, cut: bool, expected: list[Any]) -> None:
    store = tmp_path / "cache" / "results" / STORE
    if cut:
        compared(Cache(tmp_path / "cache"), dataclasses.replace(WIDER, num_measurements=1))
        store.write_bytes(store.read_bytes()[:-100])
    servers = [jobs.JobManager(Cache(tmp_path / "cache")) for _ in range(2)]
    both = [server.submit(WIDER) for server in servers]
    for job in both:
        assert job.ended.wait(PATIENCE)
    for server in servers:
        server.shutdown()
    assert [(job.state, job.error) for job in both] == [("done", "")] * 2
    assert [server.cache.notice for server in servers] == ["", ""]
    assert counts(both[0].result) == counts(both[1].result) == expected != []
    if not cut:
        assert len(rows(store)) == len(expected), "each cell once"


_MIDWAY = """
import json, subprocess, sys
from pathlib import Path
from ldp_core.cache import Cache
from ldp_core.types import AuditConfig
from pages.jobs import JobManager
from tests.house.test_faults import CONFIG, STORE, compared_until, counts, rows

folder, remount = Path(sys.argv[1]), sys.argv[2:]

def fail():
    if remount:
        subprocess.run(remount, check=True)
        return
    with (folder / "useless").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1024))
        except OSError:
            pass

cache = Cache(folder)
first, again, notice = compared_until(cache, fail)
said = [[job.state, job.error, str(counts(job.result))] for job in (first, again)]
manager = JobManager(cache)
trained = manager.submit(AuditConfig("dummy", 1.0, bound="pooled", seed=7, training="light", num_trials=400))
trained.ended.wait(200)
manager.shutdown()
assert trained.state == "done", trained.error
assert len(cache._memory) == 4, "three results and a model"
left = sorted(path.name for path in folder.glob("*/*"))
print(json.dumps([said, notice, left, len(rows(folder / "results" / STORE)) if not remount else None]))
"""


@pytest.mark.nightly
@pytest.mark.parametrize("fault", ["full", "read-only"])
def test_the_app_s_comparison_ends_right_on_a_disk_that_is_soon(tmp_path: Path, fault: str) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    prefix = mounting(f"mount -t tmpfs -o size=128k none {shlex.quote(str(folder))}")
    remount = ["mount", "-o", "remount,bind,ro", str(folder)] if fault == "read-only" else []
    finished = program("-c", _MIDWAY, str(folder), *remount, prefix=prefix)
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    said, notice, left, kept = json.loads(finished.stdout)
    expected = counts(compared(Cache(tmp_path / "other")).result)
    assert said == [["done", "", str(expected)]] * 2
    assert notice.startswith("Trained models and results are kept in memory only")
    assert left == [STORE], "no half file"
    if fault == "full":
        assert 0 < kept < len(expected)


def test_a_command_that_cannot_write_says_so_shows_its_result_and_leaves_no_half_file(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    words = [sys.executable, "-m", "ldp_core", *AUDIT, "--json", str(disk / "x.json"), "--html", str(disk / "x.html")]
    look = f"{shlex.join(words)}; code=$?; ls -A {shlex.quote(str(disk))} >&2; exit $code"
    finished = ended([*full_disk(disk), "sh", "-c", look], LDP_CACHE_DIR=str(tmp_path / "cache"))
    *_, error, names = finished.stderr.splitlines()
    assert finished.returncode == 2
    assert error.startswith("error: --json must name a file that can be written")
    assert "No space left" in error
    assert names == "useless"
    assert "800 trials" in finished.stdout or "800" in finished.stdout


@pytest.mark.nightly
def test_a_store_on_a_full_disk_keeps_what_was_finished(tmp_path: Path) -> None:
    disk, saved = tmp_path / "disk", tmp_path / "saved.sqlite"
    disk.mkdir()
    cache = {"LDP_CACHE_DIR": str(tmp_path / "cache")}
    store = ["--store", str(disk / "run.sqlite")]
    assert program("-m", "ldp_core", *COMPARE, "--measurements", "2", *store, **cache).returncode == 0
    before = rows(disk / "run.sqlite")
    words = [sys.executable, "-m", "ldp_core", *COMPARE, "--measurements", "200", *store]
    look = f"{shlex.join(words)}; code=$?; cp {shlex.join([store[1], str(saved)])}; exit $code"
    finished = ended([*full_disk(disk), "sh", "-c", look], **cache)
    assert finished.returncode == 2, finished.stderr
    assert "Traceback" not in finished.stderr
    assert re.fullmatch(r"error: the store must be .* full.*", finished.stderr.splitlines()[-1])
    assert before.items() <= rows(saved).items()
    assert len(before) == 8


@pytest.mark.nightly
def test_a_home_that_nobody_may_write_to_costs_only_the_keeping(tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    out.mkdir()
    finished = program(
        "-m", "ldp_core", *COMPARE, "--measurements", "1", "--figures", str(out / "figures"), prefix=read_only(home),
        HOME=str(home), XDG_CACHE_HOME="", LDP_CACHE_DIR="", MPLCONFIGDIR="",
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr
    assert "Traceback" not in finished.stderr
    assert finished.stderr.count("kept in memory only") == 1
    assert list((out / "figures").iterdir())


def test_nothing_asks_the_clock_that_can_be_moved() -> None:
    asked = re.compile(r"\btime\.time\(|\btime_ns\(|\bdatetime\.(now|today|utcnow)\(|\bst_mtime\b|from time import")
    sources = [path for folder in ("ldp_core", "pages") for path in (ROOT / folder).rglob("*.py")]
    assert len(sources) > 100
    assert [path.name for path in sources if asked.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("words", "mark", "sent", "codes"),
    [
        ([*CHECK, "--html", "x.html", "--command"], "exam", signal.SIGTERM, (0, 2)),
        ([*AUDIT, "--html", "x.html", "--json", "x.json"], "done", signal.SIGINT, (0,)),
        ([*AUDIT, "--html", "x.html"], "loading torch", signal.SIGTERM, (2,)),
        ([*COMPARE, "--measurements", "1", "--html", "x.html"], "loading torch", signal.SIGINT, (2,)),
        ([*COMPARE, "--measurements", "1", "--store", "x.sqlite", "--export", "x.csv", "--figures", "figures"],
         "done", signal.SIGTERM, (0,)),
        ([*CHECK, "--html", "x.html", "--json", "x.json", "--command"], "done", signal.SIGINT, (0,)),
    ],
    ids=["check-start", "audit-end", "audit-start", "compare-start", "compare-end", "check-end"],
)  # fmt: skip
def test_a_signal_leaves_no_process_no_half_file_and_no_traceback(
    tmp_path: Path, words: list[str], mark: str, sent: signal.Signals, codes: tuple[int, ...]
) -> None:
    words = [str(tmp_path / word) if word.startswith(("x.", "figures")) else word for word in words]
    pids = tmp_path / "pids"
    if words[-1] == "--command":  # a program with a child of its own, both in a session that is not ours
        shell = f"echo $$ >> {shlex.quote(str(pids))}; sleep 600 & {shlex.join([vendor.compiled(tmp_path), '1', '1'])}"
        words = [*words, shlex.join(["sh", "-c", shell])]
    with subprocess.Popen(
        [sys.executable, "-m", "ldp_core", *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, start_new_session=True, env=os.environ | {"LDP_CACHE_DIR": str(tmp_path / "cache")},
    ) as running:  # fmt: skip
        said = []
        for line in running.stderr:
            said.append(line)
            if line.startswith(mark):
                running.send_signal(sent)
                break
        try:
            _, rest = running.communicate(timeout=PATIENCE)
        finally:
            running.kill()
    assert said[-1].startswith(mark), said
    assert running.returncode in codes, rest
    assert "Traceback" not in rest
    assert left_of(running.pid) == []
    for pid in pids.read_text().split() if pids.exists() else ():
        assert left_of(int(pid)) == []
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not [path for path in left if path.suffix in (".tmp", ".part") or path.name.endswith("-journal")]
    asked = {Path(word) for word in words if word.startswith(str(tmp_path / "x."))}
    for path in asked & set(left):
        assert whole(path), path
    if running.returncode == 0 and mark == "done":
        assert asked <= set(left)


def whole(path: Path) -> bool:
    """Say whether a file of one of our kinds is there to its end."""
    content = path.read_bytes()
    if path.suffix == ".json":
        return isinstance(json.loads(content), dict)
    if path.suffix == ".sqlite":
        return bool(rows(path))
    return content.endswith(b"</html>\n" if path.suffix == ".html" else b"\n")
