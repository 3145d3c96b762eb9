"""Downloads from a server on this machine: progress, joining, and what is said when they fail."""

import gzip
import hashlib
import itertools
import socket
import tarfile
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from torchvision.datasets import CIFAR10, MNIST

from ldp_core.datasets import _download, colour, fetch, load_dataset, mnist
from ldp_core.errors import DatasetUnavailableError
from tests.helpers.patience import PATIENCE
from tests.learning.test_datasets import FILES, one_sentence
from tests.learning.test_datasets_torchvision import check_content, md5, some_photographs, write_cifar10

CLOSED = "http://127.0.0.1:9/"
"""Port 9 of the loopback is closed, so it refuses at once."""


class Server(ThreadingHTTPServer):
    """Serve ``files``; each stops in the middle until ``go`` is set, and those in ``cut`` end there."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.cut: set[str] = set()
        self.asked: Counter[str] = Counter()
        self.go = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        name = self.path.lstrip("/")
        self.server.asked[name] += 1
        content = self.server.files.get(name)
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        half = len(content) // 2
        self.wfile.write(content[:half])
        self.wfile.flush()
        self.server.go.wait(PATIENCE)
        if name not in self.server.cut:
            self.wfile.write(content[half:])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.go.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def served_mnist(server: Server, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Serve the real digits, after a mirror that is down."""
    server.files = {f"{file}.gz": gzip.compress((data_dir / "MNIST" / "raw" / file).read_bytes(), 1) for file in FILES}
    checksums = [
        (name, hashlib.md5(content, usedforsecurity=False).hexdigest()) for name, content in server.files.items()
    ]
    monkeypatch.setattr(MNIST, "mirrors", [CLOSED, server.url])
    monkeypatch.setattr(MNIST, "resources", checksums)
    monkeypatch.setattr(mnist.Mnist, "download_bytes", sum(map(len, server.files.values())))
    return server


def followed(name: str, folder: Path, server: Server) -> list[tuple[int, int]]:
    """Follow a download that goes on only after some bytes were reported."""
    reports = []
    for report in fetch(name, folder):
        reports.append(report)
        if report[0] > 0:
            server.go.set()
    return reports


def check_reports(reports: list[tuple[int, int]], total: int) -> None:
    done = [so_far for so_far, _ in reports]
    assert all(in_total == total for _, in_total in reports)
    assert all(first <= second for first, second in itertools.pairwise(done))
    assert any(0 < so_far < total for so_far in done)
    assert done[-1] == total


def test_mnist_arrives_from_the_mirror_that_is_up(
    served_mnist: Server, data_dir: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    reports = followed("mnist", tmp_path / "new" / "folder", served_mnist)
    check_reports(reports, sum(map(len, served_mnist.files.values())))
    for file in FILES:
        arrived = (tmp_path / "new" / "folder" / "MNIST" / "raw" / file).read_bytes()
        assert arrived == (data_dir / "MNIST" / "raw" / file).read_bytes()
    assert load_dataset("mnist", tmp_path / "new" / "folder").train_images.shape == (8_000, 1, 28, 28)
    assert capfd.readouterr() == ("", "")


def test_cifar10_arrives_as_an_archive(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photographs = some_photographs()
    folder = write_cifar10(tmp_path / "far", photographs, monkeypatch)
    packed = tmp_path / "far" / CIFAR10.filename
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(folder, folder.name)
    server.files = {CIFAR10.filename: packed.read_bytes()}
    monkeypatch.setattr(CIFAR10, "url", server.url + CIFAR10.filename)
    monkeypatch.setattr(CIFAR10, "tgz_md5", md5(packed))
    monkeypatch.setattr(colour.Cifar10, "download_bytes", packed.stat().st_size)
    reports = followed("cifar10", tmp_path / "near", server)
    check_reports(reports, packed.stat().st_size)
    check_content(load_dataset("cifar10", tmp_path / "near"), photographs)


def test_nothing_is_fetched_twice(served_mnist: Server, tmp_path: Path) -> None:
    served_mnist.go.set()
    assert list(fetch("mnist", tmp_path))
    assert list(fetch("mnist", tmp_path)) == []
    assert load_dataset("mnist", tmp_path, download=True).num_classes == 10
    assert set(served_mnist.asked.values()) == {1}


def test_a_dead_server_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MNIST, "mirrors", [CLOSED])
    for attempt in (lambda: list(fetch("mnist", tmp_path)), lambda: load_dataset("mnist", tmp_path, download=True)):
        with pytest.raises(DatasetUnavailableError) as error:
            attempt()
        one_sentence(error, "mnist", "could not be downloaded", str(tmp_path), "URLError")


@pytest.mark.parametrize("damage", ["cut", "changed", "absent"])
def test_a_file_that_does_not_arrive_whole_gets_one_sentence(served_mnist: Server, tmp_path: Path, damage: str) -> None:
    name = f"{FILES[2]}.gz"
    if damage == "cut":
        served_mnist.cut.add(name)
    elif damage == "changed":
        served_mnist.files[name] = served_mnist.files[name][:-1] + b"x"
    else:
        del served_mnist.files[name]
    served_mnist.go.set()
    with pytest.raises(DatasetUnavailableError) as error:
        list(fetch("mnist", tmp_path))
    one_sentence(error, "mnist", "could not be downloaded whole", str(tmp_path))
    assert not (tmp_path / "MNIST" / "raw" / FILES[2]).exists()


def test_a_silent_server_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_download, "SECONDS_OF_SILENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(MNIST, "mirrors", [f"http://127.0.0.1:{silent.getsockname()[1]}/"])
        with pytest.raises(DatasetUnavailableError) as error:
            list(fetch("mnist", tmp_path))
    one_sentence(error, "mnist", "could not be downloaded", "TimeoutError")


def test_bytes_of_a_mirror_that_broke_off_are_not_counted(
    served_mnist: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"{FILES[0]}.gz"
    served_mnist.files[f"broken/{name}"] = served_mnist.files[name]
    served_mnist.cut.add(f"broken/{name}")
    served_mnist.go.set()
    monkeypatch.setattr(MNIST, "mirrors", [f"{served_mnist.url}broken/", served_mnist.url])
    transfer = _download._Transfer(mnist.Mnist(), tmp_path)
    transfer.run()
    assert transfer.error is None
    assert served_mnist.asked[f"broken/{name}"] == served_mnist.asked[name] == 1
    assert transfer.done == mnist.Mnist.download_bytes
