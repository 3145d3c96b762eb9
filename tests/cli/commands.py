"""The command line's own words."""

import contextlib
import io

import pytest

from ldp_core.cli import parsed


def help_of(command: str) -> str:
    """Return what ``COMMAND --help`` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit):
        parsed([command, "--help"])
    return out.getvalue()
