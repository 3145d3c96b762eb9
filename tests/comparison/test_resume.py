"""Runs that are killed: nothing finished is lost, and the end is the same."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ldp_core.cli import main
from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT

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


def rows(store: Path) -> dict[str, tuple[object, ...]]:
    """Return all rows of a file, none if it is not there yet; the file must be undamaged."""
    if not store.exists():
        return {}
    database = sqlite3.connect(store, timeout=60)
    try:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if not database.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'cells'").fetchone()[0]:
            return {}
        return {row[0]: row for row in database.execute("SELECT * FROM cells")}
    finally:
        database.close()


def count(store: Path) -> int:
    """Return the number of rows without a look at the whole file; -1 as long as there is no table."""
    if not store.exists():
        return -1
    database = sqlite3.connect(f"file:{store}?mode=ro", timeout=60, uri=True)
    try:
        return int(database.execute("SELECT COUNT(*) FROM cells").fetchone()[0])
    except sqlite3.Error:
        return -1
    finally:
        database.close()


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
