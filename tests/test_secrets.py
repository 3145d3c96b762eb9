"""Nothing of the client's is in what is written, printed or sent; and nothing that is read can run."""

import ast
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from ldp_core.datasets import load_dataset
from ldp_core.errors import DatasetUnavailableError
from pages._shared.door import lets_in
from tests.helpers import marks
from tests.helpers.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[1]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "ldp_core").rglob("*.py"))]
_RUNNERS = ("pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal", "shelve", "jsonpickle")
_WRITERS = ("torch.save", "joblib.dump", "joblib.load", "pandas.read_pickle", "pd.read_pickle", "torch.jit.load")
_LOADERS = {  # what they must be told
    "torch.load": "weights_only=True", "np.load": "allow_pickle=False", "numpy.load": "allow_pickle=False",
    "np.lib.format.read_array": "allow_pickle=False", "np.lib.format.write_array": "allow_pickle=False",
}  # fmt: skip


def pickles(source: str) -> list[str]:
    """Return what in a source may run what it reads; the name of pickle's error is no such thing."""
    found = list[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in _RUNNERS:
            found.append(f"from {node.module}")
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in _RUNNERS:
            found += [ast.unparse(node)] if node.attr != "UnpicklingError" else []
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            told = [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in node.keywords]
            found += [name] if name in _WRITERS or name in ("eval", "exec", "__import__") else []
            found += [name] if name in _LOADERS and _LOADERS[name] not in told else []
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_reads_what_can_run(path: Path) -> None:
    assert pickles(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "from pickle import loads", "import pickle\npickle.loads(b'')", "torch.load(file)", "torch.save(model, file)",
        "torch.load(file, weights_only=False)", "np.load(file)", "np.load(file, allow_pickle=True)", "eval(text)",
        "joblib.load(file)", "import marshal as m\nmarshal.loads(b'')",
    ],
)  # fmt: skip
def test_the_search_finds_it(line: str) -> None:
    assert len(pickles(line)) == 1
    assert pickles("np.load(file, allow_pickle=False)\ntorch.load(file, weights_only=True)\n") == []


@pytest.fixture(scope="module")
def gradients(tmp_path_factory: pytest.TempPathFactory) -> list[np.ndarray]:
    return marks.gradients(tmp_path_factory.mktemp("models"))


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line with a cache and a home of its own, and its temporary files where they can be searched."""
    for name in ("cache", "home", "temporary"):
        (folder / name).mkdir(exist_ok=True)
    own = {"LDP_CACHE_DIR": str(folder / "cache"), "HOME": str(folder / "home"), "TMPDIR": str(folder / "temporary")}
    command = [sys.executable, "-m", "ldp_core", *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | own, check=False, capture_output=True, timeout=PATIENCE)


COMMANDS = {
    "audit": (
        "audit", "--dataset", "own", "--training", "none", "--attack", "benign", "--trials", "300",
        "--measurements", "1", "--seed", "5", "--json", "-", "--html", "{out}/result.html",
    ),
    "compare": (
        "compare", "--dataset", "own", "--training", "none", "--attacks", "benign", "--epsilons", "1",
        "--tests", "white,black", "--trials", "300", "--measurements", "1", "--seed", "5", "--json", "-",
        "--store", "{out}/run.sqlite", "--export", "{out}/cells.csv", "--html", "{out}/result.html",
    ),
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_writes_nothing_of_the_client(
    tmp_path: Path, gradients: list[np.ndarray], command: str
) -> None:
    out, images = tmp_path / "out", marks.folder(tmp_path / "images")
    out.mkdir()
    arguments = [argument.format(out=out) for argument in COMMANDS[command]]
    finished = run(out, *arguments, "--data-dir", str(images))
    assert finished.returncode == 0, finished.stderr
    (images / marks.names()[3]).write_bytes(marks.picture(3)[:200])
    failed = run(out, *arguments, "--data-dir", str(images))
    assert failed.returncode == 2
    assert b"got 1 that cannot be read" in failed.stderr
    nowhere = run(out, *arguments, "--data-dir", str(images / "nowhere"))
    assert b"cannot be read: FileNotFoundError" in nowhere.stderr
    said = [part for run in (finished, failed, nowhere) for part in (run.stdout, run.stderr)]
    kept = [path for path in out.rglob("*") if path.is_file()]
    assert {path.suffix for path in kept} >= {".html"}
    for content in (*said, *(path.read_bytes() for path in kept), *(str(path).encode() for path in kept)):
        assert marks.traces(content, gradients) == set()


@pytest.mark.parametrize("what", ["name", "picture", "image", "gradient"])
def test_the_search_would_find_what_is_the_client_s(gradients: list[np.ndarray], what: str) -> None:
    """In every form in which it could stand in a file."""
    import base64
    import json

    pixels = marks.pixels()
    forms = {
        "name": [marks.archive(), f"cannot open {marks.names()[5]}".encode()],
        "picture": [marks.archive(), f"data:image/png;base64,{base64.b64encode(marks.picture()).decode()}".encode()],
        "image": [
            marks.archive()[:0] + pixels.tobytes(), base64.b64encode(b"?" + pixels[4].tobytes()),
            json.dumps(pixels[7].tolist()).encode(), (pixels / np.float32(255)).astype(np.float32).tobytes(),
            pixels[9].tobytes().hex().encode(),
        ],
        "gradient": [
            form for vector in gradients for form in (
                vector.tobytes(), base64.b64encode(b"??" + vector.tobytes()), json.dumps(vector.tolist()).encode(),
                json.dumps([round(value, 10) for value in vector.tolist()]).encode(), vector.tobytes().hex().encode(),
            )
        ],
    }  # fmt: skip
    for form in forms[what]:
        assert what in marks.traces(form, gradients)
    assert marks.traces(b"digits 0.7310585786300049 cosine", gradients) == set()


def fail() -> None:
    try:
        Path(f"/nowhere/{marks.WORD}.png").read_bytes()
    except OSError as error:
        raise RuntimeError(marks.WORD) from error


@pytest.mark.usefixtures("quietly")
def test_the_log_says_where_an_error_came_from_but_not_its_words(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("any")
    try:
        fail()
    except RuntimeError as error:
        log.exception("it ended")
        log.error("ended: %s", error)
        log.error(error)  # type: ignore[arg-type]
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert marks.WORD not in caplog.text
    for word in ("it ended", "RuntimeError", "FileNotFoundError", "in fail", "ended: RuntimeError", "a thread ended"):
        assert word in caplog.text


def test_without_it_the_words_would_be_there(caplog: pytest.LogCaptureFixture) -> None:
    try:
        fail()
    except RuntimeError:
        logging.getLogger("any").exception("it ended")
    assert marks.WORD in caplog.text


def test_a_link_leads_out_of_no_folder(tmp_path: Path) -> None:
    images = marks.folder(tmp_path)
    (tmp_path / "outside.png").write_bytes(marks.picture())
    (images / marks.names()[0]).with_name("inside.png").symlink_to(images / marks.names()[0])
    assert load_dataset("own", images).num_classes == 2
    (tmp_path / "other-way").symlink_to(images)
    assert load_dataset("own", tmp_path / "other-way").num_classes == 2
    (images / marks.names()[0]).with_name("leaving.png").symlink_to(tmp_path / "outside.png")
    with pytest.raises(DatasetUnavailableError, match="got 1 links that lead out") as caught:
        load_dataset("own", images)
    assert marks.WORD not in str(caught.value)


NAMES = {"localhost", "box.test"}


@pytest.mark.parametrize(
    ("inside", "headers"),
    [
        (True, {"host": "127.0.0.1:8501"}),
        (True, {"host": "127.0.0.1:8501", "origin": "http://127.0.0.1:8501", "sec-fetch-site": "same-origin"}),
        (True, {"host": "LOCALHOST:8501", "sec-fetch-site": "none"}),
        (True, {"host": "[::1]:8501", "origin": "http://[::1]:8501"}),
        (True, {"host": "192.168.1.5:8501", "origin": "http://192.168.1.5:8501"}),
        (True, {"host": "box.test", "origin": "https://box.test"}),
        (True, {"host": "localhost:8501", "sec-fetch-site": "cross-site", "sec-fetch-dest": "document"}),
        (False, {}),
        (False, {"host": "evil.test:8501"}),
        (False, {"host": "localhost.evil.test"}),
        (False, {"host": "127.0.0.1.evil.test:8501", "origin": "http://127.0.0.1.evil.test:8501"}),
        (False, {"host": "[", "origin": "http://["}),
        (False, {"host": "localhost:8501", "origin": "http://localhost:8502", "sec-fetch-site": "same-site"}),
        (False, {"host": "localhost:8501", "origin": "http://127.0.0.1:8501"}),
        (False, {"host": "localhost:8501", "origin": "null"}),
        (False, {"host": "localhost:8501", "origin": ""}),
        (False, {"host": "localhost:8501", "sec-fetch-site": "cross-site", "sec-fetch-dest": "image"}),
        (False, {"host": "localhost:8501", "sec-fetch-site": "same-site", "sec-fetch-dest": "iframe"}),
    ],
)
def test_the_door_knows_its_own(headers: dict[str, str], inside: bool) -> None:
    scope = {"method": "GET", "headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
    assert lets_in(scope, NAMES) is inside
    if headers.get("sec-fetch-dest") == "document":
        assert not lets_in(scope | {"method": "POST"}, NAMES)
