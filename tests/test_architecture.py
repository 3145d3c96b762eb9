"""The table of who may import whom, as data, held against the source."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ldp_core
from ldp_core.adversaries import ADVERSARIES, ATTACKS, RECOMMENDED, has_strength
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import MECHANISMS
from tests.helpers.patience import PATIENCE

CORE = Path(ldp_core.__file__).parent
CATALOGUES = ("adversaries", "mechanisms", "distinguishers")
LAYERS: tuple[set[str], ...] = (
    {"errors", "_validate", "_lazy", "_version", "network"},
    {"types"},
    {"estimates", "cache", "private", "streams", "known_epsilons", "published", "facts"},
    {"theory", "gradients", "datasets", "coins"},
    {"models", "illustrate"},
    {"objectives", "mechanisms", "adversaries", "tallies"},
    {"distinguishers", "adapters"},
    {"summary"},
    {"server", "trials", "grid", "reports", "advice", "words", "configuration"},
    {"cells", "store", "studies", "claims"},
    {"tables", "checks"},
    {"prepare", "exports", "figures", "subjects"},
    {"audits", "federated", "training_path", "backends", "passes", "glimpse"},
    {"comparisons", "takeaway"},
    {"api", "cli"},
    {"__main__"},
    {"__init__"},
)
"""A module may import from the layers above its own line; within a line nobody imports a neighbour."""
NEVER = {
    "distinguishers": {"adversaries", "mechanisms"},
    "checks": {"mechanisms", "adversaries", "trials"},
    "figures": {"cells", "store", "server", "private"},
    "tables": {"private", "models"},
    "__init__": set().union(*LAYERS) - {"_version"},
}
_WITH_TORCH = (
    *("gradients", "models", "objectives", "server"),
    *("prepare", "audits", "federated", "training_path", "comparisons"),
)
OUTSIDE: dict[str, set[str]] = {
    "estimates": {"numpy"},
    "theory": {"numpy"},
    "tables": {"numpy"},
    "illustrate": {"numpy"},
    "distinguishers": {"numpy", "scipy"},
    "checks": {"torch", "numpy", "scipy", "threadpoolctl"},
    "subjects": {"torch", "numpy"},
    "figures": {"plotly", "matplotlib", "numpy"},
    "streams": {"numpy"},
    "mechanisms": {"numpy"},
    "mechanisms/faulty/_habits.py": {"torch"},
    "mechanisms/faulty/_noise.py": {"torch"},
    "adapters": {"numpy"},
    "coins": {"torch", "numpy"},
    "trials": {"torch", "numpy"},
    "tallies": {"torch", "numpy"},
    "cells": {"torch", "numpy"},
    "claims/power.py": {"numpy", "scipy"},
} | {module: {"torch"} for module in _WITH_TORCH}
"""Packages from outside that a module may import when it is itself imported; a file may have a row of its own."""


def may_import(module: str) -> set[str]:
    level = next(number for number, layer in enumerate(LAYERS) if module in layer)
    return set().union(*LAYERS[:level]) - NEVER.get(module, set())


def module_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def imports(tree: ast.AST, *, inside_functions: bool) -> set[str]:
    """Return dotted names imported; those that only the type checker sees are left out."""
    found, waiting = set(), [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the table"
            module = node.module or ""
            found |= {f"{module}.{alias.name}" for alias in node.names} if module == "ldp_core" else {module}
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
        elif inside_functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += list(ast.iter_child_nodes(node))
    return found


def sources() -> list[Path]:
    return sorted(CORE.rglob("*.py"))


def name(path: Path) -> str:
    return str(path.relative_to(CORE))


@pytest.mark.parametrize("path", sources(), ids=name)
def test_module_imports_only_what_its_row_allows(path: Path) -> None:
    module = module_of(path)
    assert any(module in layer for layer in LAYERS), f"{module} is missing from the table"
    core, outside = may_import(module), OUTSIDE.get(name(path), OUTSIDE.get(module, set()))
    for imported in imports(ast.parse(path.read_text()), inside_functions=False):
        package, _, rest = imported.partition(".")
        if package == "ldp_core":
            target = rest.partition(".")[0]
            if target == module:
                continue  # within a folder
            assert target in core, f"{module} must not import {target}"
        elif package not in sys.stdlib_module_names:
            assert package in outside, f"{module} must not import {package}"


@pytest.mark.parametrize("path", sources(), ids=name)
def test_no_module_of_the_core_knows_streamlit_or_pages_or_tests(path: Path) -> None:
    packages = {imported.partition(".")[0] for imported in imports(ast.parse(path.read_text()), inside_functions=True)}
    assert not packages & {"streamlit", "pages", "app", "tests"}


def test_the_table_names_every_module_once_and_no_other() -> None:
    assert sorted(module for layer in LAYERS for module in layer) == sorted({module_of(path) for path in sources()})
    assert {row for row in OUTSIDE if "/" not in row} | set(NEVER) <= set().union(*LAYERS)


def test_the_check_sees_a_forbidden_import() -> None:
    text = (
        "import torch.nn\nfrom ldp_core import audit\nif TYPE_CHECKING:\n    import plotly\n"
        "try:\n    import scipy\nexcept ImportError:\n    pass\n"
        "def f():\n    import streamlit\n"
    )
    tree = ast.parse(text)
    assert imports(tree, inside_functions=False) == {"torch.nn", "ldp_core.audit", "scipy"}
    assert "streamlit" in imports(tree, inside_functions=True)


@pytest.mark.parametrize(
    "module",
    [
        *("types", "estimates", "theory", "cache", "summary", "reports", "figures", "figures.paper", "cli", "grid"),
        *("distinguishers", "store", "tables", "studies", "exports", "backends", "datasets"),
        *("illustrate", "takeaway", "glimpse", "claims", "subjects", "adapters", "advice", "adversaries", "mechanisms"),
        *("words", "configuration", "api"),
    ],
)
def test_importing_it_loads_neither_torch_nor_streamlit(module: str) -> None:
    """In a process of its own: what this one has loaded proves nothing."""
    code = f"import ldp_core.{module}, sys; print(sorted({{'torch', 'torchvision', 'streamlit'}} & set(sys.modules)))"
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=CORE.parent, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert finished.stdout.strip() == "[]"


def test_no_page_can_run_a_stranger_s_code() -> None:
    """A module or a program of somebody else's is named on the command line only, never in a field of a browser."""
    parts = ("python", "command", "_child", "_guard", "_process", "_remote", "_start", "_workers")
    forbidden = ("ldp_core.api", *(f"ldp_core.subjects.{part}" for part in parts))
    runners = ("importlib.import_module", "importlib.util", "runpy", "subprocess")
    paths = [CORE.parent / "app.py", *(CORE.parent / "pages").rglob("*.py")]
    assert len(paths) > 20
    for path in paths:
        nodes, named = list(ast.walk(ast.parse(path.read_text()))), set[str]()
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                folder = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
                named |= {folder + alias.name for alias in node.names}
        named_alone = {"importlib", "ldp_core", "ldp_core.check"}
        assert not [one for one in named if one.startswith((*forbidden, *runners)) or one in named_alone], path


def test_importing_the_audit_loads_neither_torchvision_nor_scikit_learn() -> None:
    code = "import ldp_core.audits, sys; print(sorted({'torchvision', 'sklearn', 'plotly'} & set(sys.modules)))"
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=CORE.parent, capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert finished.stdout.strip() == "[]"


def test_registries_list_each_part_under_its_own_name() -> None:
    for registry in (ADVERSARIES, MECHANISMS, DISTINGUISHERS):
        assert registry
        assert all(part.name == key for key, part in registry.items())
        assert len({type(part) if not isinstance(part, type) else part for part in registry.values()}) == len(registry)
    assert tuple(DATASETS) == ("digits", "mnist", "fashion-mnist", "cifar10", "svhn", "own")
    assert (
        *("benign", "input-perturbation", "label-flip", "parameter-retrogression", "gradient-flip", "collusion"),
        "dummy",
    ) == ATTACKS
    assert {attack for attack in ATTACKS if has_strength(attack)} == {
        *("input-perturbation", "parameter-retrogression", "dummy"),
    }
    assert {adversary.paper_rule for adversary in ADVERSARIES.values()} <= set(DISTINGUISHERS)
    assert RECOMMENDED in ADVERSARIES


@pytest.mark.parametrize("folder", CATALOGUES)
def test_a_catalogue_is_a_folder_where_one_more_can_be_added(folder: str) -> None:
    """Each entry is a file that no other entry needs (a mechanism may build on LDP-SGD, whose form others share)."""
    files = {path.stem for path in (CORE / folder).glob("*.py")} - {"__init__"}
    for path in (CORE / folder).glob("*.py"):
        if path.stem == "__init__":
            continue
        neighbours = {
            imported.rpartition(".")[2]
            for imported in imports(ast.parse(path.read_text()), inside_functions=True)
            if imported.startswith(f"ldp_core.{folder}.")
        }
        assert neighbours <= files
        helpers = {name for name in neighbours if name.startswith("_")}
        assert neighbours - helpers <= ({"ldp_sgd"} if folder == "mechanisms" else set())
