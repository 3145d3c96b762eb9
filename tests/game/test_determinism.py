"""The same seed, settings and machine give the same numbers, whatever the threads; each report says what it takes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.faults import ROOT

pytestmark = pytest.mark.nightly  # by day one command of each kind: test_audit, test_cli, test_compare

LIGHT = ["--training", "light", "--trials", "900", "--measurements", "2", "--seed", "7"]
COMMANDS: dict[str, list[str]] = {
    "white": ["audit", "--attack", "benign", *LIGHT],
    "selective": ["audit", "--attack", "label-flip", "--distinguisher", "selective", *LIGHT],
    "projected": ["audit", "--attack", "dummy", "--sampling", "projected", *LIGHT],
    "black": ["audit", "--attack", "gradient-flip", "--distinguisher", "loss-fall", "--clients", "3", *LIGHT],
    "compare": ["compare", "--attacks", "benign,dummy", "--epsilons", "1,4", "--tests", "white,black", "--clients",
                "1,2", "--curves", *LIGHT],
    "utility": ["utility", "--epsilons", "1,4", "--clients", "50", "--rounds", "2", "--seed", "7"],
    "path": ["training-path", "--attacks", "benign,dummy", "--passes", "0,2", "--measurements", "3", "--seed", "7"],
    "check": ["check", "ldp-sgd", "--epsilon", "1", "--dimension", "64", "--reports", "20000", "--seed", "7"],
    "caught": ["check", "faulty-laplace-l2", "--epsilon", "1", "--dimension", "8", "--reports", "20000", "--seed", "7"],
    "story": ["story", "--reports", "50", "--norm", "0.6", "--seed", "7"],
    "example": ["story", "--example", "3", "--seed", "7"],
}  # fmt: skip
THREADED = ("audit", "compare", "utility")
REPORTS = ("white", "compare", "utility", "path", "check")
THREADS = (1, 2, 4)
_ALL = """
import json, sys
from ldp_core.cli import main
for name, words in json.loads(sys.argv[1]).items():
    assert main(words) in (0, 1), name
"""


def timeless(value: Any) -> Any:
    """Return a report without how long it took."""
    if isinstance(value, dict):
        return {name: timeless(item) for name, item in value.items() if name != "seconds"}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def reports(folder: Path, threads: int | None) -> dict[str, Any]:
    """Carry out every command in a process of its own, with a cache of its own, on so many threads; None: as found."""
    environment = os.environ | {"LDP_CACHE_DIR": str(folder / "cache")}
    limits = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = {name: value for name, value in environment.items() if name not in limits}
    asked = {}
    for name, words in COMMANDS.items():
        more = ["--threads", str(threads)] if threads and words[0] in THREADED else []
        page = ["--html", str(folder / f"{name}.html")] if name in REPORTS else []
        asked[name] = [*words, *more, *page, "--json", str(folder / f"{name}.json")]
    subprocess.run(
        [sys.executable, "-c", _ALL, json.dumps(asked)], cwd=ROOT, check=True, capture_output=True,
        env=environment | (dict.fromkeys(limits, str(threads)) if threads else {}),
    )  # fmt: skip
    return {name: timeless(json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))) for name in COMMANDS}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("as_found")


@pytest.fixture(scope="module")
def as_found(folder: Path) -> dict[str, Any]:
    return reports(folder, None)


@pytest.mark.parametrize("threads", THREADS)
def test_the_threads_change_no_number(tmp_path: Path, threads: int, as_found: dict[str, Any]) -> None:
    found = reports(tmp_path, threads)
    for name, report in found.items():
        assert report == as_found[name], name


@pytest.mark.parametrize("name", REPORTS)
def test_each_report_says_its_seed_and_versions(name: str, as_found: dict[str, Any], folder: Path) -> None:
    report, page = as_found[name], (folder / f"{name}.html").read_text(encoding="utf-8")
    seed = report["seed"] if "seed" in report else report["config"]["seed"]
    versions = report.get("versions") or next(row["versions"] for row in report["cells"])
    assert seed == 7
    assert "--seed 7" in page
    assert {"python", "torch", "numpy"} <= set(versions)
    for package, version in versions.items():
        assert f"{package} {version}" in page
