"""What the commands write: found impossible before the run, and complete whoever reads the output."""

import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import pytest

from ldp_core import results, terminal
from ldp_core.cli import main
from ldp_core.studies.compare import exports
from tests.cli.commands import Refused, Run
from tests.cli.test_cli_numbers import PLAIN, command_parser
from tests.helpers.patience import PATIENCE
from tests.presentation.test_takeaway import WRITERS

pytestmark = pytest.mark.usefixtures("own_cache")

QUICK = {
    "audit": ["audit", "--training", "none", "--trials", "100", "--measurements", "1", "--seed", "7"],
    "compare": ["compare", "--attacks", "dummy", "--epsilons", "1", "--training", "none", "--trials", "100",
                "--measurements", "1", "--seed", "7"],
    "utility": ["utility", "--epsilons", "4", "--clients", "20", "--rounds", "1", "--seed", "7"],
    "training-path": ["training-path", "--attacks", "dummy", "--passes", "0", "--measurements", "2", "--seed", "7"],
    "story": ["story", "--reports", "10", "--seed", "7"],
    "show": ["show"],
    "reconstruct": ["reconstruct", "--attacker", "linear", "--pictures", "2", "--public", "100", "--seed", "7"],
    "capacity": ["capacity", "--parts", "compression", "--public", "200", "--pictures", "2", "--seed", "7"],
    "plane": ["plane", "--points", "sgd", "--members", "20", "--passes", "1", "--shadows", "0", "--pictures", "2",
              "--public", "200", "--timings", "0", "--seed", "7"],
    "trust": ["trust", "--games", "100", "--seed", "7"],
    "central": ["central", "--law", "--games", "20", "--seed", "7"],
}  # fmt: skip
READ_ONLY = {"--data-dir", "--responses", "--replies", "file", "folder", "--command", "--inputs", "--message-file"}
"""Options that name files or folders that are only read; ``check`` reads ``--key``, too, which ``challenge`` writes."""


def written(command: argparse.ArgumentParser, name: str) -> list[str]:
    """Return the options of a command whose files or folders it writes."""
    named = [
        (action.option_strings or [action.dest])[0]
        for action in command._actions
        if action.type is Path or action.metavar in ("FILE", "FOLDER")
    ]
    return [option for option in named if option not in READ_ONLY and (name, option) != ("check", "--key")]


FILES = {name: written(command_parser(name), name) for name in PLAIN}


def quick(command: str, folder: Path) -> list[str]:
    """Return a command that takes a moment."""
    if command != "show":
        return list(QUICK[command])
    make, write = WRITERS["audit"]
    (folder / "saved.json").write_text(write(make()), encoding="utf-8")
    return ["show", str(folder / "saved.json")]


def wanted(command: str, folder: Path) -> dict[str, Path]:
    """Return where each option's file is to be."""
    names = {"--json": "result.json", "--html": "page.html", "--export": "cells.csv", "--store": "run.sqlite",
             "--figures": "figures"}  # fmt: skip
    return {option: folder / names[option] for option in FILES[command] if option in names}


SLOW = ("trust", "capacity")
"""By day all other commands end in the same steps."""


def closed_pipe() -> IO[str]:
    """Return the writing end of a pipe that nobody reads."""
    read, written = os.pipe()
    os.close(read)
    return os.fdopen(written, "w")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(pytest.param(name, "file", marks=pytest.mark.nightly if name in SLOW else ()) for name in QUICK),
        ("compare", "-"),
    ],
)
def test_files_are_complete_where_nobody_reads_the_output(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, option: str
) -> None:
    files = wanted(command, tmp_path)
    if command == "compare":
        files.pop("--figures")  # a minute of pictures
    if option == "-":
        files.pop("--json")
    words = [word for name, path in files.items() for word in (name, str(path))]
    words += ["--json", "-"] if option == "-" else []
    with closed_pipe() as nobody:
        monkeypatch.setattr(sys, "stdout", nobody)
        assert main([*quick(command, tmp_path), *words]) == 2
    err = capsys.readouterr().err
    assert "mistake in this program" not in err
    check_whole(command, files)


def check_whole(command: str, files: dict[str, Path]) -> None:
    """Fail unless all files are there to their ends."""
    for option, path in files.items():
        if option == "--json":
            content = path.read_bytes()
            assert json.loads(content) if command == "story" else results.read(content)
        elif option == "--html":
            assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")
        elif option == "--export":
            assert len(path.read_text().splitlines()) == 2
        elif option == "--figures":
            assert {one.suffix for one in path.iterdir()} == {".svg", ".pdf", ".png"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("option", ["--export", "--html"])
def test_a_file_that_fails_keeps_neither_the_others_nor_the_result_back(run: Run, tmp_path: Path, option: str) -> None:
    code, out, err = run(*QUICK["compare"], option, "/dev/full", "--json", tmp_path / "x.json")
    assert code == 2
    assert "No claim was rejected" in out
    assert f"error: {option} must name a file that can be written, got '/dev/full': No space left on device" in err
    assert exports.from_json((tmp_path / "x.json").read_bytes()).completed


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """Return a folder in which no file can be made, not even by root where there is one."""
    if Path("/proc/self").is_dir():
        return Path("/proc")
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    return folder


@pytest.mark.parametrize(("command", "option"), [(name, option) for name, each in FILES.items() for option in each])
def test_an_unwritable_place_is_found_before_the_run(
    refused: Refused, tmp_path: Path, closed: Path, command: str, option: str
) -> None:
    words = quick(command, tmp_path) if command == "show" else PLAIN[command]
    if command == "challenge":
        words = [
            *words[:3],
            *{"--out": ("--key", str(tmp_path / "k")), "--key": ("--out", str(tmp_path / "o"))}[option],
        ]
    place = closed / ("new/figures" if option == "--figures" else "none.csv")
    for name in (place, tmp_path / ("x" * 300)):
        before = sorted(tmp_path.iterdir())
        assert refused(*words, option, name, at_once=True).startswith(f"error: {option} must name a f")
        assert sorted(tmp_path.iterdir()) == before


def test_what_was_a_file_at_first_is_written_as_one_whatever_a_program_puts_in_its_place(tmp_path: Path) -> None:
    name, elsewhere = tmp_path / "check.json", tmp_path / "elsewhere"
    elsewhere.write_bytes(b"kept")
    for put in (os.mkfifo, lambda path: path.symlink_to(elsewhere)):
        terminal.check_writable("--json", str(name))
        name.unlink(missing_ok=True)
        put(name)
        terminal.write("--json", str(name), b"whole")
        assert not name.is_symlink()
        assert name.read_bytes() == b"whole"
    assert elsewhere.read_bytes() == b"kept"


def test_a_pipe_that_nobody_reads_hangs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that nobody opened, nor one that is full; one that is read gets all."""
    monkeypatch.setattr(terminal, "STREAM_SECONDS", 0.2)
    name, content = str(tmp_path / "pipe"), b"x" * 10**6
    os.mkfifo(name)
    with pytest.raises(ValueError, match="--json must name a file that can be written"):
        terminal.write("--json", name, content)
    reader = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(ValueError, match=r"nobody read on for 0\.2 seconds"):
        terminal.write("--json", name, content)
    os.close(reader)
    monkeypatch.setattr(terminal, "STREAM_SECONDS", PATIENCE)
    with ThreadPoolExecutor(1) as threads:
        got = threads.submit(Path(name).read_bytes)
        terminal.write("--json", name, content)
        assert got.result() == content
