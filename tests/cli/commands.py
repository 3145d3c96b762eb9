"""The command line in this process: what it prints, and its own words."""

import contextlib
import io
import json
from typing import Any

import pytest

from ldp_core.cli import main, parsed


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Carry out a command; return its exit code and what it printed on both streams."""
    code = main([*words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def help_of(command: str) -> str:
    """Return what ``COMMAND --help`` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit):
        parsed([command, "--help"])
    return out.getvalue()


def strict_json(text: str) -> Any:
    """Read JSON that holds no NaN and no infinity."""

    def refuse(name: str) -> float:
        raise AssertionError(f"{name} is not strict JSON")

    return json.loads(text, parse_constant=refuse)
