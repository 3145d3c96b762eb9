"""The command line as a person or a script meets it."""

import re
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from ldp_core import __main__
from tests.cli.commands import Refused, Run, strict_json
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
