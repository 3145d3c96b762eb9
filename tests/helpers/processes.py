"""Programs in processes of their own: run to their end, or to what they say."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT


def ended(
    words: Sequence[str], folder: Path = ROOT, given: str | None = None, patience: float = PATIENCE, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end in a folder, with such variables; our own modules can be imported."""
    return subprocess.run(
        words, cwd=folder, input=given, env=os.environ | {"PYTHONPATH": str(ROOT)} | environment, capture_output=True,
        text=True, check=False, timeout=patience,
    )  # fmt: skip


def printed(code: str, *words: str, folder: Path = ROOT, **environment: str) -> str:
    """Return what Python prints that carries out some code, which must not fail."""
    found = ended([sys.executable, "-c", code, *words], folder, **environment)
    assert found.returncode == 0, found.stderr
    return found.stdout


def interrupted(words: Sequence[str], mark: str, sent: signal.Signals, output: Path) -> tuple[int, str, str]:
    """Start the program, interrupt it when it says ``mark``, and return its exit code, output and last errors."""
    with (
        output.open("wb") as target,
        subprocess.Popen(
            [sys.executable, "-m", "ldp_core", *words], cwd=ROOT, stdout=target, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        ) as process,
    ):  # fmt: skip
        said = []
        for line in process.stderr:  # type: ignore[union-attr]
            said.append(line)
            if re.search(mark, line):
                os.killpg(process.pid, sent)  # as a terminal does it: to every process of the run
                break
        try:
            _, rest = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert re.search(mark, said[-1]), f"it ended before it said {mark}: {said[-5:]}"
    return process.returncode, output.read_text(), rest
