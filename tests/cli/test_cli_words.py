"""What the commands print about a run: the line that repeats it, and the words for how far the model was trained."""

import shlex
from pathlib import Path

import pytest

from ldp_core.cli import main, parsed
from ldp_core.studies.audit import command as audit
from ldp_core.studies.compare import command as compare

pytestmark = pytest.mark.usefixtures("own_cache")

SMALL = {
    "audit": ["audit", "--training", "none", "--trials", "100", "--measurements", "1",
              "--epsilon", "0.30000000000000004", "--strength", "0.7", "--confidence", "0.999999999", "--watch"],
    "compare": ["compare", "--attacks", "dummy,benign", "--epsilons", "0.30000000000000004,2", "--training", "none",
                "--trials", "100", "--measurements", "1", "--confidence", "0.999999999", "--tests", "white,black"],
}  # fmt: skip
CONFIGS = {"audit": audit.COMMAND.config_of, "compare": compare.COMMAND.config_of}


@pytest.mark.parametrize("command", SMALL)
def test_the_repeat_line_can_be_pasted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data_dir: Path, command: str
) -> None:
    """It is the last line and nothing else is in it; a shell reads it as the same run with the same folder."""
    folder = tmp_path / "it's here; $HOME"
    folder.symlink_to(data_dir)
    words = [*SMALL[command], "--dataset", "mnist", "--data-dir", str(folder)]
    assert main(words) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    again = shlex.split(line)
    assert again[:4] == ["python", "-m", "ldp_core", command]
    repeated = parsed(again[3:])
    first = parsed([*words, "--seed", str(repeated.seed)])
    assert CONFIGS[command](repeated) == CONFIGS[command](first)  # type: ignore[operator]
    assert repeated.data_dir == folder
