"""What the page shows before a run is what its command writes."""

import json
from dataclasses import asdict

import pytest

from ldp_core.cli import main
from ldp_core.studies.utility import measured
from ldp_core.studies.utility.result import UtilityConfig, command


def test_it_is_what_the_page_proposes() -> None:
    assert asdict(measured.measured().config) == asdict(UtilityConfig((0.5, 1.0, 2.0, 4.0), seed=1, rounds=20))


@pytest.mark.nightly
def test_its_command_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    line = command(measured.measured().config).removeprefix("python -m ldp_core ").split()
    assert main([*line, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["curves"] == json.loads(measured.FILE.read_text("utf-8"))["curves"]
