"""The command line as a person or a script meets it, also one that interrupts it at any moment."""

import contextlib
import importlib
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from ldp_core import __main__
from ldp_core.terminal import heed_interrupts
from tests.checking.test_subjects_command import gone
from tests.cli.commands import Refused, Run, strict_json
from tests.helpers.patience import PATIENCE, until
from tests.helpers.places import ROOT
from tests.helpers.processes import ended, interrupted, printed

pytestmark = pytest.mark.usefixtures("own_cache")

QUICK = ["audit", "--training", "none", "--trials", "400", "--measurements", "2", "--seed", "7"]


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, *QUICK)


def test_json_has_the_documented_shape(run: Run) -> None:
    code, out, err = run("--attack", "gradient-flip", "--json", "-")
    report = strict_json(out)
    assert code == 0
    assert "error" not in err
    assert (report["schema"], report["seed"], report["completed"]) == ("ldp-audit/1", 7, True)
    assert len(report["measurements"]) == 2
    for measurement in report["measurements"]:
        assert measurement["pair"]["angle_degrees"] == 180.0
        assert sum(measurement["counts"].values()) == 400
    summary = report["summary"]
    assert summary["bound"] == "pooled"
    assert sum(summary["counts"].values()) == 800
    assert summary["theory"] == {"identification": pytest.approx(0.7310585786300049), "epsilon": 1.0, "delta": 0.0}


def test_a_broken_mechanism_is_rejected_with_exit_code_1(run: Run) -> None:
    code, out, _ = run("--mechanism", "overclaiming", "--epsilon", "2", "--trials", "4000", "--json", "-")
    report = strict_json(out)
    assert code == 1
    assert report["verdict"] == "claim_rejected"
    assert report["state"] == "above"
    assert report["summary"]["epsilon"]["lower"] > 2.0


def test_an_unwatched_run_shows_no_counts_while_it_runs(run: Run) -> None:
    _, _, err = run()
    assert "trial " in err
    assert "right" not in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "nan"], ["epsilon", "nan"]),
        (["--attack", "ddos"], ["attack", "benign", "ddos"]),
        (["--confidence", "95"], ["confidence", "95"]),
        (["--json", "/tmp"], ["--json", "/tmp"]),
        (["--dataset", "mnist", "--data-dir", "/no/such/folder"], ["mnist", "/no/such/folder"]),
        (["--unknown"], ["--unknown"]),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(refused: Refused, options: list[str], words: list[str]) -> None:
    said = refused(*options)
    assert all(word in said for word in words), said


@pytest.mark.parametrize("sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)])
def test_an_interrupted_run_prints_its_partial_result(tmp_path: Path, sent: signal.Signals) -> None:
    words = [*QUICK, "--trials", "100000000", "--json", "-"]
    code, out, err = interrupted(words, "^trial [1-9]", sent, tmp_path / "out")
    report = strict_json(out)
    assert code == 0
    assert "Traceback" not in err
    assert report["completed"] is False
    assert report["summary"]["bound"] == "pooled_anytime"
    assert 0 < sum(report["summary"]["counts"].values()) < 200_000_000


_STOPPED_TWICE = """
import os, signal
from ldp_core.terminal import heed_interrupts
heed_interrupts()
try:
    os.kill(os.getpid(), signal.{first})
except KeyboardInterrupt:
    for again in (signal.SIGINT, signal.SIGTERM):
        os.kill(os.getpid(), again)
    print("whole")
"""


@pytest.mark.parametrize("first", ["SIGINT", "SIGTERM"])
def test_what_a_stop_ends_is_not_stopped_by_a_second_one(first: str) -> None:
    """``timeout`` sends two; the second came while a stranger's training was ended, whose result was lost."""
    assert printed(_STOPPED_TWICE.format(first=first)) == "whole\n"


_STOPPED_IN_A_STRING = """
import sys
from ldp_core import __main__, cli
def stopped(words):
    exec("raise KeyboardInterrupt")
cli.parsed = stopped
sys.exit(__main__.run())
"""


def test_ctrl_c_inside_code_made_while_packages_load_ends_with_the_same_exit_code(tmp_path: Path) -> None:
    """CPython would end the program by the signal."""
    (tmp_path / "stopped.py").write_text(_STOPPED_IN_A_STRING)
    found = ended([sys.executable, "-m", "stopped"], tmp_path)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error: stopped before there was ")


def test_a_cache_that_cannot_be_written_is_said_once_and_survived(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LDP_CACHE_DIR", str(tmp_path / "file" / "cache"))
    code, _, err = run()
    assert code == 0
    assert err.count("kept in memory only") == 1


def test_a_bug_never_looks_like_a_rejection(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1 means "claim rejected", so an unforeseen exception must leave with 2."""

    def broken(result: object) -> str:
        raise RuntimeError("private detail")

    monkeypatch.setattr("ldp_core.studies.audit.report.summarize", broken)
    code, _, err = run()
    assert code == 2
    assert "private detail" not in err
    assert "a mistake in this program" in err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound a process's addresses")
def test_torch_that_does_not_load_is_no_mistake_of_ours() -> None:
    finished = ended(["sh", "-c", f"ulimit -v 900000; {sys.executable} -m ldp_core {' '.join(QUICK)}"])
    assert finished.returncode == 2
    assert re.search(r"^error: every package must load, and memory must suffice, got \w+: ", finished.stderr, re.M)
    assert "Traceback" not in finished.stderr


def test_a_program_that_cannot_even_begin_rejects_no_claim(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ldp_core.cli", None)
    assert __main__.run() == 2
    assert capsys.readouterr().err.startswith("error: the program could not run, got ModuleNotFoundError: ")


_SLOW = """\
import os, sys, time
import numpy as np
with open("pids", "a") as file:
    file.write(f"{os.getpid()}\\n")
def randomize(gradient):
    time.sleep(0.001)
    return gradient + np.random.default_rng().laplace(scale=9.0, size=len(gradient))
def train(records, seed, settings):
    time.sleep(0.01)
    from ldp_core.studies.training_check import faulty_trainings
    return faulty_trainings.honest(records, seed, settings)
if __name__ == "__main__":
    for line in sys.stdin:
        _, number, _, *values = line.split()
        for _ in range(int(number)):
            print(*randomize(np.array(values, float)))
        sys.stdout.flush()
"""
_ASKED = "--epsilon 1 --dimension 2"
COMMANDS = {
    "module": f"check slow:randomize {_ASKED} --workers 2",
    "program": f"check --command {shlex.quote(f'{sys.executable} slow.py')} {_ASKED}",
    "training": "check-training slow.py:train --games 100000 --threshold-games 20 --workers 2",
}


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupt_at_any_moment_ends_in_a_sentence_and_leaves_nothing(tmp_path: Path, name: str, seed: int) -> None:
    (tmp_path / "slow.py").write_text(_SLOW)
    (tmp_path / "pids").touch()
    draws = random.Random(f"{name} {seed}")
    words = [sys.executable, "-P", "-m", "ldp_core", *shlex.split(COMMANDS[name])]
    with subprocess.Popen(
        words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as running:  # fmt: skip
        first = running.stderr.readline()
        time.sleep(draws.uniform(0.0, 8.0))
        for _ in range(draws.choice((1, 1, 3))):  # somebody may press it several times
            with contextlib.suppress(ProcessLookupError):
                running.send_signal(draws.choice((signal.SIGINT, signal.SIGTERM)))
            time.sleep(0.02)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 2, err
    assert "Traceback" not in err
    assert "a mistake in this program" not in err
    said = [line for line in (first + err).splitlines() if line.startswith(("error: stopped", "stopped after"))]
    assert len(said) == 1, err
    assert bool(out) is said[0].startswith("stopped after")
    until(lambda: all(gone(int(pid)) for pid in (tmp_path / "pids").read_text().split()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_waits_for_the_end_of_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """Raised inside the C++ of torch, it would end the process by SIGABRT."""
    name = f"interrupted_{number.name}".lower()
    (tmp_path / f"{name}.py").write_text(f"import os\nos.kill(os.getpid(), {int(number)})\nwhole = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    heed_interrupts()
    assert importlib.import_module(name).whole
    with pytest.raises(KeyboardInterrupt):
        time.sleep(PATIENCE)
