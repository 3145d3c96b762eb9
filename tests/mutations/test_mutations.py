"""Every fault of the list still fits the product, and its test is there; by night, every one is caught."""

import ast
import importlib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.mutations import AREAS, ROOT, Mutation, Outcome, Scratch, mutations, verdict

LIST = list(mutations().values())


@pytest.mark.parametrize("mutation", LIST, ids=lambda mutation: mutation.name)
def test_the_edit_applies_and_its_test_exists(mutation: Mutation) -> None:
    assert mutation.area in AREAS
    assert mutation.wrong.endswith(".")
    edited = mutation.edited((ROOT / mutation.file).read_text(encoding="utf-8"))
    if mutation.file.endswith(".py"):
        ast.parse(edited)
    file, _, name = mutation.test.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    assert len(found) == 1, f"{file} has no test {name}"
    module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    assert by_day(module, name), f"{mutation.test} has no case left among the default tests"


def by_day(module: ModuleType, name: str) -> bool:
    """Return whether at least one case of a test runs by default."""

    def late(marks: Any) -> bool:
        return any(
            mark.name in ("nightly", "soak", "known_fault")
            for mark in (marks if isinstance(marks, Iterable) else [marks])
        )

    own = getattr(getattr(module, name), "pytestmark", [])
    if late(own) or late(getattr(module, "pytestmark", [])):
        return False
    values = [mark.args[1] for mark in own if mark.name == "parametrize"]
    return all(any(not late(getattr(value, "marks", ())) for value in each) for each in values)


def test_the_list_covers_every_area_and_repeats_nothing() -> None:
    assert {mutation.area for mutation in LIST} == set(AREAS)
    assert len({(mutation.file, mutation.old, mutation.new) for mutation in LIST}) == len(LIST)


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scratch, Outcome]:
    scratch = Scratch(Path(tmp_path_factory.mktemp("mutations")))
    tests = sorted({mutation.test for mutation in LIST})
    return scratch, scratch.run(tests, keep_bytecode=True)


@pytest.mark.nightly
@pytest.mark.parametrize("mutation", LIST, ids=lambda mutation: mutation.name)
def test_the_fault_is_caught(mutation: Mutation, tried: tuple[Scratch, Outcome]) -> None:
    scratch, before = tried
    if not {mutation.test} & (before.passed | before.failed):
        pytest.skip(f"{mutation.test} is skipped on this machine")
    with scratch.fault(mutation):
        after = scratch.run([mutation.test], "-x")
    assert not (reason := verdict(mutation, before, after)), reason
