"""Nothing of the client's is in what is written, printed or sent; and nothing that is read can run."""

import ast
import asyncio
import gc
import json
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
import torch

from ldp_core.datasets import load_dataset
from ldp_core.errors import DatasetUnavailableError
from pages.server import log_redaction
from pages.server.origin_guard import lets_in
from tests.helpers import marks
from tests.helpers.patience import PATIENCE
from tests.helpers.places import ROOT

SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "ldp_core").rglob("*.py"))]
_RUNNERS = ("pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal", "shelve", "jsonpickle")
_WRITERS = (
    "torch.save", "torch.jit.load", "torch.hub.load", "joblib.dump", "joblib.load", "pandas.read_pickle",
    "eval", "exec", "__import__", "builtins.eval", "builtins.exec", "builtins.__import__",
)  # fmt: skip
_LOADERS = {  # what they must be told
    "torch.load": "weights_only=True", "numpy.load": "allow_pickle=False",
    "numpy.lib.format.read_array": "allow_pickle=False", "numpy.lib.format.write_array": "allow_pickle=False",
}  # fmt: skip
_HARMLESS = "pickle.UnpicklingError"
_NOTHING = "exec('')"


def pickles(source: str) -> list[str]:
    """Return what may run what it reads, under any name; a loader may be called and told, but not kept or handed on."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {"np": "numpy", "pd": "pandas"}

    def full(node: ast.AST) -> str:
        first, dot, rest = (node.id if isinstance(node, ast.Name) else ast.unparse(node)).partition(".")
        return names.get(first, first) + dot + rest

    found, fine = list[str](), set[ast.AST]()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.asname: alias.name for alias in node.names if alias.asname}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            imported = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [name for name in imported if _runs(name) or (name[-1] == "*" and _holds(str(node.module)))]
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute):
            module = full(node.value)
            names |= {target.id: module for target in node.targets if isinstance(target, ast.Name) and _holds(module)}
    for node in nodes:
        if isinstance(node, ast.Call):
            words = [keyword for keyword in node.keywords if keyword.arg in ("weights_only", "allow_pickle")]
            told, name = [f"{word.arg}={ast.unparse(word.value)}" for word in words], full(node.func)
            fine |= {node.func} if _LOADERS.get(name) in told else set()
            fine |= {node.func} if name == "exec" and ast.unparse(node) == _NOTHING else set()
            found += told
        elif isinstance(node, ast.Attribute) and full(node) == _HARMLESS:
            fine |= {node, node.value}
    found = [word for word in found if word not in _LOADERS.values()]
    uses = (node for node in nodes if isinstance(node, ast.Name | ast.Attribute) and node not in fine)
    return found + [name for name in map(full, uses) if _runs(name)]


def _runs(name: str) -> bool:
    return name in (*_WRITERS, *_LOADERS) or (name.partition(".")[0] in _RUNNERS and name != _HARMLESS)


def _holds(module: str) -> bool:
    return module in _RUNNERS or any(name.startswith(f"{module}.") for name in (*_WRITERS, *_LOADERS))


def test_no_source_reads_what_can_run() -> None:
    assert {path: found for path in SOURCES if (found := pickles(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    "line",
    [
        "from pickle import loads", "import pickle\npickle.loads(b'')", "torch.load(file)", "torch.save(model, file)",
        "torch.load(file, weights_only=False)", "np.load(file)", "np.load(file, allow_pickle=True)", "eval(text)",
        "joblib.load(file)", "import marshal as m\nm.loads(b'')", "import pickle as p; p.loads(b'')",
        "import pickle\nload(pickle)", "from pickle import loads as read", "from pickle import *",
        "from torch import *", "from torch import load, save", "from torch import load as r", "from numpy import load",
        "import torch as x\nx.load(file)", "import numpy as n\nn.load(file)", "import numpy\nnumpy.load(file)",
        "from numpy import lib\nlib.format.read_array(file)", "import numpy.lib.format as f\nf.read_array(file)",
        "from numpy.lib import format as f\nf.read_array(file)", "read = torch.load", "map(np.load, files)",
        "import torch\nx = torch\nx.load(file)", "from pandas import read_pickle", "import joblib as j\nj.load(file)",
        "import builtins\nbuiltins.exec(text)", "run = eval", "np.load(file, **more)",
        "np.lib.npyio.NpzFile(file, allow_pickle=True)",
    ],
)  # fmt: skip
def test_the_search_finds_it(line: str) -> None:
    assert pickles(line)


@pytest.fixture(scope="module")
def gradients(tmp_path_factory: pytest.TempPathFactory) -> list[np.ndarray]:
    return marks.gradients(tmp_path_factory.mktemp("models"))


_EACH = """
import json, sys
from ldp_core.cli import main

sys.exit("".join(str(main(words)) for words in json.loads(sys.argv[1])) != sys.argv[2])
"""


def run(folder: Path, codes: str, *commands: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run commands, which must end with these codes, with a cache, a home and temporary files of their own."""
    for name in ("cache", "home", "temporary"):
        (folder / name).mkdir()
    own = {"LDP_CACHE_DIR": str(folder / "cache"), "HOME": str(folder / "home"), "TMPDIR": str(folder / "temporary")}
    command = [sys.executable, "-c", _EACH, json.dumps(commands), codes]
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


@pytest.mark.parametrize("command", ["audit", pytest.param("compare", marks=pytest.mark.nightly)])
def test_the_command_line_writes_nothing_of_the_client(
    tmp_path: Path, gradients: list[np.ndarray], command: str
) -> None:
    out, whole, damaged = tmp_path / "out", marks.folder(tmp_path / "whole"), marks.folder(tmp_path / "damaged")
    out.mkdir()
    (damaged / marks.names()[3]).write_bytes(marks.picture(3)[:200])
    arguments = [argument.format(out=out) for argument in COMMANDS[command]]
    folders = (whole, damaged, whole / "nowhere")
    ended = run(out, "022", *([*arguments, "--data-dir", str(images)] for images in folders))
    assert ended.returncode == 0, ended.stderr
    assert b"got 1 that cannot be read" in ended.stderr
    assert b"cannot be read: FileNotFoundError" in ended.stderr
    said = [ended.stdout, ended.stderr]
    kept = [path for path in out.rglob("*") if path.is_file()]
    assert {path.suffix for path in kept} >= {".html"}
    for content in (*said, *(path.read_bytes() for path in kept), *(str(path).encode() for path in kept)):
        assert marks.traces(content, gradients) == set()


@pytest.mark.few(2)
@pytest.mark.parametrize("what", ["name", "picture", "image", "gradient", "printed"])
def test_the_search_would_find_what_is_the_client_s(gradients: list[np.ndarray], what: str) -> None:
    """In every form in which it could stand in a file."""
    import base64

    pixels = marks.pixels()
    unit = (pixels / np.float32(255)).astype(np.float32)
    forms = {
        "name": [marks.archive(), f"cannot open {marks.names()[5]}".encode()],
        "picture": [marks.archive(), f"data:image/png;base64,{base64.b64encode(marks.picture()).decode()}".encode()],
        "image": [
            marks.archive()[:0] + pixels.tobytes(), base64.b64encode(b"?" + pixels[4].tobytes()),
            json.dumps(pixels[7].tolist()).encode(), unit.tobytes(), pixels[9].tobytes().hex().encode(),
            *(
                str(form(values)).encode() for form in (np.asarray, repr, torch.from_numpy) for kind in (pixels, unit)
                for values in (kind, kind[:, None], kind[8:12], kind[5], kind[5, 13:14], kind[5, 13])
            ),
        ],
        "gradient": [
            form for vector in gradients for form in (
                vector.tobytes(), base64.b64encode(b"??" + vector.tobytes()), json.dumps(vector.tolist()).encode(),
                json.dumps([round(value, 10) for value in vector.tolist()]).encode(), vector.tobytes().hex().encode(),
                str(torch.from_numpy(vector)).encode(), f"sent {torch.from_numpy(vector)[None]}".encode(),
                str(vector).encode(), repr(vector).encode(), np.array2string(vector, max_line_width=20).encode(),
            )
        ],
        "printed": [str(torch.zeros(2)).encode(), repr(np.zeros(2)).encode()],
    }  # fmt: skip
    for form in forms[what]:
        assert what in marks.traces(form, gradients)
    assert marks.traces(b"digits 0.7310585786300049 cosine [0.0000, 0.5000, 1.0000] [ 1  2  3]", gradients) == set()


def fail() -> None:
    try:
        Path(f"/nowhere/{marks.WORD}.png").read_bytes()
    except OSError as error:
        raise RuntimeError(marks.WORD) from error


async def forgotten() -> None:
    """Let a task fail for which nobody waits."""
    asyncio.get_running_loop().set_exception_handler(log_redaction.in_task)
    task = asyncio.ensure_future(asyncio.to_thread(fail))
    await asyncio.wait([task])
    del task
    gc.collect()


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
    asyncio.run(forgotten())
    assert marks.WORD not in caplog.text
    for word in ("it ended", "RuntimeError", "FileNotFoundError", "in fail", "ended: RuntimeError", "a thread ended"):
        assert word in caplog.text
    assert caplog.text.count("a task ended in a bug") == 1


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
