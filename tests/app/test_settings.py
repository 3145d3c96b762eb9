"""Settings whose loss would be a leak, and the pages' import rules."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from streamlit.elements.lib.file_uploader_utils import normalize_upload_file_type

from pages._shared.sources import MOST_UPLOAD_MB

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "pages").rglob("*.py"))


def test_server_stays_on_this_device() -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["enableCORS"]
    assert settings["server"]["enableXsrfProtection"]
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["toolbarMode"] == "minimal"
    assert settings["client"]["allowedOrigins"] == []
    assert settings["server"]["maxUploadSize"] == MOST_UPLOAD_MB


def test_every_upload_is_limited_in_kind_and_size() -> None:
    """By the ends of names: where a media type is allowed, too, Streamlit's server lets in any file."""
    calls = [
        node
        for path in PAGES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.file_uploader"
    ]
    assert len(calls) == 5
    for call in calls:
        kinds = ast.literal_eval(call.args[1])
        assert kinds, "none would allow all"
        assert all(kind.startswith(".") for kind in normalize_upload_file_type(kinds))
        assert "max_upload_size" in [keyword.arg for keyword in call.keywords]


def test_pages_load_no_torch() -> None:
    names = ("check_files", "check_view", "compare_views", "cost", "jobs")
    imports = ", ".join(f"pages._shared.{name}" for name in names)
    code = f"import sys; import {imports}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_thin(path: Path) -> None:
    tree = ast.parse(path.read_text())
    direct = [
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert not {str(name).split(".")[0] for name in direct} & {"torch", "numpy", "scipy"}
    if path.parent.name == "pages":
        assert len(path.read_text().splitlines()) <= 120
        literals = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        documented = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.FunctionDef)]
        docstrings = [ast.get_docstring(node, clean=False) for node in documented]
        assert not [text for text in literals if text not in docstrings and len(text.split()) > 2]
        arithmetic = [
            node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitOr)
        ]
        assert not arithmetic
