"""Programs and modules as somebody else may ship them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE

HERE = Path(__file__).resolve().parent


def compiled(folder: Path) -> str:
    """Return the C mechanism, compiled into a folder; skip by name without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler on this machine")
    program = folder / "ldp_sgd"
    subprocess.run([compiler, "-O2", "-o", str(program), str(HERE / "ldp_sgd.c"), "-lm"], check=True, timeout=PATIENCE)
    return str(program)


def faulty(fault: str) -> list[str]:
    return [sys.executable, str(HERE / "faults.py"), fault]
