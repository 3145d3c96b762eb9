"""The table of who may import whom, as data, held against the source."""

import ast
import functools
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import pytest

import ldp_core
from tests.helpers.processes import ended, printed

CORE = Path(ldp_core.__file__).parent
LAYERS: tuple[set[str], ...] = (
    {"errors", "_path", "_validate", "_lazy", "_version", "cache"},
    {"types", "randomness", "facts", "record"},
    {"private", "datasets", "statistics"},
    {"mechanisms", "detectors", "illustrate", "channels", "study"},
    {"learning", "adapters"},
    {"adversaries", "distinguishers"},
    {"words"},
    {"game", "workload", "reconstructions", "memberships", "central_adversaries"},
    {"reports"},
    {"checking"},
    {"presentation"},
    {"terminal"},
    {"studies"},
    {"results"},
    {"api", "cli", "flower"},
    {"__main__"},
    {"__init__"},
)
"""A module or folder may import from the layers above its own line; within a line nobody imports a neighbour."""
LATER = {"terminal": ("results", "studies")}
"""What is below in the table and imported all the same, inside a function: a command ends in writing its result, and
which study that belongs to is known to the registry only, which holds the commands."""
NEVER = {
    "checking/exam": ("mechanisms", "adversaries", "game"),
    "presentation/figures": ("game.cells", "learning", "private", "studies"),
    "presentation/tables": ("private", "learning"),
}
"""Folder -> what it may not import although it lies above."""


def may_import(module: str) -> set[str]:
    level = next(number for number, layer in enumerate(LAYERS) if module in layer)
    return set().union(*LAYERS[:level])


def row(table: Mapping[str, Iterable[str]], path: Path) -> set[str]:
    """Return the row of a file, or of the nearest folder that has one."""
    for place in (Path(name(path)), *Path(name(path)).parents):
        if str(place) in table:
            return set(table[str(place)])
    return set()


def module_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


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
            found |= {f"{module}.{alias.name}" for alias in node.names} if module in ("ldp_core", "pages") else {module}
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
        elif inside_functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += list(ast.iter_child_nodes(node))
    return found


@functools.cache
def imported_by(path: Path, *, inside_functions: bool = True) -> set[str]:
    return imports(tree_of(path), inside_functions=inside_functions)


def sources() -> list[Path]:
    return sorted(CORE.rglob("*.py"))


def name(path: Path) -> str:
    return str(path.relative_to(CORE))


def test_each_module_imports_only_what_its_row_allows_and_the_core_knows_no_streamlit() -> None:
    """What a function imports goes down, too."""
    for path, inside in product(sources(), (False, True)):
        module = module_of(path)
        allowed = may_import(module) | {module, *(LATER.get(module, ()) if inside else ())}
        for imported in imported_by(path, inside_functions=inside):
            package, _, rest = imported.partition(".")
            target = rest.partition(".")[0]
            wrong = f"{name(path)} must not import {imported}"
            assert package not in ("streamlit", "pages", "app", "tests"), wrong
            assert package != "ldp_core" or target in allowed, wrong
            never = () if inside or target == module else row(NEVER, path)
            assert not any(f"{rest}.".startswith(f"{part}.") for part in never), wrong


def test_no_study_knows_another() -> None:
    folders = {folder.name: folder for folder in (CORE / "studies").glob("*/")}
    for study, folder in folders.items():
        for path in folder.rglob("*.py"):
            for imported in imported_by(path):
                _, _, rest = f"{imported}.".partition("ldp_core.studies.")
                assert rest.partition(".")[0] not in set(folders) - {study}, f"{name(path)} must not import {imported}"


def test_the_table_names_every_module_once_and_no_other() -> None:
    assert sorted(module for layer in LAYERS for module in layer) == sorted({module_of(path) for path in sources()})
    assert [place for place in NEVER if not (CORE / place).exists()] == []


LIGHT = (
    *("types", "cache", "record", "reports", "illustrate", "words", "results", "api", "cli", "study"),
    *("adversaries", "mechanisms", "distinguishers", "detectors", "datasets", "adapters", "game.summary", "game.sweep"),
    *("presentation.figures", "presentation.figures.paper", "presentation.tables", "presentation.documents"),
    *("studies", "studies.audit.configuration", "studies.compare.exports", "studies.compare.store", "game.backends"),
    *("checking.claims", "checking.subjects", "game.advice"),
    *("statistics.estimates", "statistics.intervals", "statistics.theory"),
    *("statistics.views", "statistics.amplification", "studies.trust.report", "studies.detect.report"),
)


def test_importing_them_loads_neither_torch_nor_streamlit() -> None:
    """One after another in a process of their own: the first that loads one of these is named, and all after it."""
    code = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    importlib.import_module(f'ldp_core.{name}')\n"
        "    for loaded in {'torch', 'torchvision', 'streamlit'} & set(sys.modules):\n"
        "        print(name, loaded)\n"
    )
    assert printed(code, *LIGHT) == ""


def test_no_page_can_run_a_stranger_s_code() -> None:
    """A module or a program of somebody else's is named on the command line only, never in a field of a browser."""
    parts = ("python", "command", "_child", "_guard", "_process", "_remote", "_start", "_workers", "reach")
    ways = (
        "ldp_core.flower",
        "ldp_core.checking.apps",
        "ldp_core.checking.trainings",
        *(f"ldp_core.checking.subjects.{part}" for part in parts),
    )
    forbidden = ("ldp_core.api", *ways)
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
        if path.name == "registry.py":  # it imports the folders that the registry of studies names
            named -= {"importlib.import_module"}
        assert not [one for one in named if one.startswith((*forbidden, *runners)) or one in named_alone], path


PAGES = CORE.parent / "pages"
TESTS = CORE.parent / "tests"
PARTS = ("server", "jobs", "state", "frame", "widgets")
"""What several pages share, the lowest first: each may import from those before it, and the registry from ``jobs``."""
_ENTRIES = {"frame/main.py", "registry.py"}


def pages() -> list[tuple[str, Path]]:
    return [(str(path.relative_to(PAGES)), path) for path in sorted(PAGES.rglob("*.py"))]


def test_a_page_knows_what_is_shared_and_no_other_page() -> None:
    for place, path in pages():
        folder = Path(place).parts[0]
        allowed = PARTS[: PARTS.index(folder) + 1] if folder in PARTS else (*PARTS, folder)
        for imported in imported_by(path):
            parts = imported.split(".")
            if place not in _ENTRIES and parts[0] == "pages" and len(parts) > 1 and parts[1] != "registry":
                assert parts[1] in allowed, f"{place} must not import {imported}"


def test_no_folder_is_a_heap() -> None:
    heaps = {}
    for root in (CORE, PAGES, TESTS):
        for folder in {path.parent for path in root.rglob("*.py")}:
            modules = len(list(folder.glob("*.py")))
            if modules > 18:
                heaps[str(folder.relative_to(CORE.parent))] = modules
    assert heaps == {}


_HISTORY = "state/history.py"


def test_pages_read_nothing_of_streamlit_s_insides() -> None:
    """With one exception, whose own test says that it is there: whether a visitor went back in the history."""
    insides = ("streamlit.runtime", "streamlit.proto", "streamlit.web", "google.protobuf")
    found = {
        (place, imported) for place, path in pages() for imported in imported_by(path) if imported.startswith(insides)
    }
    assert found == {(_HISTORY, "streamlit.runtime.scriptrunner")}


def test_pages_neither_ask_for_a_drawing_nor_read_a_button() -> None:
    """A button acts in its callback (``state/callbacks.py``); one empty part has a timer, and none of its own doing."""
    for place, path in pages():
        tree = tree_of(path)
        parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            assert called != "st.rerun", place
            assert not called.endswith((".form_submit_button", ".chat_input")), place
            given = {keyword.arg for keyword in node.keywords}
            assert "run_every" not in given or place == "widgets/views.py", place
            if called.endswith("st.button"):
                assert "on_click" in given, place
                assert isinstance(parents[node], ast.Expr), f"{place} reads a button"


def test_pages_do_no_arithmetic_and_are_layout_alone() -> None:
    for place, path in pages():
        tree = tree_of(path)
        packages = {imported.partition(".")[0] for imported in imported_by(path)}
        assert not packages & {"torch", "numpy", "scipy"}, place
        if path.name == "page.py":
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 120, place
            sums = [
                node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitOr)
            ]
            assert not sums, place


def test_the_top_level_holds_what_the_readme_says() -> None:
    """A result that a test or a person wrote there was committed once."""
    told = ended(["git", "ls-files"])
    if told.returncode:
        pytest.skip("this is no clone")
    top = {line.split("/")[0] for line in told.stdout.splitlines()}
    settings = {name for name in top if name.startswith((".", "requirements")) or name == "pyproject.toml"}
    assert top - settings == {"README.md", "app.py", "ldp_core", "pages", "tests"}
