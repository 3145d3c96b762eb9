"""The package: the core and its command line alone, which need no Streamlit, and one version that everything shows."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import ldp_core
from tests.helpers.places import ROOT
from tests.helpers.processes import ended, printed
from tests.house.test_architecture import imports

CORE = ROOT / "ldp_core"
BUILT_FROM = ("pyproject.toml", "README.md", "requirements-core.txt")
OPTIONAL = {"distributed", "ray", "opendp", "diffprivlib", "flwr", "opacus", "jax", "jax_privacy", "dp_accounting"}
"""Used where they are installed: clusters, and libraries whose mechanisms are tested."""


def requirements(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r"))]


def project(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    return found[0].lower()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package without network, in a copy: what setuptools leaves beside the source stays there."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in BUILT_FROM:
        shutil.copy(ROOT / name, source)
    shutil.copytree(CORE, source / "ldp_core", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "pages", "tests"):  # lie beside it in a clone, and must stay out
        (source / name).mkdir() if "." not in name else (source / name).touch()
        if (source / name).is_dir():
            (source / name / "__init__.py").touch()
    words = ["wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    done = ended([sys.executable, "-m", "pip", *words, "-w", str(out), str(source)])
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package's files alone into a folder; what it depends on is that of this environment."""
    target = tmp_path_factory.mktemp("installed")
    words = ["install", "-q", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", str(target)]
    done = ended([sys.executable, "-m", "pip", *words, str(wheel)])
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def run(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a foreign folder, in a process that cannot import Streamlit."""
    (folder / "none").mkdir()
    (folder / "none" / "streamlit.py").write_text("raise ImportError('this process has no Streamlit')\n")
    path = os.pathsep.join((str(folder / "none"), str(installed)))
    command = [sys.executable, str(installed / "bin" / "ldp-core"), *words]
    return ended(command, folder, PYTHONPATH=path, LDP_CACHE_DIR=str(folder / "cache"))


def test_the_wheel_holds_the_core_and_its_command_line_alone(wheel: Path) -> None:
    assert wheel.name == f"ldp_core-{ldp_core.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (facts,) = (name for name in names if name.endswith("METADATA"))
        metadata = Parser().parsestr(archive.read(facts).decode())
    info = f"ldp_core-{ldp_core.__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"ldp_core", info}
    sources = {str(path.relative_to(ROOT)) for path in CORE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert {name for name in names if name.startswith("ldp_core/")} == sources
    assert "ldp_core/py.typed" in sources
    assert (metadata["Name"], metadata["Version"]) == ("ldp-core", ldp_core.__version__)
    needed = sorted(project(line) for line in metadata.get_all("Requires-Dist", []))
    assert needed == sorted(project(line) for line in requirements("requirements-core.txt"))
    assert "streamlit" not in needed


def test_the_installed_command_runs_without_streamlit_and_takes_of_the_current_folder_a_vendor_s_module_alone(
    installed: Path, tmp_path: Path
) -> None:
    (tmp_path / "vendor.py").write_text("def randomize(gradient):\n    return gradient\n")
    (tmp_path / "argparse.py").write_text("raise SystemExit('a file of somebody else took our place')\n")
    words = "check vendor:randomize --epsilon 1 --dimension 4 --reports 5000 --seed 7"
    done = run(installed, tmp_path, *words.split(), "--json", "found.json", "--html", "found.html")
    assert done.returncode == 1, done.stderr
    assert json.loads((tmp_path / "found.json").read_text())["versions"]["ldp-core"] == ldp_core.__version__
    assert f"ldp-core {ldp_core.__version__}" in (tmp_path / "found.html").read_text(encoding="utf-8")


def test_the_package_depends_on_what_it_imports_and_on_nothing_else() -> None:
    used = set()
    for path in CORE.rglob("*.py"):
        used |= {name.partition(".")[0] for name in imports(ast.parse(path.read_text()), inside_functions=True)}
        used |= set(re.findall(r'_lazy\.function\("(\w+)', path.read_text()))
    outside = used - set(sys.stdlib_module_names) - {"ldp_core"} - OPTIONAL
    projects = {"skimage": "scikit-image", "sklearn": "scikit-learn", "PIL": "pillow"}
    assert {projects.get(name, name) for name in outside} == {
        project(line) for line in requirements("requirements-core.txt")
    }


def example() -> str:
    """Return the lines of the package's docstring that a notebook would have."""
    block = str(ldp_core.__doc__).partition("::\n")[2].partition("\nThe folders")[0]
    return textwrap.dedent(block).strip()


@pytest.mark.nightly
def test_the_examples_in_the_package_s_docstring_and_in_the_readme_run_as_they_stand(tmp_path: Path) -> None:
    """In a process of its own, as a notebook is: what is checked runs in forked copies of it."""
    assert 8 <= len([line for line in example().splitlines() if line]) <= 12
    readme = (ROOT / "README.md").read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    said = printed(f"{example()}\n{readme}", LDP_CACHE_DIR=str(tmp_path))
    right, epsilon, *cells, checked, short = said.splitlines()
    assert re.fullmatch(r"right: 0\.\d{3}, promise: at most 0\.731", right)
    assert re.fullmatch(r"epsilon: at least \d\.\d\d, claim_not_rejected", epsilon)
    assert [line.rsplit(" ", 1)[0] for line in cells] == ["label-flip 1.0", "label-flip 4.0", "dummy 1.0", "dummy 4.0"]
    assert checked == "claim_rejected", "an update that is sent as it is"
    assert epsilon.endswith(short), "the README's lines are the first of them"
