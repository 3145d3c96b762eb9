"""Nothing leaves the device, and nothing of the client's is kept or said: one visit, watched from outside."""

import ast
import fcntl
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers import apart, marks
from tests.helpers.faults import outcries
from tests.helpers.patience import PATIENCE
from tests.helpers.server import ROOT, chromium

pytestmark = pytest.mark.browser
_NONE = "this machine makes no network of a program's own (unshare and ip of Linux)"
_BROWSER_ITSELF = {
    ("udp", 53, name)
    for name in (
        "accounts.google.com",
        "android.clients.google.com",
        "content-autofill.googleapis.com",
        "update.googleapis.com",
    )
}
"""Names that Chromium asks for whatever page is open; what the page asks for is in its own list of addresses."""
_NOT_THE_CLIENT_S = {"matplotlib", "__pycache__"}
_PHONES = """
import contextlib, socket, urllib.request
for target in (("198.51.100.7", 443), ("2001:db8::7", 443)):
    with contextlib.suppress(OSError):
        socket.create_connection(target, timeout=0.2)
with contextlib.suppress(OSError):
    urllib.request.urlopen("http://metrics.example.test/", timeout=0.2)
"""
_OPEN_TO_ALL = """
import socket, sys
with socket.create_server(("", 0)) as server:
    socket.create_connection((sys.argv[1], server.getsockname()[1]), timeout=5).close()
"""


@dataclass(frozen=True)
class Visit:
    """What one visit left: where packets went (None if nobody could look), and a folder."""

    part: str
    connections: set[tuple[str, str, int, str]] | None
    folder: Path
    port: int
    answers: dict[str, str]
    addresses: list[str]


@pytest.fixture(scope="module", params=["day", pytest.param("whole", marks=pytest.mark.nightly)])
def seen(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Visit:
    if chromium() is None and not os.environ.get("CI"):
        pytest.skip("Chromium is not on this machine; name it with LDP_CHROMIUM")
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared
    folder = shared / f"visit-{request.param}"
    notes = folder.with_suffix(".json")
    prefix = apart.prefix(notes)
    hosts = ["127.0.0.1", *apart.ADDRESSES] if prefix else []
    command = [*prefix, sys.executable, "-m", "tests.helpers.session", request.param, str(folder), *hosts]
    with folder.with_suffix(".lock").open("w") as lock:  # one visit serves all workers
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            folder.mkdir()
            subprocess.run(command, cwd=ROOT, check=True, timeout=4 * PATIENCE)
    told = json.loads((folder / "session.json").read_text())
    connections = {tuple(note) for note in json.loads(notes.read_text())} if prefix else None
    return Visit(request.param, connections, folder, told["port"], told["answers"], told["addresses"])


def test_no_packet_goes_anywhere_but_to_the_app(seen: Visit) -> None:
    if seen.connections is None:
        pytest.skip(_NONE)
    assert ("tcp", "127.0.0.1", seen.port, "") in seen.connections
    own = {("tcp", host, seen.port, "") for host in ("127.0.0.1", *apart.ADDRESSES)}
    strange = seen.connections - own
    assert {(kind, port, name) for kind, _, port, name in strange} - _BROWSER_ITSELF == set()


def test_the_app_answers_at_no_address_that_others_could_call(seen: Visit) -> None:
    """Other programs' servers would: see the next test."""
    if seen.connections is None:
        pytest.skip(_NONE)
    inside, outside, newer = (seen.answers[host] for host in ("127.0.0.1", *apart.ADDRESSES))
    assert (inside, outside) == ("answers", "ConnectionRefusedError")
    assert newer != "answers"  # where there is no IPv6, another error
    assert ("tcp", apart.ADDRESSES[0], seen.port, "") in seen.connections


def test_a_server_open_to_all_would_answer_there(tmp_path: Path) -> None:
    prefix = apart.prefix(tmp_path / "notes.json")
    if not prefix:
        pytest.skip(_NONE)
    command = [*prefix, sys.executable, "-c", _OPEN_TO_ALL, apart.ADDRESSES[0]]
    subprocess.run(command, cwd=ROOT, check=True, timeout=PATIENCE)


def test_the_recorder_sees_who_phones(tmp_path: Path) -> None:
    prefix = apart.prefix(tmp_path / "notes.json")
    if not prefix:
        pytest.skip(_NONE)
    soon = os.environ | {"RES_OPTIONS": "timeout:1 attempts:1"}  # of a name server that never answers
    subprocess.run([*prefix, sys.executable, "-c", _PHONES], cwd=ROOT, check=True, timeout=PATIENCE, env=soon)
    found = [tuple(note) for note in json.loads((tmp_path / "notes.json").read_text())]
    assert ("tcp", "198.51.100.7", 443, "") in found
    assert "metrics.example.test" in {name for *_, name in found} or not Path("/etc/resolv.conf").exists()


def test_every_address_that_the_browser_asked_for_is_the_app_s(seen: Visit) -> None:
    own = tuple(f"{kind}://127.0.0.1:{seen.port}/" for kind in ("http", "ws"))
    assert len(seen.addresses) > 50
    assert [url for url in seen.addresses if not url.startswith((*own, f"blob:{own[0]}", "data:"))] == []


def test_nothing_of_the_client_is_said_or_kept(seen: Visit, tmp_path: Path) -> None:
    gradients = marks.gradients(tmp_path)
    files = [path for place in ("cache", "downloads") for path in (seen.folder / place).rglob("*") if path.is_file()]
    more = {".csv", ".npz", ".sqlite"} if seen.part == "whole" else set()
    assert {path.suffix for path in files} == {".json", ".safetensors", ".html"} | more
    assert [path for path in files if path.parent.name == "models" and not path.name.startswith("digits-")] == []
    said = (*files, seen.folder / "server.log", seen.folder / "session.json")
    found = {path.name: marks.traces(path.read_bytes() + path.name.encode(), gradients) for path in said}
    quotes = [line[:400] for path in said for line in path.read_bytes().split(b"\n") if marks.WORD.encode() in line]
    (pictured,) = (name for name in found if name.endswith("-with-images.html"))
    assert found.pop(pictured) - {"image"} == {"picture"}, "which was asked for; no name, no update"
    assert {name: kinds for name, kinds in found.items() if kinds} == {}, quotes


def test_nothing_is_written_but_in_the_cache(seen: Visit) -> None:
    """Not even for a moment: a picture of 3 MB was among what was picked. Matplotlib keeps a list of fonts."""
    notes = map(ast.literal_eval, (seen.folder / "written.txt").read_text(encoding="utf-8").splitlines())
    paths = {Path(os.fsdecode(note)) for note in notes if not isinstance(note, int)} - {Path(os.devnull)}
    cache = seen.folder / "cache"
    assert cache / "results" in {path.parent for path in paths}
    assert [path for path in paths if cache not in path.parents and not _NOT_THE_CLIENT_S & set(path.parts)] == []


def test_the_log_says_which_mistakes_there_were(seen: Visit) -> None:
    """The two that quote the client did happen; without this, an empty log would do."""
    log = (seen.folder / "server.log").read_text(encoding="utf-8")
    for word in ("a test ended in a bug", "_ends_in_a_bug", "FileNotFoundError", "_shows_a_bug", "RuntimeError"):
        assert word in log
    assert len(outcries(log)) >= 2, "what the tests of faults look for"
