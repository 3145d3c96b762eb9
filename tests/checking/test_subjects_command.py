"""A mechanism in a program of its own: right answers from other languages, one clear sentence for each fault."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.subjects._process import Limits
from ldp_core.checking.subjects._start import started
from ldp_core.checking.subjects.command import CommandSubject, command
from ldp_core.checking.subjects.python import from_callable
from ldp_core.errors import MechanismContractError, MechanismUnavailableError
from tests.helpers import vendor
from tests.helpers.patience import PATIENCE, until
from tests.helpers.places import ROOT
from tests.helpers.processes import ended
from tests.helpers.vendor import hostile

CONFIG = CheckConfig("a program", 1.0, 0, dimension=8)
GRADIENT = np.array([0.1, -0.25, 1 / 3, 0, 1e-20, -7e8, 3, 1], np.float32)


@contextmanager
def running(words: list[str], timeout: float = PATIENCE) -> Iterator[CommandSubject]:
    with closing(command(words, CONFIG, Limits(timeout))) as subject:
        yield subject


def gone(pid: int) -> bool:
    """Return whether a process has ended; one that nobody waits for any more belongs to the system's first process."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


def test_the_input_arrives_exactly_and_reports_come_back_in_rows() -> None:
    with running(vendor.faulty("none")) as subject:
        for count in (1, 5, 100, 20_000):
            reports = subject.randomize(GRADIENT, count)
            assert reports.shape == (count, 8)
            assert reports.dtype == np.float64
            assert (reports.astype(np.float32) == GRADIENT).all()
        assert not subject.seeded
        assert subject.ordered


def test_long_requests_and_answers_do_not_wait_for_each_other() -> None:
    """Both sides have more to say than a pipe holds."""
    gradient = np.linspace(-1, 1, 50_000, dtype=np.float32)
    with closing(CommandSubject(vendor.faulty("none"), len(gradient), Limits(60.0))) as subject:
        assert (subject.randomize(gradient, 12).astype(np.float32) == gradient).all()


@pytest.mark.parametrize("digits", [1, 17])
def test_a_report_that_is_too_long_for_us_is_no_fault_of_the_program(digits: int) -> None:
    code = f"import sys\nfor _ in sys.stdin: print(*['1' * {digits}] * 1_000_017, flush=True)"
    with running([sys.executable, "-c", code]) as subject, pytest.raises(MechanismUnavailableError) as raised:
        subject.randomize(GRADIENT, 1)
    assert "at most 1,000,016 numbers to be checked here" in str(raised.value)


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("ends-at-start", MechanismUnavailableError, ["exit code 1 after 0", "no licence found"]),
        ("exits", MechanismUnavailableError, ["5 reports", "exit code 7 after 1"]),
        ("crashes", MechanismUnavailableError, ["signal 11"]),
        ("words", MechanismContractError, ["numbers separated by spaces", "'hello  [2J'"]),
        ("short", MechanismContractError, ["8 numbers", "got 1"]),
        ("more", MechanismContractError, ["5 lines", "got more"]),
        ("endless-lines", MechanismContractError, ["5 lines", "got more"]),
        ("endless-line", MechanismUnavailableError, ["at most", "numbers to be checked here"]),
    ],
)
def test_a_fault_gets_one_sentence_and_ends_the_program(fault: str, kind: type[Exception], words: list[str]) -> None:
    with running(vendor.faulty(fault), 1.0 if fault == "silent" else PATIENCE) as subject:
        with pytest.raises(kind) as raised:
            subject.randomize(GRADIENT, 5)
        sentence = str(raised.value)
        assert sentence.isprintable()
        for word in words:
            assert any(option in sentence for option in word.split("|")), sentence
        until(lambda: gone(subject._process.pid))
        with pytest.raises(MechanismUnavailableError, match="cannot be asked again"):
            subject.randomize(GRADIENT, 1)


@pytest.mark.parametrize("words", [["/no/such/program"], [str(Path(__file__))]])
def test_a_program_that_cannot_be_started_is_named(words: list[str]) -> None:
    with pytest.raises(MechanismUnavailableError, match="can be started, got"):
        command(words, CONFIG)


@pytest.mark.parametrize(
    "fault", ["none", pytest.param("deaf-to-the-end", marks=pytest.mark.nightly), "child", "unread"]
)
def test_closing_leaves_no_process_no_thread_and_no_file(fault: str) -> None:
    threads = threading.active_count()
    files = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    with running(vendor.faulty(fault)) as subject:
        if fault != "unread":
            subject.randomize(GRADIENT, 3)
    pids = [subject._process.pid] + ([int(subject._process._tail)] if fault == "child" else [])
    assert subject._process.returncode is not None
    assert subject._process.returncode == (0 if fault in ("none", "child") else subject._process.returncode)
    until(lambda: all(map(gone, pids)))
    assert threading.active_count() == threads
    if files:
        assert len(os.listdir("/proc/self/fd")) == files
    subject.close()


def test_a_program_gets_what_it_needs_of_the_environment_and_what_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import os, sys\nfor _ in sys.stdin: print(*(int(n in os.environ) for n in sys.argv[1:]), flush=True)"
    words = [sys.executable, "-c", code, "PATH", "HOME", "LC_ALL", "OMP_NUM_THREADS", "TOKEN", "WANTED"]
    for name in words[3:]:
        monkeypatch.setenv(name, os.environ.get(name, "C"))
    with running(words) as subject:
        assert subject.randomize(GRADIENT, 1)[0].tolist() == [1, 1, 1, 1, 0, 0]
    limits = Limits(PATIENCE, env=("WANTED",))
    with closing(CommandSubject(words, len(GRADIENT), limits)) as subject:
        assert subject.randomize(GRADIENT, 1)[0].tolist() == [1, 1, 1, 1, 0, 1]
    monkeypatch.delenv("WANTED")
    with pytest.raises(ValueError, match="--env must name a variable of the environment that is set, got 'WANTED'"):
        Limits(env=("WANTED",))


def test_ctrl_c_in_an_answer_leaves_no_process() -> None:
    with running(vendor.faulty("silent")) as subject:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            subject.randomize(GRADIENT, 3)
    until(lambda: gone(subject._process.pid))


def test_an_end_that_is_heard_twice_is_one_end() -> None:
    """As after an interrupt at the worst moment."""
    process = started(["sleep", "60"], Limits(), "the program")
    process._guard.send_signal(signal.SIGKILL)
    process._guard.wait(PATIENCE)
    for _ in range(2):
        process._note(process._control)
    process.close(at_once=True)
    assert process._gone


REACHES = "import socket; socket.create_connection(('127.0.0.1', {port}), 9)"


@pytest.mark.parametrize("network", [True, False])
def test_without_network_nobody_outside_is_reached(network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = REACHES.format(port=server.getsockname()[1])
        process = started([sys.executable, "-I", "-S", "-c", code], Limits(network=network), "the program")
        process._wait_for_end(PATIENCE)
        alone = not process.network
        process.close()
    if network == alone:
        pytest.skip("this system lets nobody take the network away")
    assert (process.returncode == 0) == network


@pytest.mark.parametrize("user", [0, 12_345])
def test_who_has_no_rights_loses_the_network_too_and_stays_who_they_are(user: int) -> None:
    """What they start can still speak to itself."""
    if os.geteuid():
        pytest.skip("only root can be another user")
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import encodings.idna, os, socket
from ldp_core.checking.subjects import _guard
os.setresuid({user}, {user}, {user})
_guard._prctl(4, 1)  # as a program that this user started: what is in /proc of it is theirs
print(_guard._leave_network(), os.getuid(), flush=True)
with socket.create_server(("127.0.0.1", 0)) as own:
    socket.create_connection(own.getsockname(), 9)
{REACHES.format(port=server.getsockname()[1])}
"""
        found = ended([sys.executable, "-c", code])
    if found.stdout.startswith("False"):
        pytest.skip("this system lets nobody take the network away")
    assert found.stdout == f"True {user}\n"
    assert found.stderr.splitlines()[-1].startswith("ConnectionRefusedError")


SEED = int(hostile.SEED_BACKWARDS[::-1])
ASKED = ["--epsilon", "1", "--dimension", "2", "--reports", "10000", "--seed", str(SEED)]
DRIVER = """
import json, sys
from ldp_core.cli import main
for words in json.load(sys.stdin):
    code = main(words)
    print(f"\\nCODE {code}", flush=True)
    print(f"\\nCODE {code}", file=sys.stderr, flush=True)
"""


def checked(folder: Path, *cases: list[str]) -> list[tuple[int, str, str]]:
    """Check mechanisms of a folder one after the other in one process, which none may end; return codes and words."""
    shutil.copy(vendor.HERE / "hostile.py", folder)
    finished = subprocess.run(
        [sys.executable, "-c", DRIVER],
        input=json.dumps([["check", words[0], *ASKED, *words[1:]] for words in cases]),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE * len(cases),
        start_new_session=True,
        check=False,
    )
    assert "Traceback" not in finished.stderr
    outs, errs = (text.split("\nCODE ") for text in (finished.stdout, finished.stderr))
    assert len(outs) == len(cases) + 1, finished.stderr
    codes = [int(part.split("\n")[0]) for part in outs[1:]]
    said = [[text.partition("\n")[2] if number else text for number, text in enumerate(part)] for part in (outs, errs)]
    return list(zip(codes, said[0][:-1], said[1][:-1], strict=True))


def test_a_mechanism_that_leaves_does_not_leave_with_0(tmp_path: Path) -> None:
    """The case in point: its code ends the process with exit code 0 after 2,000 calls, and a deployment follows."""
    shutil.copy(vendor.HERE / "hostile.py", tmp_path)
    # of the current folder, nothing is imported here that is named like what we load
    for name in ("torch", "scipy", "threadpoolctl", "argparse"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(0)\n")
    files = [tmp_path / "x.json", tmp_path / "x.html"]
    words = ["hostile:leaves", *ASKED, "--json", str(files[0]), "--html", str(files[1])]
    finished = ended([sys.executable, "-m", "ldp_core", "check", *words], tmp_path)
    assert finished.returncode == 2, finished.stderr
    assert "its process ended with exit code 0" in finished.stderr
    assert "what was asked until then is judged" in finished.stderr
    assert re.search("Only numbers +no fault found", finished.stdout)
    report = json.loads(files[0].read_text())
    assert report["completed"] is False
    assert report["verdict"] == "not_tested"
    assert files[1].read_text().endswith("</html>\n")


@pytest.mark.nightly
def test_force_does_not_help(tmp_path: Path) -> None:
    (tmp_path / "gone.py").write_text("import os\nos._exit(0)\n")
    limits = ["--timeout", "1"]
    found = checked(
        tmp_path,
        ["gone:anything"],
        ["hostile:signals"],
        ["hostile:loops", *limits],
        ["hostile:fills", "--memory-limit", "300MB"],
        ["hostile:everything"],
        ["hostile:searches"],
    )
    words = [err.strip().splitlines()[-1] for _, _, err in found]
    assert [code for code, _, _ in found] == [2, 2, 2, 2, 1, 1], words
    assert "its process ended with exit code 0" in words[0]
    assert "must answer, but its process was ended" in words[1]
    assert "must answer within 1 seconds" in words[2]
    assert all(word.startswith("error: ") for word in words[:4])
    assert "MemoryError" in words[3]
    assert found[4][1].startswith("Claim rejected")
    assert "all is well" not in found[4][1]
    until(lambda: gone(int((tmp_path / "fork").read_text())))
    word, *links = (tmp_path / "note").read_text().splitlines()
    assert word == "nowhere", "the seed is in the mechanism's process"
    assert sorted(link.partition(":")[0] for link in links) == ["/dev/null", "pipe", "pipe", "socket"], links


@pytest.mark.nightly
def test_each_trick_alone_does_not_help(tmp_path: Path) -> None:
    names = (
        "aborts", "dies", "hangs_up", "resigns", "replaces_output", "shouts", "forks", "patches", "registers", "talks",
        "stops",
    )  # fmt: skip
    words = [[f"hostile:{name}", *(["--timeout", "1"] if name == "stops" else [])] for name in names]
    found = dict(zip(names, checked(tmp_path, *words), strict=True))
    for name, (code, out, err) in found.items():
        assert code == (2 if name in ("aborts", "dies", "hangs_up", "stops") else 1), (name, err)
        assert "all is well" not in out
    assert "signal 6" in found["aborts"][2]
    assert "SystemExit: 0" in found["resigns"][1]
    until(lambda: gone(int((tmp_path / "fork").read_text())))


def test_a_search_would_find_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the seed is in memory, as whoever forks must know."""
    monkeypatch.chdir(tmp_path)
    held = [SEED]
    with closing(from_callable(hostile._after(hostile._search), 2, limits=Limits(PATIENCE))) as subject:
        subject.randomize(np.ones(2, np.float32), 2_001)
    word, *links = hostile.NOTE.read_text().splitlines()
    assert word == "found"
    assert held
    assert {link.partition(":")[0] for link in links} == {"/dev/null", "pipe", "socket"}
    assert sum(link.startswith("socket") for link in links) == 1


@pytest.mark.nightly
def test_nothing_outlives_a_check_that_is_killed(tmp_path: Path) -> None:
    """Not the mechanism, nor the process that it left behind in a session of its own."""
    (tmp_path / "lasting.py").write_text(
        "import os, time\nfrom tests.helpers.vendor import hostile\nhostile._leave_a_fork()\n"
        "open('pid', 'w').write(str(os.getpid()))\ndef randomize(gradient):\n    time.sleep(1_000)\n"
    )
    words = [sys.executable, "-m", "ldp_core", "check", "lasting:randomize", *ASKED, "--timeout", "1000"]
    with subprocess.Popen(
        words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE, text=True
    ) as running:
        for line in running.stderr:
            if line.startswith("exam: "):
                break
        running.kill()
    pids = [int((tmp_path / name).read_text()) for name in ("fork", "pid")]
    until(lambda: all(map(gone, pids)))
