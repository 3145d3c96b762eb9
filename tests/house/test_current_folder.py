"""No file in the current folder becomes part of the process that decides, whatever its name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tests.helpers.processes import ended

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


def run(folder: Path, *words: str, path: str = str(ROOT)) -> subprocess.CompletedProcess[str]:
    return ended([sys.executable, *words], folder, PYTHONPATH=path, LDP_CACHE_DIR=str(folder.parent / "cache"))


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Return the modules that a check looks for, and those that Python loads before a package's first line."""
    folder = tmp_path_factory.mktemp("names") / "empty"
    (folder / "first").mkdir(parents=True)
    (folder / "first" / "__init__.py").write_text(_FIRST)
    (folder / "first" / "__main__.py").touch()
    before = run(folder, "-m", "first").stdout.split()
    asked = json.loads(run(folder, "-c", _SPY, *CHECK).stdout.splitlines()[-1])
    return set(asked) - {"__main__"}, {*before, "ldp_core"}


@pytest.mark.nightly  # by day tests/checking/test_subjects_hostile.py has some of the names
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
    ended = run(folder, *options, *CHECK, "--json", "found.json", path=path)
    assert ended.returncode == 1, ended.stderr
    assert json.loads((folder / "found.json").read_text())["verdict"] == "claim_rejected"
    theirs = run(folder, *options, "check", "liar:double", *CHECK[2:], "--json", "other.json", path=path)
    assert (theirs.returncode, theirs.stdout) == (2, "")
    assert "its process ended with exit code 0" in theirs.stderr
    assert not (folder / "other.json").exists()
