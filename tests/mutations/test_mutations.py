"""Every fault of the list still fits the product, and its test is there; by night, every one is caught."""

import ast
from collections import Counter
from pathlib import Path

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
    marks = [ast.unparse(mark) for mark in found[0].decorator_list]
    assert any(mark == "pytest.mark.nightly" for mark in marks) <= bool(mutation.nightly)


def test_the_list_is_long_and_covers_every_area() -> None:
    areas = Counter(mutation.area for mutation in LIST)
    assert len(LIST) >= 60
    assert set(areas) == set(AREAS)
    assert min(areas.values()) >= 5
    assert len({(mutation.file, mutation.old, mutation.new) for mutation in LIST}) == len(LIST)


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> tuple[Scratch, Outcome]:
    scratch = Scratch(Path(tmp_path_factory.mktemp("mutations")))
    tests = sorted({mutation.test for mutation in LIST})
    return scratch, scratch.run(tests, "-m", "not soak", keep_bytecode=True)


@pytest.mark.nightly
@pytest.mark.parametrize("mutation", LIST, ids=lambda mutation: mutation.name)
def test_the_fault_is_caught(mutation: Mutation, tried: tuple[Scratch, Outcome]) -> None:
    scratch, before = tried
    if not {mutation.test} & (before.passed | before.failed):
        pytest.skip(f"{mutation.test} is skipped on this machine")
    with scratch.fault(mutation):
        after = scratch.run([mutation.test], *(("-m", "not soak") if mutation.nightly else ()))
    assert not (reason := verdict(mutation, before, after)), reason
