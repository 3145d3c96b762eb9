"""Interrupts at random moments of every command that starts a process: one sentence, exit code 2, no process left."""

import contextlib
import importlib
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ldp_core.terminal import heed_interrupts
from tests.checking.test_subjects_command import gone
from tests.helpers.patience import PATIENCE, until
from tests.helpers.places import ROOT

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
def test_an_interrupt_at_any_moment_ends_in_one_sentence_and_leaves_nothing(
    tmp_path: Path, name: str, seed: int
) -> None:
    (tmp_path / "slow.py").write_text(_SLOW)
    (tmp_path / "pids").touch()
    draws = random.Random(f"{name} {seed}")
    words = [sys.executable, "-P", "-m", "ldp_core", *shlex.split(COMMANDS[name])]
    with subprocess.Popen(
        words, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as running:  # fmt: skip
        assert running.stderr is not None
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
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        heed_interrupts()
        assert importlib.import_module(name).whole
        with pytest.raises(KeyboardInterrupt):
            time.sleep(PATIENCE)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
