"""Fashion-MNIST, CIFAR-10 and SVHN give the pixels of their own files, refuse changed ones, and can be downloaded."""

import gzip
import hashlib
import itertools
import pickle
import socket
import tarfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import torch
from torchvision.datasets import CIFAR10, MNIST, SVHN

from ldp_core.datasets import ImageData, _download, colour, fetch, load_dataset, mnist
from ldp_core.errors import DatasetUnavailableError
from tests.conftest import SHARED
from tests.helpers.patience import PATIENCE
from tests.learning.test_datasets import FILES, one_sentence

TRAINED, HELD_OUT = 300, 100

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Training pixels and labels, held-out pixels and labels; pixels of shape (n, size, size, 3)."""


def md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


def check_content(data: ImageData, source: Arrays) -> None:
    """Compare with (n, size, size, channels) bytes, exactly."""
    for images, labels, pixels, truth in (
        (data.train_images, data.train_labels, source[0], source[1]),
        (data.images, data.labels, source[2], source[3]),
    ):
        assert images.dtype == torch.float32
        assert images.is_contiguous()
        expected = torch.from_numpy(np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))).to(torch.float32) / 255
        assert torch.equal(images, expected)
        assert labels.dtype == torch.int64
        assert labels.tolist() == truth.tolist()


def some_photographs() -> Arrays:
    """Some hundred real CIFAR-10 photographs."""
    file = SHARED / "cifar10_subset.npz"
    if not file.is_file():
        pytest.skip("../shared/data/cifar10_subset.npz is not on this machine")
    with np.load(file) as kept:
        return kept["x"][:TRAINED], kept["y"][:TRAINED], kept["x_test"][:HELD_OUT], kept["y_test"][:HELD_OUT]


def write_cifar10(root: Path, source: Arrays, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a small CIFAR-10 as its authors pack it, and let torchvision expect its checksums."""
    folder = root / "cifar-10-batches-py"
    folder.mkdir(parents=True)

    def batch(name: str, pixels: np.ndarray, labels: np.ndarray) -> list[str]:
        rows = pixels.transpose(0, 3, 1, 2).reshape(len(pixels), 3_072)
        entry = {"batch_label": name, "labels": labels.tolist(), "data": rows, "filenames": ["x.png"] * len(rows)}
        (folder / name).write_bytes(pickle.dumps(entry, protocol=2))
        return [name, md5(folder / name)]

    fifths = zip(np.array_split(source[0], 5), np.array_split(source[1], 5), strict=True)
    train = [batch(f"data_batch_{number}", *fifth) for number, fifth in enumerate(fifths, start=1)]
    monkeypatch.setattr(CIFAR10, "train_list", train)
    monkeypatch.setattr(CIFAR10, "test_list", [batch("test_batch", source[2], source[3])])
    (folder / "batches.meta").write_bytes(pickle.dumps({"label_names": list("abcdefghij")}, protocol=2))
    monkeypatch.setattr(CIFAR10, "meta", {**CIFAR10.meta, "md5": md5(folder / "batches.meta")})
    return folder


def house_numbers() -> Arrays:
    """Draw pixels and labels for SVHN's format."""
    random = np.random.default_rng(5)
    pixels = random.integers(0, 256, (TRAINED + HELD_OUT, 32, 32, 3), dtype=np.uint8)
    labels = np.arange(TRAINED + HELD_OUT) % 10
    return pixels[:TRAINED], labels[:TRAINED], pixels[TRAINED:], labels[TRAINED:]


def write_svhn(root: Path, source: Arrays, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a small SVHN in its own format (the digit 0 is called 10), with its checksums."""
    splits = {}
    for split, pixels, labels in (("train", *source[:2]), ("test", *source[2:])):
        file = f"{split}_32x32.mat"
        content = {"X": pixels.transpose(1, 2, 3, 0), "y": np.where(labels == 0, 10, labels).astype(np.uint8)[:, None]}
        scipy.io.savemat(root / file, content, do_compression=True)
        splits[split] = [SVHN.split_list[split][0], file, md5(root / file)]
    monkeypatch.setattr(SVHN, "split_list", splits)


@pytest.mark.parametrize(
    ("name", "write", "source"), [("cifar10", write_cifar10, some_photographs), ("svhn", write_svhn, house_numbers)]
)
def test_a_data_set_is_read_from_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, write: Any, source: Callable[[], Arrays]
) -> None:
    arrays = source()
    write(tmp_path, arrays, monkeypatch)
    data = load_dataset(name, tmp_path)
    check_content(data, arrays)
    assert data.train_images.shape == (TRAINED, 3, 32, 32)
    assert (data.name, data.num_classes, data.public) == (name, 10, True)


@pytest.mark.parametrize(
    ("file", "part"), [("data_batch_3", "training"), ("test_batch", "test"), ("batches.meta", "training")]
)
def test_a_changed_file_of_cifar10_is_never_unpickled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, part: str
) -> None:
    """The stranger's file would leave a trace when it is opened."""
    folder = write_cifar10(tmp_path, some_photographs(), monkeypatch)
    trace = tmp_path / "trace"

    class Stranger:
        def __reduce__(self) -> tuple[object, tuple[object, ...]]:
            return Path.touch, (trace,)

    (folder / file).write_bytes(pickle.dumps(Stranger()))
    with pytest.raises(DatasetUnavailableError) as error:
        load_dataset("cifar10", tmp_path)
    one_sentence(error, f"cifar10's {part} files", "damaged", str(tmp_path))
    assert not trace.exists()
    pickle.loads((folder / file).read_bytes())
    assert trace.exists()


@pytest.mark.parametrize(("file", "part"), [("train_32x32.mat", "training"), ("test_32x32.mat", "test")])
def test_a_changed_svhn_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, part: str) -> None:
    write_svhn(tmp_path, house_numbers(), monkeypatch)
    content = (tmp_path / file).read_bytes()
    (tmp_path / file).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(DatasetUnavailableError) as error:
        load_dataset("svhn", tmp_path)
    one_sentence(error, f"svhn's {part} files", "damaged", str(tmp_path))


def idx(array: np.ndarray) -> bytes:
    """Write MNIST's file format: two zeros, type 8 (bytes), number of axes, their lengths, content."""
    return bytes([0, 0, 8, array.ndim]) + np.array(array.shape, dtype=">u4").tobytes() + array.tobytes()


def test_fashion_mnist_is_read_from_its_own_folder_and_not_from_mnist_s(tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    pixels = random.integers(0, 256, (TRAINED + HELD_OUT, 28, 28), dtype=np.uint8)
    labels = (np.arange(TRAINED + HELD_OUT) % 10).astype(np.uint8)
    content = (pixels[:TRAINED], labels[:TRAINED], pixels[TRAINED:], labels[TRAINED:])
    for folder, shift in (("FashionMNIST", 0), ("MNIST", 1)):
        raw = tmp_path / folder / "raw"
        raw.mkdir(parents=True)
        for file, array in zip(FILES, content, strict=True):
            (raw / file).write_bytes(idx(np.roll(array, shift, axis=0)))
    data = load_dataset("fashion-mnist", tmp_path)
    check_content(data, (content[0][..., None], content[1], content[2][..., None], content[3]))
    assert (data.name, data.num_classes, data.public) == ("fashion-mnist", 10, True)


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
    assert load_dataset("mnist", tmp_path).num_classes == 10
    assert set(served_mnist.asked.values()) == {1}


def test_a_dead_server_gets_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MNIST, "mirrors", [CLOSED])
    with pytest.raises(DatasetUnavailableError) as error:
        list(fetch("mnist", tmp_path))
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
