"""The command line's own words, and what it prints; the fixtures ``run`` and ``refused`` carry it out."""

import contextlib
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from ldp_core.cli import parsed

Run = Callable[..., tuple[int, str, str]]
Refused = Callable[..., str]


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
