"""Settings whose loss would be a leak, and the pages' import rules."""

import ast
import dataclasses
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

from streamlit.elements.lib.file_uploader_utils import normalize_upload_file_type
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from pages.state import history
from pages.widgets.sources import MOST_UPLOAD_MB
from tests.helpers.patience import PATIENCE, until
from tests.helpers.places import ROOT
from tests.helpers.server import running_app

PAGES = sorted((ROOT / "pages").rglob("*.py"))


def test_server_stays_on_this_device() -> None:
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())
    assert settings["server"]["address"] == "127.0.0.1"
    assert settings["server"]["enableCORS"]
    assert settings["server"]["enableXsrfProtection"]
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["toolbarMode"] == "minimal"
    assert settings["client"]["showErrorDetails"] == "type"
    assert settings["client"]["allowedOrigins"] == []
    assert settings["server"]["maxUploadSize"] == MOST_UPLOAD_MB


def test_the_app_itself_starts_from_a_foreign_folder(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with running_app(tmp_path / "cache", log=log, script=ROOT / "app.py", folder=tmp_path) as address:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            assert answer.status == 200
        until(lambda: f"URL: {address}" in log.read_text())
    assert "Traceback" not in log.read_text()


def test_every_upload_is_limited_in_kind_and_size() -> None:
    """By the ends of names: where a media type is allowed, too, Streamlit's server lets in any file."""
    calls = [
        node
        for path in PAGES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.file_uploader"
    ]
    assert len(calls) == 7
    for call in calls:
        kinds = ast.literal_eval(call.args[1])
        assert kinds, "none would allow all"
        assert all(kind.startswith(".") for kind in normalize_upload_file_type(kinds))
        assert "max_upload_size" in [keyword.arg for keyword in call.keywords]


def test_pages_load_no_torch() -> None:
    code = "import sys; from pages import jobs, registry; registry.pages(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_streamlit_still_says_which_page_is_asked_for_and_whether_by_the_history() -> None:
    """The one thing that is read of its insides. Where it is gone, read how a newer Streamlit says it, and there alone:
    ``pages/state/history.py``. Without it, Back would not bring back what was set."""
    fields = {field.name for field in dataclasses.fields(ScriptRunContext)}
    assert {"page_script_hash", "is_history_navigation"} <= fields | set(dir(ScriptRunContext))
    assert history.request() == ("", False), "no page is drawn here"
