"""The command ``compare`` as a person or a script meets it."""

import csv
import io
import re
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from ldp_core.adversaries import ATTACKS
from ldp_core.cli import main
from ldp_core.studies.compare.exports import COLUMNS, read
from ldp_core.studies.compare.store import Store
from tests.cli.commands import Refused, Run, strict_json
from tests.comparison.test_store import rows as stored
from tests.helpers.processes import interrupted

pytestmark = pytest.mark.usefixtures("own_cache")

QUICK = ["compare", "--attacks", "dummy,benign", "--epsilons", "1,2", "--training", "none", "--trials", "200",
         "--measurements", "2"]  # fmt: skip
THE_ISSUES = ["compare", "--attacks", "all", "--epsilons", "0.5,1,2,4", "--tests", "white,black", "--clients", "1",
              "--training", "light", "--seed", "1", "--json", "-"]  # fmt: skip


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, *QUICK)


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


def test_the_documented_command_works(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store, export = tmp_path / "run.sqlite", tmp_path / "cells.csv"
    size = ["--trials", "400", "--measurements", "1", "--dataset", "digits"]
    code = main([*THE_ISSUES, *size, "--store", str(store), "--export", str(export)])
    out, err = capsys.readouterr()
    assert code == 0
    report = strict_json(out)
    assert (report["schema"], report["completed"], report["seed"]) == ("ldp-compare/1", True, 1)
    assert len(report["cells"]) == 7 * 4 * 2
    assert tuple(report["config"]["attacks"]) == ATTACKS
    found = rows(export)
    assert len(found) == len(stored(store)) == 7 * 4 * 2
    assert export.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert {row["test"] for row in found} == {"white", "black"}
    assert "White box (sees the report)" in err
    assert "Black box (sees the model before and after)" in err
    assert "No claim was rejected" in err
    assert "Traceback" not in err


def test_pictures_are_saved_in_three_formats(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("ldp_core.presentation.figures.paper")
    folder = tmp_path / "new" / "figures"
    code, _, err = run("--seed", "1", "--epsilons", "1", "--figures", str(folder))
    saved = list(folder.iterdir())
    assert code == 0
    assert f"{len(saved)} pictures are in {folder}" in err
    assert {path.suffix for path in saved} == {".svg", ".pdf", ".png"}
    assert all(path.stat().st_size > 500 for path in saved)


def test_an_overclaiming_mechanism_is_rejected_with_exit_code_1(run: Run) -> None:
    options = ["--epsilons", "2", "--trials", "4000", "--seed", "7"]
    code, out, _ = run(*options, "--mechanism", "overclaiming")
    assert code == 1
    assert (
        "Claim rejected at 99.9 % confidence for all cells together: dummy, always guesses (cosine), digits: at least "
        in out
    )


@pytest.mark.nightly  # by day test_cli.py interrupts a command, and test_compare.py stops and goes on
@pytest.mark.parametrize(("backend", "sent"), [("here", signal.SIGINT), ("loky", signal.SIGTERM)])
def test_an_interrupted_run_keeps_and_shows_what_is_done(tmp_path: Path, sent: signal.Signals, backend: str) -> None:
    store = tmp_path / "run.sqlite"
    arguments = [*QUICK, "--attacks", "benign", "--measurements", "1000", "--seed", "1", "--json", "-"]
    arguments += ["--epsilons", "1,2,3,4,5,6,7,8"]  # long enough to be interrupted
    arguments += ["--store", str(store)]
    arguments += ["--backend", backend, *(["--workers", "1"] if backend == "loky" else [])]
    code, out, err = interrupted(arguments, "; [1-9].* measurements of cells kept", sent, tmp_path / "out")
    assert code == 0, err[-2000:]
    assert "Traceback" not in err
    assert "Warning" not in err
    result = read(out)[0]
    shown = sum(1 for _ in result.measured())
    assert not result.completed
    assert re.search(rf"stopped with {shown:,} of 8,?000 measurements of cells finished", err)
    assert 0 < shown <= len(stored(store)) < 8_000
    found = Store(store).find(result.config.cells(), _digest(store))
    assert all(found[config, number].result == measurement for config, number, measurement in result.measured())


def _digest(store: Path) -> str:
    from ldp_core.datasets import load_dataset
    from ldp_core.learning.models import fingerprint

    return Store(store).digest(fingerprint(load_dataset("digits")))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--attacks", "dummy,dummy"], "none twice"),
        (["--epsilons", "1;2"], "--epsilons must be numbers separated by commas, got '1;2'"),
        (["--tests", "black", "--attacks", "benign", "--black-rules", "sign-sum"], "no rule fits"),
        (["--store", "same.sqlite", "--export", "./same.sqlite"], "must name different files"),
        (["--export", "cells.xlsx"], "--export must name a file that ends in .csv or .json, got "),
        (["--dataset", "mnist", "--data-dir", "/no/such/folder"], "/no/such/folder"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in refused(*options)
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}


def test_a_file_that_is_no_store_is_refused_and_left_alone(refused: Refused, tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("irreplaceable\n" * 100)
    assert refused("--store", path, at_once=True).startswith("error: the store must be a file that ")
    assert path.read_text() == "irreplaceable\n" * 100


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_gets_one_sentence_and_keeps_the_store(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        code = main([*QUICK, "--seed", "1", "--json", "-", "--store", str(tmp_path / "run.sqlite")])
    assert code == 2
    assert "Traceback" not in capsys.readouterr().err
    assert len(stored(tmp_path / "run.sqlite")) == 8


def test_a_seed_is_remembered_with_its_store(run: Run, tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "run.sqlite"), "--json", "-"]
    first = strict_json(run(*store)[1])
    _, out, err = run(*store)
    assert (strict_json(out)["seed"], strict_json(out)["rows"]) == (first["seed"], first["rows"])
    assert "trial " not in err
    assert len(stored(tmp_path / "run.sqlite")) == 8
    assert strict_json(run(*store, "--seed", "6")[1])["seed"] == 6
