"""The command ``show``: a saved result again, as a person or a script meets it."""

import json
import re
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import pytest

from ldp_core.checking import claims
from ldp_core.presentation.documents.context import WORDS
from ldp_core.reports import to_json
from ldp_core.studies import STUDIES
from ldp_core.studies.central import table
from tests.cli.commands import Refused, Run
from tests.helpers.claimed import BROKEN, KEPT, checked
from tests.presentation.test_takeaway import WRITERS, audit, reaches_out

pytestmark = pytest.mark.usefixtures("own_cache")


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
