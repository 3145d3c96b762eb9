"""The commands ``check`` and ``challenge`` as a person or a script meets them: how they begin and end."""

import hashlib
import os
import re
import shlex
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import ldp_core
from ldp_core.checking.claims import FAR, FIXED_PAIRS, CheckConfig
from ldp_core.checking.claims._subject import REFINED_NAME
from ldp_core.checking.exam import requests
from ldp_core.checking.subjects.files import write_challenge
from ldp_core.cli import parsed
from ldp_core.studies.check import ways as _ways
from ldp_core.studies.check import workload
from ldp_core.studies.check.command import epilog
from ldp_core.terminal import conclude, emit
from tests.cli.commands import Refused, Run, help_of, strict_json
from tests.helpers import vendor
from tests.helpers.checking import vendors_reports
from tests.helpers.places import ROOT
from tests.helpers.processes import interrupted, printed

pytestmark = pytest.mark.usefixtures("own_cache")

QUICK = ["--epsilon", "1", "--reports", "12000", "--dimension", "8", "--seed", "7", "--confidence", "0.999999999"]
"""So sure that an honest mechanism, which draws as it likes, is not rejected in any run of these tests."""
MODULE = "tests.helpers.vendor.mechanisms"


def test_a_liar_leaves_with_1_and_the_pair_that_showed_it(run: Run) -> None:
    """Also where more must be detected than it would catch for sure: what was rejected stays that."""
    words = [*QUICK, "--must-detect", "8:tail", "--json", "-"]
    code, out, err = run("check", f"{MODULE}:HalfTheNoise", *words)
    assert code == 1, err
    report = strict_json(out)
    assert report["verdict"] == "claim_rejected"
    assert report["epsilon_lower"] > 1
    pair = report["rejected_by"]["pair"]
    assert pair in (*FIXED_PAIRS, FAR) or pair.startswith(REFINED_NAME)
    assert report["reports_used"] < 12_000
    assert report["notice"] == "seed-given"
    assert "--seed" not in epilog()


def test_the_vendor_s_files_are_judged(run: Run, refused: Refused, tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("challenge.npz", "key.json", "responses.npz")]
    code, out, _ = run("challenge", *QUICK, "--reports", "13000", "--out", names[0], "--key", names[1])
    assert "Answers can be judged whatever length their rows have (from --reports " in out
    assert code == 0
    assert "Keep it to yourself" in out
    for epsilon, expected in ((1.0, 0), (3.0, 1)):
        np.savez_compressed(names[2], reports=vendors_reports(np.load(names[0]), "ldp-sgd", epsilon))
        also = ("--json", "-", "--html", str(tmp_path / f"{epsilon}.html"))
        code, out, _ = run("check", "--responses", names[2], "--key", names[1], *also)
        assert code == expected
        assert (strict_json(out)["seed"], strict_json(out)["seeded"]) == (7, False)
        document = (tmp_path / f"{epsilon}.html").read_text("utf-8")
        assert "check --responses FILE --key FILE" in document
        assert "MECHANISM" not in document
    (tmp_path / "responses.npz").write_bytes(b"PK\x03\x04 not quite")
    said = refused("check", "--responses", names[2], "--key", names[1])
    assert said == "error: the responses must be a whole .npz file, got something else"


@pytest.mark.parametrize(
    ("option", "read"),
    [("--json", "key.json"), ("--html", "responses.npz"), ("--json", "replies.npz"), ("--html", "replies.npz")],
)
def test_a_result_overwrites_no_file_that_is_read(refused: Refused, tmp_path: Path, option: str, read: str) -> None:
    (tmp_path / read).write_bytes(b"the only copy")
    words = ["--key", str(tmp_path / "key.json"), "--responses", str(tmp_path / "responses.npz")]
    words = ["--epsilon", "1", "--replies", str(tmp_path / read)] if read == "replies.npz" else words
    said = refused("check", *words, option, str(tmp_path / "." / read))
    assert f"error: {option} must not overwrite the file of --{read.split('.')[0]}, got" in said
    assert (tmp_path / read).read_bytes() == b"the only copy"


def test_the_lines_that_the_vendor_runs_are_those_of_the_help_and_run(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, out, _ = run("challenge", *QUICK, "--out", "challenge.npz", "--key", "key.json")
    lines = "\n".join(line[2:] for line in out.splitlines() if line.startswith("  "))
    assert "\n".join(f"  {line}" for line in lines.splitlines()) in help_of("challenge")
    before = "import numpy as np\nrandomize = lambda gradient: 2 * gradient\n"
    printed(before + lines, folder=tmp_path)
    with np.load("challenge.npz") as challenge, np.load("responses.npz") as responses:
        expected = 2 * challenge["gradients"][challenge["order"]]
        assert (responses["reports"] == expected).all()


def test_hostile_numbers_in_a_right_file_are_judged(run: Run, tmp_path: Path) -> None:
    """Numbers of every size that a float can hold, and those that are none; no sum or product of them may matter."""
    names = [str(tmp_path / name) for name in ("challenge.npz", "key.json", "responses.npz")]
    run("challenge", *QUICK, "--reports", "10000", "--dimension", "2", "--out", names[0], "--key", names[1])
    with np.load(names[0]) as challenge:
        count = len(challenge["order"])
    reports = np.random.default_rng(1).integers(0, 256, (count, 2, 8), np.uint8).view("float64").reshape(count, -1)
    np.savez(names[2], reports=reports)
    code, out, err = run("check", "--responses", names[2], "--key", names[1], "--json", "-")
    report = strict_json(out)
    assert report["completed"]
    assert code == 1
    assert [clause["passed"] for clause in report["clauses"] if clause["name"] == "finite"] == [False]
    assert "Traceback" not in err


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("words", 1, "numbers separated by spaces, got 'hello  [2J'"),
        ("ends-at-start", 2, "no licence found"),
        ("infinite", 1, "Claimed: ε = 1, δ = 0."),
        ("silent", 2, "within 1 seconds"),
    ],
)
def test_a_fault_of_a_program_leaves_with_the_code_of_the_readme(run: Run, fault: str, code: int, words: str) -> None:
    """A program that answers badly fails the exam; one that does not answer cannot be checked."""
    line = shlex.join(vendor.faulty(fault))
    found, out, err = run("check", "--command", line, *QUICK, "--timeout", "1" if fault == "silent" else "300")
    assert found == code
    assert words in (err.splitlines()[-1] if code == 2 else out)
    assert bool(out) == (code == 1)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["check"], ["MECHANISM, --command, --responses", "got none"]),
        (["check", "--responses", "x", "--key", "/no/key"], ["the key must be a file", "/no/key"]),
        (["check", "laplac", *QUICK], ["':Name' is missing; did you mean laplace or opendp-laplace?", "got 'laplac'"]),
        (["check", f"{MODULE}:Leaves"], ["--epsilon", "got nothing"]),
        (["check", f"{MODULE}:cancelled", *QUICK], ["answer or raise an exception, got 'BaseException'"]),
        (["check", "--command", "/no/such", *QUICK], ["can be started", "/no/such"]),
        (["challenge", *QUICK, "--out", "same", "--key", "./same"], ["different files"]),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(refused: Refused, words: list[str], expected: list[str]) -> None:
    said = refused(*words)
    assert all(part in said for part in expected), said


@pytest.mark.skipif(not Path("/proc/meminfo").is_file(), reason="this system does not tell how much memory is free")
def test_inputs_that_do_not_fit_into_memory_are_refused(refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workload, "_HELD_BYTES", 10**18)
    said = refused("check", f"{MODULE}:HalfTheNoise", *QUICK)
    assert "dimension must be one whose inputs fit into memory: 8 numbers take about" in said


@pytest.mark.parametrize("sent", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)])
def test_an_interrupted_check_shows_what_it_has_and_ends_the_program(tmp_path: Path, sent: signal.Signals) -> None:
    pid_file = tmp_path / "pid"
    script = f"echo $$ >> {shlex.quote(str(pid_file))}; exec {shlex.join([vendor.compiled(tmp_path), '1', '1'])}"
    words = ["check", "--command", shlex.join(["sh", "-c", script]), "--json", "-", *QUICK, "--reports", "300000"]
    code, out, err = interrupted(words, "^privacy test: ", sent, tmp_path / "out")
    assert code == 2, err
    assert "Traceback" not in err
    assert strict_json(out)["completed"] is False
    for pid in pid_file.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.nightly
def test_the_recipe_of_the_help_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = epilog()
    recipe = text.split("in a CI step:\n")[1].split(" && ")[0].replace("\\\n", " ")
    assert parsed(shlex.split(recipe)[1:]).must_detect == "1.5"
    (tmp_path / "vendor.py").write_text((vendor.HERE / "mechanisms.py").read_text())
    function = textwrap.dedent(text.split("in pytest")[1].split(":\n", 1)[1].split("\nmechanisms of")[0])
    function = function.replace("vendor.sdk:Randomizer", "vendor:Laplace").replace(
        "--dimension 64", "--dimension 2 --reports 40000 --confidence 0.999999999"
    )
    space = {"subprocess": subprocess, "sys": sys}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    exec(compile(function, "recipe", "exec"), space)
    space["test_the_randomizer_keeps_its_claim"](tmp_path)  # type: ignore[operator]
    assert strict_json((tmp_path / "check.json").read_text())["verdict"] == "claim_not_rejected"


def own_inputs(folder: Path, **arrays: np.ndarray) -> str:
    vectors = np.random.default_rng(1).standard_normal((2, 8))
    vectors *= 0.9 / np.linalg.norm(vectors, axis=1, keepdims=True)
    np.savez(folder / "own.npz", **({"first": vectors, "second": -0.5 * vectors} | arrays))
    return str(folder / "own.npz")


def test_ones_own_pairs_are_tried_and_leave_a_digest_alone(tmp_path: Path, run: Run) -> None:
    saved = tmp_path / "check.json"
    words = ["check", "ldp-sgd", *QUICK, "--inputs", own_inputs(tmp_path), "--json", str(saved)]
    code, text, err = run(*words)
    assert code == 0, err
    report = strict_json(saved.read_text())
    assert [pair["name"] for pair in report["pairs"] if pair["name"].startswith("own")] == ["own-1", "own-2"]
    assert any(look["pair"].startswith("own-") for look in report["looks"])
    with np.load(tmp_path / "own.npz") as arrays:
        shape = np.array(arrays["first"].shape, "<i8").tobytes()
        digest = hashlib.sha256(shape + b"".join(arrays[name].astype("<f4").tobytes() for name in ("first", "second")))
        values = [f"{abs(value):.4g}" for value in (*arrays["first"].ravel(), *arrays["second"].ravel())]
    assert report["config"]["inputs_digest"] == digest.hexdigest()
    assert not any(value in saved.read_text() for value in values)
    assert re.search(r"your own pair 2 +0.9, 0.45 +180 ", text)
    assert f"--inputs {tmp_path / 'own.npz'}" in text.splitlines()[-1]


def test_own_inputs_beyond_the_limit_are_sent_when_that_is_asked_for(tmp_path: Path, run: Run) -> None:
    far = np.full((1, 8), 50.0 / np.sqrt(8.0))
    code, _, err = run("check", "ldp-sgd", *QUICK, "--inputs", own_inputs(tmp_path, first=far[0], second=-far[0]))
    assert code == 2
    assert "the array first must have shape (k from 1 to 64, m)" in err
    words = ["check", "ldp-sgd", *QUICK, "--inputs", own_inputs(tmp_path, first=far, second=-far), "--json", "-"]
    code, _, err = run(*words)
    assert code == 2
    assert "at most as long as the clipping norm 1 (l2), got 50 in row 0 of first (--longer-inputs allows" in err
    code, text, err = run(*words, "--longer-inputs")
    assert code == 0, err
    lengths = {pair["name"]: pair["first_length"] for pair in strict_json(text)["pairs"]}
    assert lengths["own-1"] == 50.0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("ldp-sgd --must-detect 1.05:tail", "must be what a check with 12,000 reports would catch"),
        ("ldp-sgd --must-detect 0.9", "--must-detect must be above the claimed 1, got 0.9"),
        ("ldp-sgd --must-detect 1.2:corner", "kind of --must-detect must be one of side, tail, learned, got 'corner'"),
        ("duchi-linf --must-detect 29:learned --dimension 17 --confidence 0.95", "which is not known"),
    ],
)
def test_what_could_not_be_caught_is_refused_before_anything_is_asked(run: Run, words: str, sentence: str) -> None:
    subject, *more = words.split()
    code, out, err = run("check", subject, *QUICK, *more)
    assert (code, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert "exam: " not in err


@pytest.mark.parametrize(("epsilon", "expected"), [("1", 0), ("3", 1)])
def test_a_program_in_c_is_checked_and_a_liar_is_caught(run: Run, tmp_path: Path, epsilon: str, expected: int) -> None:
    words = [vendor.compiled(tmp_path), epsilon, "1"]
    code, out, err = run("check", "--command", shlex.join(words), *QUICK, "--json", "-")
    assert code == expected, err + out
    assert strict_json(out)["config"]["subject"] == f"the program {Path(words[0]).name}"
    assert str(tmp_path) not in out


CLAIMANT = """
import numpy as np
class Stating:
    {statement}
    def randomize(self, gradient):
        return gradient if np.random.random() < 0.45 else np.random.laplace(size=len(gradient))
"""


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("delta = 0.5", "delta 0.0, got 0.5"),
        ("clip_norm = 1e-6", "clip_norm 1.0, got 1e-06"),
        ("epsilon = 30", "epsilon 1.0, got 30.0"),
        ("clip_order = 'linf'", "clip_order l2, got linf"),
    ],
)
def test_a_claim_is_what_the_command_line_says(
    refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, words: str
) -> None:
    (tmp_path / "claimant.py").write_text(CLAIMANT.format(statement=statement))
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    said = refused("check", "claimant:Stating", "--epsilon", "1", "--dimension", "8")
    assert f"the mechanism must state the claim that is asked about, {words}" in said
    with pytest.raises(ValueError, match="the mechanism must state the claim"):
        ldp_core.check("claimant:Stating", 1.0, dimension=8)


def test_the_claim_is_left_to_the_mechanism_on_request_alone(run: Run, refused: Refused) -> None:
    said = refused("check", f"{MODULE}:ready", "--dimension", "8", "--reports", "12000")
    assert "--epsilon must say what the mechanism claims" in said
    words = ["--reports", "12000", "--confidence", "0.999999999", "--claim-from-mechanism", "--json", "-"]
    code, out, err = run("check", f"{MODULE}:ready", "--dimension", "8", *words)
    assert code == 0, err
    found = strict_json(out)
    assert (found["claimed_epsilon"], found["notice"]) == (1.0, "")
    said = refused("check", "--command", "true", "--epsilon", "1", "--claim-from-mechanism")
    assert "--claim-from-mechanism must be given with MECHANISM" in said


LIGHT = "tests.helpers.vendor.light"


def test_every_last_step_is_taken_and_a_failure_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []

    def refuse() -> None:
        raise ValueError("the folder is gone")

    for code, steps, expected in ((0, (), 0), (0, (refuse,), 2), (1, (refuse,), 1), (2, (), 2)):
        assert conclude(code, *steps, lambda: done.append(1)) == expected
    assert len(done) == 4
    assert capsys.readouterr().err == 2 * "error: the folder is gone\n"
    monkeypatch.setattr(sys, "stdout", None)
    assert conclude(0, lambda: emit("x"), lambda: done.append(1)) == 2
    assert conclude(1, lambda: emit("x")) == 1
    assert capsys.readouterr().err == 2 * "error: standard output must take the result, got: it is closed\n"


def way_of(words: list[str]) -> tuple[CheckConfig, str]:
    options = parsed(words)
    _ways.check_way(options)
    reached, repeat = _ways.opened(options)
    reached.subject.close()
    return reached.config, repeat


def test_the_line_can_be_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leads to the same question of the same mechanism, and to the same line."""
    monkeypatch.setenv("COLUMNS", "80")
    asked = ["--epsilon", "0.5", "--seed", "3"]
    delta = [*asked, "--delta", "1e-06"]
    files = [tmp_path / "it's a challenge.npz", tmp_path / "the key.json"]
    config = CheckConfig("theirs", 1.0, 3, dimension=2, reports=10_000)
    challenge, _ = write_challenge(config, requests(config), *files)
    np.savez(tmp_path / "their $answers.npz", reports=np.zeros((len(challenge.order), 2), np.float32))
    program = shlex.join([*vendor.faulty("none"), "a b", "$HOME", "it's"])
    ways = (
        [f"{LIGHT}:Shop", *delta, "--timeout", "7.25", "--workers", "2", "--memory-limit", "3GB", "--arrays", "numpy"],
        [f"python:{LIGHT}:Shop", *delta, "--clip-norm", "1", "--dimension", "5", "--confidence", "0.99"],
        ["--command", program, *asked, "--delta", "0.125", "--clip-order", "linf", "--timeout", "3"],
        ["--responses", str(tmp_path / "their $answers.npz"), "--key", str(files[1])],
        ["laplace", *asked, "--reports", "20000"],
    )
    norms = []
    for words in ways:
        config, repeat = way_of(["check", *words])
        line = shlex.split(repeat)
        assert line[:4] == ["python", "-m", "ldp_core", "check"]
        assert "MECHANISM" not in line
        assert way_of(line[3:]) == (config, repeat)
        for word in words:
            assert word in line or word in repeat, word
        norms.append(config.report_norm)
    assert norms[:2] == [250.0 + 64, 1_000.0 + 5]  # a factory's own default is not overruled by ours
