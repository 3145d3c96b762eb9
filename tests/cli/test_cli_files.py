"""What the commands write, and how ``show`` shows it again: impossible places are found before the run."""

import argparse
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import IO

import pytest

from ldp_core import results, terminal
from ldp_core.checking import claims
from ldp_core.cli import main
from ldp_core.presentation.documents.context import WORDS
from ldp_core.reports import to_json
from ldp_core.studies import STUDIES
from ldp_core.studies.central import table
from ldp_core.studies.compare import exports
from tests.cli.commands import Refused, Run
from tests.cli.test_cli_numbers import PLAIN, command_parser
from tests.helpers.claimed import BROKEN, KEPT, checked
from tests.helpers.patience import PATIENCE
from tests.presentation.test_takeaway import WRITERS, audit, reaches_out

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
    assert exports.read((tmp_path / "x.json").read_bytes())[0].completed


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


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, files = tmp_path_factory.mktemp("saved"), {}
    for kind, (make, write) in WRITERS.items():
        files[kind] = folder / f"{kind}.json"
        files[kind].write_text(write(make()) + "\n", encoding="utf-8")
    return files


@pytest.fixture
def show(run: Run) -> Run:
    return partial(run, "show")


def test_a_table_of_server_s_noise_is_shown_again(show: Run, refused: Refused, tmp_path: Path) -> None:
    rows, file = table.measured()[:3], tmp_path / "table.json"
    report = {"schema": table.SCHEMA, "games": 500, "seed": 1, "rows": [asdict(row) for row in rows]}
    file.write_text(json.dumps(report))
    assert show(file)[:2] == (0, table.text_of(list(rows)) + "\n")
    assert json.loads(show(file, "--json", "-")[1]) == report
    assert show(file, "--html", tmp_path / "x.html")[0] == 2
    del report["rows"][0]["right"]
    file.write_text(json.dumps(report))
    assert "a table must be what central-table wrote" in refused("show", file)


def test_the_exit_code_is_the_run_s(show: Run, tmp_path: Path) -> None:
    for counts, code in (((731, 269, 270, 730), 0), ((900, 100, 100, 900), 1)):
        (tmp_path / "audit.json").write_text(to_json(audit(counts)))
        assert show(tmp_path / "audit.json")[:2] == (code, STUDIES["audit"].text(audit(counts)) + "\n")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("result", "code", "words"),
    [
        (checked(0.9), 0, "no proof"), (checked(1.4), 1, "Claim rejected"),
        (checked(0.9, KEPT, BROKEN), 1, "Broken, though the privacy test did not reject the claim"),
        (replace(checked(), looks=(), completed=False), 2, "Stopped before anything was found"),
        (replace(checked(0.9), completed=False), 2, "no proof"),
        (replace(checked(0.9, BROKEN), looks=(), completed=False), 1, "its reports cannot be judged"),
    ],
)  # fmt: skip
def test_a_check_is_shown_with_its_exit_code(
    show: Run, tmp_path: Path, result: claims.CheckResult, code: int, words: str
) -> None:
    file, page = (tmp_path / name for name in ("check.json", "check.html"))
    file.write_text(claims.to_json(result), encoding="utf-8")
    found, out, _ = show(file, "--html", page)
    assert (found, out) == (code, STUDIES["check"].text(result) + "\n")
    assert words in out
    assert words in page.read_text(encoding="utf-8")


def test_a_run_writes_its_page_and_the_same_page_is_written_from_its_file(run: Run, show: Run, tmp_path: Path) -> None:
    words = ["audit", "--training", "none", "--trials", "200", "--measurements", "1", "--seed", "7"]
    assert run(*words, "--html", tmp_path / "run.html", "--json", tmp_path / "run.json")[0] == 0
    assert show(tmp_path / "run.json", "--html", tmp_path / "again.html")[0] == 0
    run_page, again = ((tmp_path / name).read_text() for name in ("run.html", "again.html"))
    assert again.replace(f"<p>{WORDS['opened']}</p>\n", "") == run_page != again


def test_wrong_files_and_options_are_one_sentence(refused: Refused, saved: dict[str, Path], tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({"schema": "ldp-audit/1", "config": {"\x1b[31mred": 1}}))
    wrong = json.loads(saved["check"].read_text(encoding="utf-8"))
    wrong["looks"][0]["completed"] = False
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    for options, words in (
        ([tmp_path / "nothing.json"], "can be read"), ([tmp_path], "can be read"), ([bad], "be what this tool wrote"),
        ([saved["audit"], "--html", "-"], "--html must name a file"),
        ([saved["audit"], "--html", bad, "--json", bad], "different files"),
        ([saved["compare"], "--epsilon", "3"], "one of the comparison's"),
        ([saved["path"], "--epsilon", "99"], "0.01 to 30"),
        ([tmp_path / "wrong.json"], "completed must follow"),
    ):  # fmt: skip
        said = refused("show", *options, at_once=True)
        assert words in said
        assert "\x1b" not in said


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", WRITERS)
def test_a_saved_result_is_shown_and_drawn_again(show: Run, saved: dict[str, Path], tmp_path: Path, kind: str) -> None:
    code, out, err = show(saved[kind], "--json", "-")
    assert (code, out) == (0, saved[kind].read_text(encoding="utf-8"))
    assert "nothing was run" in err
    page, folder = tmp_path / "page.html", tmp_path / "figures"
    figures = () if kind == "compare" else ("--figures", folder)  # a minute of pictures that test_figures sees
    code, out, _ = show(saved[kind], "--html", page, *figures)
    assert code == 0
    assert re.search(r"Repeat[^:]*:\s+python -m ldp_core", out)
    document = page.read_text(encoding="utf-8")
    assert WORDS["opened"] in document
    assert reaches_out(document) == []
    assert not figures or {path.suffix for path in folder.iterdir()} == {".svg", ".pdf", ".png"}
