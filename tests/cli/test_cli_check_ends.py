"""How ``check`` begins and ends: what its exit code promises, the plan, and the line that repeats it."""

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from ldp_core.checking.claims import CheckConfig
from ldp_core.checking.exam import requests
from ldp_core.checking.subjects.files import write_challenge
from ldp_core.cli import parsed
from ldp_core.studies.check import ways as _ways
from ldp_core.terminal import conclude, emit
from tests.helpers import vendor

pytestmark = pytest.mark.usefixtures("own_cache")

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


def way_of(words: list[str]) -> _ways.Way:
    options = parsed(words)
    _ways.check_way(options)
    way = _ways.opened(options)
    way.subject.close()
    return way


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
        way = way_of(["check", *words])
        line = shlex.split(way.repeat)
        assert line[:4] == ["python", "-m", "ldp_core", "check"]
        assert "MECHANISM" not in line
        again = way_of(line[3:])
        assert (again.config, again.repeat) == (way.config, way.repeat)
        for word in words:
            assert word in line or word in way.repeat, word
        norms.append(way.config.report_norm)
    assert norms[:2] == [250.0 + 64, 1_000.0 + 5]  # a factory's own default is not overruled by ours
