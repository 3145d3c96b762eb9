"""Mechanisms that want to be taken for honest ones by force: none ends with exit code 0, and none with a traceback."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ldp_core.checking.subjects.python import Limits, from_callable
from tests.checking.test_subjects_command import gone
from tests.helpers import vendor
from tests.helpers.patience import PATIENCE, until
from tests.helpers.places import ROOT
from tests.helpers.processes import ended
from tests.helpers.vendor import hostile

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
    """Check mechanisms of a folder one after the other, in one process of its own session; return codes and words.

    A mechanism that ends or harms the process ends the test: then there is no code.
    """
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
    subject = from_callable(hostile._after(hostile._search), 2, limits=Limits(PATIENCE))
    try:
        subject.randomize(np.ones(2, np.float32), 2_001)
    finally:
        subject.close()
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
