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


def found(program: str) -> str:
    """Return the path of a program; skip by name without it."""
    path = shutil.which(program)
    if path is None:
        pytest.skip(f"there is no {program} on this machine")
    return path


def javascript(sigma: float, clip_norm: float = 1.0) -> list[str]:
    return [found("node"), str(HERE / "gaussian.js"), repr(sigma), repr(clip_norm)]


def perl(epsilon: float, clip_norm: float = 1.0) -> list[str]:
    return [found("perl"), str(HERE / "randomized_response.pl"), repr(epsilon), repr(clip_norm)]


def faulty(fault: str) -> list[str]:
    return [sys.executable, str(HERE / "faults.py"), fault]
