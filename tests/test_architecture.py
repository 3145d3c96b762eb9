"""The table of who may import whom, as data, held against the source."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ldp_core
from ldp_core.adversaries import ADVERSARIES
from ldp_core.datasets import DATASETS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.mechanisms import MECHANISMS

CORE = Path(ldp_core.__file__).parent
CATALOGUES = ("adversaries", "mechanisms", "distinguishers")
ALL = {"errors", "_validate", "types", "estimates", "theory", "cache", "models", "datasets", "gradients"} | {
    "summary", "figures", "reports", "streams", "trials", "audit", *CATALOGUES,
}  # fmt: skip
# module: (modules of the core, packages from outside that it may import when it is itself imported)
MAY_IMPORT: dict[str, tuple[set[str], set[str]]] = {
    "errors": (set(), set()),
    "_validate": (set(), set()),
    "types": ({"_validate"}, set()),
    "estimates": ({"_validate", "types"}, {"numpy", "scipy"}),
    "theory": ({"_validate", "types", "estimates"}, {"numpy", "scipy"}),
    "cache": ({"errors", "_validate"}, set()),
    "gradients": ({"types"}, {"torch"}),
    "streams": ({"_validate"}, {"torch", "numpy"}),
    "models": ({"errors", "_validate", "types", "cache"}, {"torch"}),
    "datasets": ({"errors", "_validate", "types", "cache"}, set()),
    "summary": ({"types", "estimates", "theory"}, set()),
    "figures": ({"types", "estimates", "theory", "summary"}, {"plotly"}),
    "reports": ({"types", "estimates", "theory", "summary", "_validate"}, set()),
    "adversaries": ({"types", "errors", "_validate", "gradients", "models"}, {"torch"}),
    "mechanisms": ({"types", "errors", "_validate", "streams"}, {"torch"}),
    "distinguishers": ({"types", "errors", "_validate"}, {"torch"}),
    "trials": ({"types", "errors", "_validate", "streams"}, {"torch"}),
    "audit": (ALL - {"audit", "figures", "reports"}, {"torch"}),
    "cli": ({"cache", "errors", "reports", "summary", "types", "_validate"}, set()),
    "__main__": ({"cli"}, set()),
    "__init__": (set(), set()),
}


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
    assert module in MAY_IMPORT, f"{module} is missing from the table"
    core, outside = MAY_IMPORT[module]
    for imported in imports(ast.parse(path.read_text()), inside_functions=False):
        package, _, rest = imported.partition(".")
        if package == "ldp_core":
            target = rest.partition(".")[0]
            if module in CATALOGUES and target == module:
                continue
            assert target in core, f"{module} must not import {target}"
        elif package not in sys.stdlib_module_names:
            assert package in outside, f"{module} must not import {package}"


@pytest.mark.parametrize("path", sources(), ids=name)
def test_no_module_of_the_core_knows_streamlit_or_pages_or_tests(path: Path) -> None:
    packages = {imported.partition(".")[0] for imported in imports(ast.parse(path.read_text()), inside_functions=True)}
    assert not packages & {"streamlit", "pages", "app", "tests"}


def test_the_table_has_no_cycle_and_no_row_without_a_module() -> None:
    existing = {module_of(path) for path in sources()}
    assert set(MAY_IMPORT) == existing
    placed: set[str] = set()
    while waiting := set(MAY_IMPORT) - placed:
        ready = {module for module in waiting if MAY_IMPORT[module][0] <= placed}
        assert ready, f"a cycle among {sorted(waiting)}"
        placed |= ready


def test_the_check_sees_a_forbidden_import() -> None:
    text = (
        "import torch.nn\nfrom ldp_core import audit\nif TYPE_CHECKING:\n    import plotly\n"
        "try:\n    import scipy\nexcept ImportError:\n    pass\n"
        "def f():\n    import streamlit\n"
    )
    tree = ast.parse(text)
    assert imports(tree, inside_functions=False) == {"torch.nn", "ldp_core.audit", "scipy"}
    assert "streamlit" in imports(tree, inside_functions=True)


@pytest.mark.parametrize("module", ["types", "estimates", "theory", "cache", "summary", "reports", "figures", "cli"])
def test_importing_it_loads_neither_torch_nor_streamlit(module: str) -> None:
    """In a process of its own: what this one has loaded proves nothing."""
    code = f"import ldp_core.{module}, sys; print(sorted({{'torch', 'torchvision', 'streamlit'}} & set(sys.modules)))"
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=CORE.parent, capture_output=True, text=True, check=True, timeout=120
    )
    assert finished.stdout.strip() == "[]"


def test_importing_the_audit_loads_neither_torchvision_nor_scikit_learn() -> None:
    code = "import ldp_core.audit, sys; print(sorted({'torchvision', 'sklearn', 'plotly'} & set(sys.modules)))"
    finished = subprocess.run(
        [sys.executable, "-c", code], cwd=CORE.parent, capture_output=True, text=True, check=True, timeout=120
    )
    assert finished.stdout.strip() == "[]"


def test_registries_list_each_part_under_its_own_name() -> None:
    for registry in (ADVERSARIES, MECHANISMS, DISTINGUISHERS):
        assert registry
        assert all(part.name == key for key, part in registry.items())
        assert len({type(part) if not isinstance(part, type) else part for part in registry.values()}) == len(registry)
    assert set(DATASETS) == {"digits", "mnist"}


@pytest.mark.parametrize("folder", CATALOGUES)
def test_a_catalogue_is_a_folder_where_one_more_can_be_added(folder: str) -> None:
    """Each entry is a file that no other entry needs (a demonstration mechanism may build on the one it breaks)."""
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
        assert neighbours <= ({"ldp_sgd"} if path.stem == "overclaiming" else set())
