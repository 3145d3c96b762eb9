"""What the README and those beside the tests say is so: commands, paths, the tree, names, and the picture."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from ldp_core import cli
from ldp_core.adversaries import ATTACKS
from ldp_core.game.sweep import TESTS
from ldp_core.mechanisms import MECHANISMS
from ldp_core.studies.audit.command import COMMAND
from ldp_core.studies.compare.command import COMMAND as COMPARE
from pages import registry
from tests.helpers.places import ROOT
from tests.helpers.words import en

README = (ROOT / "README.md").read_text(encoding="utf-8")
READMES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", *sorted((ROOT / "tests").rglob("README.md"))]
}
ALL = "\n".join(READMES.values())


def section(title: str) -> str:
    """Return the text below a heading, up to the next one."""
    _, _, rest = README.partition(f"\n## {title}\n")
    assert rest, f"the README has no section {title!r}"
    return rest.partition("\n## ")[0]


def first_block(title: str) -> str:
    return section(title).split("```")[1].partition("\n")[2].rstrip()


def commands() -> list[str]:
    """Return what the READMEs say to type of the command line, installed or from a clone."""
    return sorted(set(re.findall(r"(?m)(?:^|`)((?:ldp-core|python -m ldp_core) [a-z-]+ [^`\n]*)", ALL)))


def words_of(line: str) -> list[str]:
    return shlex.split(line.removeprefix("ldp-core ").removeprefix("python -m ldp_core "))


def tree_paths() -> list[str]:
    """Return the paths in the README's tree; two spaces of indentation are one folder."""
    paths, folders = [], list[str]()
    for line in first_block("How it is built").splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        names = re.split(r"\s{2,}", line.strip())[0].split(", ")
        paths += ["/".join([*folders[:depth], name.rstrip("/")]) for name in names]
        if names[0].endswith("/"):
            folders[depth:] = [names[0].rstrip("/")]
    return paths


@pytest.mark.parametrize("path", tree_paths())
def test_every_path_of_the_tree_exists(path: str) -> None:
    assert (ROOT / path).exists()


def test_every_module_of_the_core_is_in_the_tree() -> None:
    present = {path.name for path in (ROOT / "ldp_core").glob("[!_]*")}
    missing = {name for name in present if f"ldp_core/{name}" not in tree_paths()}
    assert missing <= {"errors.py", "py.typed"}


def test_the_ci_script_runs_the_test_command_and_nothing_of_the_night() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.splitlines().count(first_block("Test it")) == 1
    assert [word for word in ("nightly", "soak", "known_fault") if word in script] == []
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


@pytest.mark.parametrize(
    ("code", "failed", "again", "ends"),
    [(0, 0, 0, 0), (1, 2, 0, 0), (1, 10, 0, 0), (1, 2, 1, 1), (1, 2, 5, 1), (1, 11, 0, 1), (1, 0, 0, 1), (2, 1, 0, 2)],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_ci_script_repeats_a_few_failed_tests_and_is_red_for_all_else(
    tmp_path: Path, code: int, failed: int, again: int, ends: int
) -> None:
    """With stand-ins for the README's command and for pytest; none failed with code 1: ruff or mypy ended it."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    rest = script[script.index("failed=.pytest_cache") :].replace(first_block("Test it"), "readme")
    names = {f"tests/test_a.py::test_{number}": True for number in range(failed)}
    kept = ".pytest_cache/v/cache"
    writes = f"mkdir -p {kept}; echo '{json.dumps(names)}' > {kept}/lastfailed; " if failed else ""
    for name, lines in (("readme", f"{writes}exit {code}"), ("pytest", f'echo "again: $*"; exit {again}')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{lines}\n")
        (tmp_path / name).chmod(0o755)
    ended = subprocess.run(
        ["bash", "-c", f"set -euo pipefail\nMOST=10\n{rest}"], cwd=tmp_path, text=True, check=False,
        capture_output=True, env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert ended.returncode == ends, ended.stderr
    assert ("again: --last-failed" in ended.stdout) == (code == 1 and 1 <= failed <= 10)
    named = [f"UNSTABLE {name}" for name in names] if code == 1 and ends == 0 else []
    assert [line for line in ended.stdout.splitlines() if line.startswith("UNSTABLE")] == named


@pytest.mark.parametrize("title", ["Run it", "Test it"])
def test_every_file_that_a_command_names_exists(title: str) -> None:
    words = first_block(title).split()
    named = [word for word in words if word.endswith((".txt", ".py"))]
    assert named
    assert all((ROOT / name).is_file() for name in named)


@pytest.mark.parametrize("line", commands())
def test_every_command_parses(line: str) -> None:
    assert cli.parsed(words_of(line)).run


def test_the_commands_of_an_audit_and_a_comparison_set_what_they_name() -> None:
    (audit,) = (line for line in commands() if words_of(line)[0] == "audit")
    config = COMMAND.config_of(cli.parsed(words_of(audit)))
    assert (config.attack, config.epsilon, config.seed, config.num_trials) == ("dummy", 1.0, 7, 10_000)
    (line,) = (line for line in commands() if words_of(line)[0] == "compare")
    options = cli.parsed(words_of(line))
    comparison = COMPARE.config_of(options)
    assert (comparison.attacks, comparison.epsilons, comparison.tests) == (ATTACKS, (0.5, 1.0, 2.0, 4.0), TESTS)
    assert (options.store, options.figures) == ("run.sqlite", Path("figures"))


def test_there_is_a_command_for_each_job() -> None:
    named = {
        words_of(line)[0] for line in re.findall(r"`(ldp-core [a-z-]+[^`]*)`", section("One command for each job"))
    }
    assert named == set(cli.DOES)


def test_the_readme_is_short_and_has_the_pages_in_the_words_of_the_menu() -> None:
    assert len(README.splitlines()) <= 200
    table = README.partition("| page | what it answers |\n")[2].partition("\n\n")[0]
    names = re.findall(r"(?m)^\| ([^|-][^|]*?) \|", table)
    titles = [getattr(en, page.title) for page in registry.pages().values() if page.title]
    assert names == [en.NAV_OVERVIEW, *titles]


@pytest.mark.parametrize("readme", sorted(READMES))
def test_every_path_that_is_named_exists(readme: str) -> None:
    text, folder = READMES[readme], (ROOT / readme).parent
    links = re.findall(r"\]\((?!http)([^)#]+)\)", text)
    paths = re.findall(r"`((?:tests|pages|ldp_core)/[\w./-]+)`", text)
    assert [name for name in links if not (folder / name).exists()] == []
    assert [name for name in paths if not (ROOT / name).exists()] == []


def test_the_recipe_for_ci_is_a_command_that_the_program_reads() -> None:
    (line,) = re.findall(r"(?m)^set -e\nldp-core (check .*)\n\./deploy$", README)
    options = cli.parsed(shlex.split(line))
    assert options.must_detect
    assert options.json == "check.json"


FAMILY = re.findall(r"(?m)^\| `([a-z0-9-]+)` (\|.*`l(?:2|inf)`.*)\|$", READMES["tests/benchmarks/README.md"])


def test_the_table_of_honest_mechanisms_has_all_of_them() -> None:
    assert [name for name, _ in FAMILY] == [name for name in MECHANISMS if name != "overclaiming"]
