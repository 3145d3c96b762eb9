"""The file that keeps a comparison: nothing is lost by a kill, nothing private gets in, what is no store is refused."""

import dataclasses
import os
import random
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ldp_core.cli import main
from ldp_core.errors import StoreError
from ldp_core.game.sweep import CompareConfig
from ldp_core.studies.compare.store import Finding, Store
from ldp_core.types import AuditConfig, Curve, MeasurementResult, PairGeometry, TrialCounts
from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT

CONFIG = CompareConfig(("dummy", "benign"), (1.0, 2.0), 7, num_trials=10, num_measurements=4)
CELL = CONFIG.cells()[0]
REFUSED = r"^the store must [^\n]+$"


def finding(measurement: int = 0, cell: AuditConfig = CELL, *, curve: Curve | None = None, right: int = 3) -> Finding:
    counts = TrialCounts(right, 5 - right, 1, 4)
    pair = PairGeometry(12.5 + measurement / 8, 0.25, 1e-300, "two things “quoted”, 100 %")
    result = MeasurementResult(pair, counts, None if measurement % 2 else 0.1 + 0.2, curve)
    return Finding(cell, measurement, result, "cpu", {"torch": "2.0", "numpy": "3"}, 0.125)


def rows(store: Path) -> dict[str, tuple[object, ...]]:
    """Return all rows of a file, none if it is not there yet; the file must be undamaged."""
    if not store.exists():
        return {}
    with closing(sqlite3.connect(store, timeout=60)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not database.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'cells'").fetchone()[0]:
            return {}
        return {row[0]: row for row in database.execute("SELECT * FROM cells")}


def altered(path: Path, *command: object) -> None:
    """Carry out a command of SQL on a file."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(*command)  # type: ignore[arg-type]


def together(script: str, *arguments: list[str]) -> list[str]:
    """Run processes that import this module, let them go at one moment, and return what they print."""
    first = "import sys\nfrom pathlib import Path\nfrom tests.comparison.test_store import *\nsys.stdin.readline()\n"
    code = first + script
    running = [
        subprocess.Popen(
            [sys.executable, "-c", code, *given], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        for given in arguments
    ]
    for process in running:
        process.stdin.write("go\n")
        process.stdin.flush()
    printed = [process.communicate(timeout=PATIENCE)[0] for process in running]
    assert [process.returncode for process in running] == [0] * len(running)
    return printed


@pytest.mark.parametrize("on_disk", [True, False])
def test_findings_come_back_as_they_were_added(tmp_path: Path, on_disk: bool) -> None:
    store = Store(tmp_path / "run.sqlite" if on_disk else None)
    curve = Curve(3, 4, (0, 1, 3), (4, 2, 0))
    added = [finding(0, curve=curve), finding(1), finding(3, CONFIG.cells()[1])]
    store.add(added, "digest")
    again = Store(tmp_path / "run.sqlite") if on_disk else store
    found = again.find(CONFIG.cells(), "digest")
    assert found == {(item.config, item.measurement): item for item in added}
    assert again.find(CONFIG.cells(), "another") == {}


def test_what_is_kept_stays_unless_only_the_new_row_has_a_curve() -> None:
    """Two runs at once, one of which counts curves: the other must not take them away."""
    store, curve = Store(), Curve(3, 4, (0, 1, 3), (4, 2, 0))
    for added, expected in (
        (finding(0), finding(0)),
        (dataclasses.replace(finding(0), seconds=9.0), finding(0)),
        (dataclasses.replace(finding(0, curve=curve), seconds=2.0),) * 2,
        (finding(0), dataclasses.replace(finding(0, curve=curve), seconds=2.0)),
        (finding(0, curve=curve), dataclasses.replace(finding(0, curve=curve), seconds=2.0)),
    ):
        store.add([added], "digest")
        assert store.find([CELL], "digest") == {(CELL, 0): expected}


OTHER_COUNTS = {
    "seed": 8, "epsilon": 1.5, "attack": "collusion", "mechanism": "overclaiming", "distinguisher": "selective",
    "clip_norm": 2.0, "dataset": "mnist", "training": "full", "strength": 0.5, "clients": 2, "radius": 5.0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "reused"),
    [
        ({"significance": 0.01}, True), ({"num_measurements": 5}, True), ({"bound": "clopper_pearson"}, True),
        ({"watch": True}, True), *(({name: value}, False) for name, value in OTHER_COUNTS.items()),
    ],
)  # fmt: skip
def test_a_row_serves_every_analysis_of_the_same_counts(changes: dict[str, object], reused: bool) -> None:
    store = Store()
    store.add([finding(2)], "digest")
    asked = dataclasses.replace(CELL, **changes)  # type: ignore[arg-type]
    expected = {(asked, 2): dataclasses.replace(finding(2), config=asked)} if reused else {}
    assert store.find([asked], "digest") == expected


@pytest.mark.parametrize(
    ("rule", "attack", "changes", "reused"),
    [
        ("cosine", "label-flip", {"server_step": 2.0}, True),
        ("cosine", "label-flip", {"wrong_label": "random"}, False),
        ("loss-fall", "collusion", {"server_step": "unbiased"}, False),
        ("loss-fall", "collusion", {"wrong_label": "random"}, True),
    ],
)
def test_a_setting_counts_where_counts_need_it(rule: str, attack: str, changes: dict[str, Any], reused: bool) -> None:
    cell = dataclasses.replace(CELL, distinguisher=rule, attack=attack)
    store = Store()
    store.add([finding(2, cell)], "digest")
    assert bool(store.find([dataclasses.replace(cell, **changes)], "digest")) is reused


ADDING = """
store, first = Store(Path(sys.argv[1])), int(sys.argv[2])
cell = dataclasses.replace(CELL, num_measurements=1000)
for number in range(first, first + 120):
    store.add([finding(number, cell)], "digest")
print(store.salt)
"""


def test_processes_that_write_one_new_file_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    salts = together(ADDING, *([str(path), str(start)] for start in (0, 120, 60)))
    assert len(set(salts)) == 1
    assert len(rows(path)) == 240
    cell = dataclasses.replace(CELL, num_measurements=1000)
    expected = {(cell, number): finding(number, cell) for number in range(240)}
    assert Store(path).find([cell], "digest") == expected


def test_a_seed_belongs_to_its_settings(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    assert Store(path).seed_for(CONFIG) == 7
    assert Store(path).seed_for(dataclasses.replace(CONFIG, seed=8)) == 7
    other = dataclasses.replace(CONFIG, seed=9, num_trials=11)
    assert Store(path).seed_for(other) == 9
    assert Store(path).seed_for(CONFIG) == 7
    assert Store(tmp_path / "other.sqlite").seed_for(other) == 9


def test_an_addition_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    store = Store(tmp_path / "run.sqlite")
    store.add([finding(0)], "digest")
    broken = dataclasses.replace(finding(2), device=object())  # type: ignore[arg-type]
    with pytest.raises(StoreError, match=REFUSED):
        store.add([finding(1), broken], "digest")
    assert list(store.find([CELL], "digest")) == [(CELL, 0)]
    assert len(rows(tmp_path / "run.sqlite")) == 1


def test_a_new_file_is_for_its_owner_only(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        Store(tmp_path / "run.sqlite").add([finding()], "digest")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "run.sqlite").stat().st_mode) == 0o600


def test_the_name_of_a_data_set_is_salted_per_file(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "one.sqlite"), Store(tmp_path / "two.sqlite")
    assert one.digest("0123456789abcdef") == Store(tmp_path / "one.sqlite").digest("0123456789abcdef")
    assert one.digest("0123456789abcdef") != two.digest("0123456789abcdef")
    assert one.digest("0123456789abcdef") != one.digest("0123456789abcdee")
    assert len(bytes.fromhex(one.salt)) == 16


def text_file(path: Path) -> None:
    path.write_text("dataset,test\n" * 1000)


def other_database(path: Path) -> None:
    altered(path, "CREATE TABLE cells (key TEXT PRIMARY KEY)")


def other_version(path: Path) -> None:
    Store(path)
    altered(path, "PRAGMA user_version = 2")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (text_file, REFUSED), (other_database, REFUSED), (Path.mkdir, REFUSED),
        (other_version, r"the store must be of version 1, got .* of version 2"),
    ],
)  # fmt: skip
def test_what_is_no_store_is_refused_and_left_alone(tmp_path: Path, spoil: Callable[[Path], None], said: str) -> None:
    path = tmp_path / "run.sqlite"
    spoil(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError, match=said):
        Store(path).find(CONFIG.cells(), "digest")
    assert (path.read_bytes() if path.is_file() else None) == before


def test_opening_a_store_writes_nothing_so_that_a_full_disk_does_not_hinder_reading(tmp_path: Path) -> None:
    path = tmp_path / "run.sqlite"
    Store(path).add([finding(0)], "digest")
    before = path.read_bytes()
    assert list(Store(path).find([CELL], "digest")) == [(CELL, 0)]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("first_as_first", 4), ("second_as_second", "many"), ("angle_degrees", 181.0), ("description", b"\xff\xfe"),
        ("curve", '{"num_first": 1, "num_second": 1, "false_positives": [2], "false_negatives": [0]}'),
        ("versions", "not json"), ("seconds", float("inf")),
    ],
)  # fmt: skip
def test_a_row_that_was_tampered_with_is_refused_in_one_sentence(tmp_path: Path, column: str, value: object) -> None:
    path = tmp_path / "run.sqlite"
    Store(path).add([finding(0), finding(1)], "digest")
    altered(path, f"UPDATE cells SET {column} = ? WHERE measurement = 0", (value,))
    with pytest.raises(StoreError, match=REFUSED):
        Store(path).find(CONFIG.cells(), "digest")


COMMAND = (
    *("-m", "ldp_core", "compare", "--attacks", "dummy,benign", "--epsilons", "1,2", "--tests", "white,black"),
    *("--training", "none", "--trials", "200", "--seed", "1", "--threads", "1"),
)
MOST_NEW_ROWS = 28
"""A kill comes at the latest after so many, so that twenty kills cannot outlast the run on any machine."""
CELLS = 2 * 2 * 2


class Run:
    """A comparison in a process of its own, which ends with the test."""

    def __init__(self, folder: Path, name: str, measurements: int) -> None:
        self.export, self.errors = folder / f"{name}.csv", folder / f"{name}.log"
        files = ("--store", str(folder / "run.sqlite"), "--export", str(self.export))
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *COMMAND, "--measurements", str(measurements), *files], cwd=ROOT,
                env=os.environ | {"LDP_CACHE_DIR": str(folder / "cache")}, stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()

    def check_running(self) -> None:
        assert self.process.poll() is None, f"the run ended before it was killed: {self.errors.read_text()[-2000:]}"

    def finished(self) -> bytes:
        """Wait for the end and return what was exported."""
        assert self.process.wait(timeout=PATIENCE) == 0, self.errors.read_text()[-2000:]
        return self.export.read_bytes()


def count(store: Path) -> int:
    """Return the number of rows without a look at the whole file; -1 as long as there is no table."""
    if not store.exists():
        return -1
    with closing(sqlite3.connect(f"file:{store}?mode=ro", timeout=60, uri=True)) as database:
        try:
            return int(database.execute("SELECT COUNT(*) FROM cells").fetchone()[0])
        except sqlite3.Error:
            return -1


@pytest.mark.parametrize(("kills", "measurements"), [(1, 8), pytest.param(20, 120, marks=pytest.mark.nightly)])
def test_kills_lose_nothing_that_was_finished(tmp_path: Path, own_cache: None, kills: int, measurements: int) -> None:
    store, moments, gained = tmp_path / "run.sqlite", random.Random(20), 0
    known = rows(store)
    for kill in range(kills):
        with Run(tmp_path, "cells", measurements) as run:
            if kill % 5 < 4:  # within the work: a random time after its first new row
                wait = moments.uniform(0.0, 0.25)
                deadline = time.monotonic() + PATIENCE
                while count(store) <= len(known) and time.monotonic() < deadline:
                    run.check_running()
                    time.sleep(0.01)
            else:  # a random time after the start, mostly before any work
                wait = moments.uniform(0.0, 3.0)
            end = time.monotonic() + wait
            while time.monotonic() < end and count(store) < len(known) + MOST_NEW_ROWS:
                time.sleep(min(0.01, wait))
            run.check_running()
        before, known = known, rows(store)
        assert before.items() <= known.items()
        gained += len(known) > len(before)
    assert not (tmp_path / "cells.csv").exists()
    assert gained >= kills // 2, "most kills must fall within the work"
    assert 0 < len(known) < CELLS * measurements
    with Run(tmp_path, "cells", measurements) as run:
        found = run.finished()
    assert main([*COMMAND[2:], "--measurements", str(measurements), "--export", str(tmp_path / "undisturbed.csv")]) == 0
    assert found == (tmp_path / "undisturbed.csv").read_bytes()
    whole = rows(store)
    assert known.items() <= whole.items()
    assert len(whole) == CELLS * measurements
