"""The command line's own words."""

import contextlib
import io

import pytest

from ldp_core.cli import parser


def help_of(command: str) -> str:
    """Return what ``COMMAND --help`` prints."""
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit):
        parser().parse_args([command, "--help"])
    return out.getvalue()
