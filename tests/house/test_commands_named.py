"""Every command that a README names runs to its end by night; what would take an hour runs with small sizes."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.checking.apps.test_flower import app_in
from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT
from tests.helpers.processes import ended
from tests.helpers.server import chromium
from tests.mutations import Scratch

READMES = (ROOT / "README.md", *sorted((ROOT / "tests").rglob("README.md")))
_COMMAND = re.compile(r"(?:python3? -m |(?<=`)(?=ldp-core [a-z]))((?:ldp[_-]core [a-z-]+)|[\w.]+)")
_ELSEWHERE = {
    "venv": "the README's own test command makes one",
    "ldp_core": "it is named as another name of ldp-core",
    "ldp_core check": "a line of tests/peers, run below with fewer reports",
    "ldp-core show": "tests/cli/test_cli_files.py",
    "ldp-core challenge": "tests/cli/test_cli_check.py",
    "ldp-core story": "tests/cli/test_cli_studies.py",
}
BROWSER = pytest.mark.skipif(chromium() is None, reason="Chromium is not on this machine")


_SURE = ("--confidence", "0.999999999")
"""An honest randomizer that draws from the operating system is blamed in 1 of 1e9 runs, in place of 1 of 20."""


def run(words: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``python -m ...`` in a folder, with a cache folder there; it may print no traceback."""
    own = {"LDP_CACHE_DIR": str(folder / "cache")} | environment
    found = ended([sys.executable, "-m", *words], folder, patience=6 * PATIENCE, **own)
    assert "Traceback" not in found.stderr, found.stderr[-3_000:]
    return found


def lines() -> list[list[str]]:
    """Return the whole commands in the README's table of jobs, each in words after ``python -m``."""
    found = re.findall(r"(?m)^\| .* \| `ldp-core ([^`]*)` \|$", READMES[0].read_text(encoding="utf-8"))
    return [["ldp_core", *shlex.split(line)] for line in found]


def line_of(command: str, option: str = "") -> list[str]:
    """Return the first of them with a command, and with an option."""
    return next(words for words in lines() if words[1] == command and (not option or option in words))


def named() -> set[str]:
    """Return the commands that the READMEs name: a module, or the core's command."""
    return {name for path in READMES for name in _COMMAND.findall(path.read_text(encoding="utf-8"))}


BENCHMARKS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "core": (("--quick",), 15, "memory above idle torch"),
    "app": ((), 7, "compare: 7 attacks"),
    "kinds": (("1", "twice", "faulty-twice-epsilon", "--reports", "20000"), 4, "faulty-twice-epsilon"),
}
"""Benchmark -> its options, how many lines it prints at least, and what stands in the last one."""


def benchmark(name: str) -> Callable[[Path], None]:
    """Return what runs a benchmark."""
    options, rows, last = BENCHMARKS[name]

    def runs(folder: Path) -> None:
        found = run([f"tests.benchmarks.{name}", *options], folder)
        assert found.returncode == 0, found.stderr[-3_000:]
        lines = found.stdout.splitlines()
        assert len(lines) >= rows, found.stdout
        assert last in lines[-1]

    return runs


def audit(folder: Path) -> None:
    found = run([*line_of("audit"), "--json", "-"], folder)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["summary"]["counts"]["first_as_first"] > 0
    assert "--attack" in run(["ldp_core", "audit", "--help"], folder).stdout


def compare(folder: Path) -> None:
    found = run([*line_of("compare"), "--seed", "7"], folder)
    assert found.returncode == 0, found.stderr
    assert (folder / "run.sqlite").is_file()
    assert list((folder / "figures").glob("*.pdf"))


def check(folder: Path) -> None:
    random = np.random.default_rng(7)
    np.savez(folder / "replies.npz", **{name: random.normal(size=(200, 3)) for name in ("first", "second")})
    found = run([*line_of("check", "--replies"), *_SURE], folder)
    assert found.returncode == 0, found.stderr
    (folder / "package").mkdir()
    (folder / "package" / "module.py").write_text("from ldp_core.mechanisms.duchi import DuchiL2 as Name\n")
    found = run([*line_of("check", "package.module:Name"), *_SURE, "--json", "-"], folder)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["verdict"] == "claim_not_rejected"


def golden(folder: Path) -> None:
    """It writes over the file, so a copy's."""
    copied = Scratch(folder).tree
    file = copied / "tests" / "vectors" / "golden.jsonl"
    before = file.read_bytes()
    assert run(["tests.vectors.golden"], copied, PYTHONPATH=str(copied)).returncode == 0
    assert file.read_bytes() == before


def picture(folder: Path) -> None:
    file = folder / "page.png"
    found = run(["tests.browser.picture", str(file)], ROOT, LDP_CACHE_DIR=str(folder))
    assert found.returncode == 0, found.stderr[-3_000:]
    assert file.read_bytes().startswith(b"\x89PNG")


def small(*words: str) -> Callable[[Path], None]:
    """Return what runs a command with small sizes."""

    def runs(folder: Path) -> None:
        found = run(["ldp_core", *words, "--json", "-"], folder)
        assert found.returncode == 0, found.stderr
        assert json.loads(found.stdout)["schema"].startswith("ldp-")

    return runs


def trainings(folder: Path) -> None:
    (folder / "train.py").write_text("from ldp_core.studies.training_check.faulty_trainings import honest as train\n")
    found = run([*line_of("check-training"), "--games", "20", "--seed", "7"], folder)
    assert found.returncode == 0, found.stderr


def apps(folder: Path) -> None:
    app = app_in(folder)
    line = [app if word == "FOLDER" else word for word in line_of("check-flower")]
    found = run([*line, "--replies", "1000", *_SURE], folder)
    assert found.returncode == 0, found.stderr


RUNS = {
    "ldp-core reconstruct": small("reconstruct", "--pictures", "20", "--candidates", "100", "--seed", "7"),
    "ldp-core channels": small("channels", "--channel", "natural", "--capacity", "100"),
    "ldp-core capacity": small(
        "capacity", "--public", "200", "--pictures", "20", "--rounds", "1", "--passes", "1", "--capacities", "100",
        "--seed", "7",
    ),
    "ldp-core plane": small("plane", "--points", "sgd,clip", "--members", "40", "--passes", "2", "--seed", "7"),
    "ldp-core trust": small("trust", "--view", "shuffled", "--others", "agree", "--games", "1000", "--seed", "7"),
    "ldp-core detect": small("detect", "--attacks", "dummy", "--pairs", "2", "--trials", "100", "--seed", "7"),
    "ldp-core reproduce": small("reproduce", "--items", "m-eq3-example,n-attack6-3.6", "--seed", "7"),
    "ldp-core accountant": small("accountant", "--sampling-rate", "0.01", "--epsilon", "4", "--steps", "1000"),
    "ldp-core central": small("central", "--adversary", "gradient", "--games", "20", "--seed", "7"),
    "ldp-core central-table": small("central-table", "--epsilons", "4", "--games", "20"),
    "ldp-core check-training": trainings,
    "ldp-core check-flower": apps,
    "ldp-core audit": audit, "ldp-core compare": compare, "ldp-core check": check,
    "ldp-core utility": small("utility", "--clients", "200", "--rounds", "3", "--seed", "7"),
    "ldp-core training-path": small("training-path", "--passes", "0,2", "--measurements", "3", "--seed", "7"),
    **{f"tests.benchmarks.{name}": benchmark(name) for name in BENCHMARKS},
    "tests.browser.picture": picture, "tests.vectors.golden": golden,
}  # fmt: skip
MARKS = {"tests.benchmarks.app": [BROWSER], "tests.browser.picture": [BROWSER]}


def test_every_command_that_a_readme_names_is_run_below() -> None:
    missing = named() - set(_ELSEWHERE) - set(RUNS)
    assert not missing, f"RUNS needs what runs {missing}"
    assert len(named()) >= 10
    assert {"audit", "compare", "check"} <= {words[1] for words in lines()}


@pytest.mark.nightly
@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, [])) for name in RUNS])
def test_it_runs_to_its_end(name: str, tmp_path: Path) -> None:
    RUNS[name](tmp_path)


CHECK = ["check", "faulty-twice-epsilon", "--epsilon", "1", "--dimension", "2", "--reports", "8000", "--seed", "7"]
_SPY = """
import json, sys

asked = set(sys.modules)

class Spy:
    def find_spec(name, path=None, target=None):
        asked.add(name)

sys.meta_path.insert(0, Spy)
from ldp_core.cli import main

main(sys.argv[1:])
print(json.dumps(sorted({name.partition(".")[0] for name in asked})))
"""
"""Carries out a command, and prints what was looked for in vain, too."""
_FIRST = "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"


def python(folder: Path, *words: str, path: str = str(ROOT)) -> subprocess.CompletedProcess[str]:
    return ended([sys.executable, *words], folder, PYTHONPATH=path, LDP_CACHE_DIR=str(folder.parent / "cache"))


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Return the modules that a check looks for, and those that Python loads before a package's first line."""
    folder = tmp_path_factory.mktemp("names") / "empty"
    (folder / "first").mkdir(parents=True)
    (folder / "first" / "__init__.py").write_text(_FIRST)
    (folder / "first" / "__main__.py").touch()
    before = python(folder, "-m", "first").stdout.split()
    asked = json.loads(python(folder, "-c", _SPY, *CHECK).stdout.splitlines()[-1])
    return set(asked) - {"__main__"}, {*before, "ldp_core"}


@pytest.mark.nightly  # by day tests/checking/test_subjects_command.py has some of the names
@pytest.mark.parametrize(
    ("options", "path"),
    [
        (["-m", "ldp_core"], str(ROOT)), (["-P", "-m", "ldp_core"], str(ROOT)), (["-Bmldp_core"], str(ROOT)),
        pytest.param(["-m", "ldp_core"], f"{ROOT}::.", id="empty"),
    ],
)  # fmt: skip
def test_no_file_beside_the_mechanism_decides(
    tmp_path: Path, names: tuple[set[str], set[str]], options: list[str], path: str
) -> None:
    """With ``-P``, as for the installed command, of any name; else of all that Python does not load itself."""
    folder = tmp_path / "folder"
    folder.mkdir()
    asked, before = names
    placed = asked if "-P" in options else asked - before
    assert {"signal", "typing", "argparse", "json", "numpy", "torch"} - before <= placed
    assert "signal" in placed
    for name in placed:
        (folder / f"{name}.py").write_text("__import__('os')._exit(0)\n")
    (folder / "liar.py").write_text("def double(gradient):\n    return 2.0 * gradient\n")
    ended = python(folder, *options, *CHECK, "--json", "found.json", path=path)
    assert ended.returncode == 1, ended.stderr
    assert json.loads((folder / "found.json").read_text())["verdict"] == "claim_rejected"
    theirs = python(folder, *options, "check", "liar:double", *CHECK[2:], "--json", "other.json", path=path)
    assert (theirs.returncode, theirs.stdout) == (2, "")
    assert "its process ended with exit code 0" in theirs.stderr
    assert not (folder / "other.json").exists()
