"""Data sets are what they say, and a folder without them gets one sentence."""

import dataclasses
import gzip
import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from ldp_core.datasets import DATASETS, ImageData, digest, fetch, load_dataset
from ldp_core.errors import DatasetUnavailableError
from ldp_core.facts import KNOWN, DataFacts
from tests.helpers.comparisons import MNIST_SUBSET

FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


def check_layout(data: ImageData, trained: int, held_out: int) -> None:
    assert data.num_classes == 10
    for images, labels, number in (
        (data.train_images, data.train_labels, trained),
        (data.images, data.labels, held_out),
    ):
        assert images.shape == (number, 1, 28, 28)
        assert images.dtype == torch.float32
        assert labels.shape == (number,)
        assert labels.dtype == torch.int64
        assert images.min() == 0.0
        assert 0.9 < images.max() <= 1.0
        assert set(labels.tolist()) == set(range(10))


def one_sentence(error: pytest.ExceptionInfo[DatasetUnavailableError], *words: str) -> None:
    text = str(error.value)
    assert "\n" not in text
    assert "Traceback" not in text
    for word in words:
        assert word in text, text


def test_digits_are_split_without_overlap() -> None:
    data = load_dataset("digits")
    check_layout(data, 1_438, 359)
    assert data.public
    trained = {image.numpy().tobytes() for image in data.train_images}
    held_out = {image.numpy().tobytes() for image in data.images}
    assert len(trained) + len(held_out) == 1_797
    assert not trained & held_out


def test_mnist_is_read_from_its_own_files(data_dir: Path) -> None:
    data = load_dataset("mnist", data_dir)
    check_layout(data, 8_000, 2_000)
    assert data.public
    raw = (data_dir / "MNIST" / "raw" / FILES[2]).read_bytes()[16 : 16 + 784]
    assert torch.equal((data.images[0] * 255).round().flatten().int(), torch.tensor(list(raw), dtype=torch.int32))
    labels = (data_dir / "MNIST" / "raw" / FILES[1]).read_bytes()[8:]
    assert data.train_labels.tolist() == list(labels)


def copied(data_dir: Path, folder: Path) -> Path:
    """Copy MNIST's files, so that they can be changed."""
    raw = folder / "MNIST" / "raw"
    shutil.copytree(data_dir / "MNIST" / "raw", raw, copy_function=shutil.copyfile)
    raw.chmod(0o755)
    return raw


def damaged(images: bytes, labels: bytes, others: bytes) -> dict[str, tuple[str, bytes | None]]:
    """Return what may come instead of a file of training images or labels: its name, and its content if it is there."""
    packed = gzip.compress(images, 1)
    endless = gzip.compress(images[:4] + b"\xff" * 12 + images[16:], 1)
    return {
        "cut": (FILES[1], labels[:-1]),
        "labels of the other part": (FILES[1], others),
        "label 10": (FILES[1], labels[:-1] + b"\x0a"),
        "text": (FILES[1], b"<!doctype html><title>404</title>" * 100),
        "missing": (FILES[1], None),
        "half": (f"{FILES[0]}.gz", packed[:400_000]),
        "more": (f"{FILES[0]}.gz", gzip.compress(images + b"0", 1)),
        "endless": (f"{FILES[0]}.gz", endless),
    }


def test_a_damaged_or_wrong_file_is_refused_in_one_sentence(data_dir: Path, tmp_path: Path) -> None:
    raw = copied(data_dir, tmp_path)
    kept = {file: (raw / file).read_bytes() for file in FILES}
    for file, content in damaged(kept[FILES[0]], kept[FILES[1]], kept[FILES[3]]).values():
        plain = raw / file.removesuffix(".gz")
        plain.unlink()
        if content is not None:
            (raw / file).write_bytes(content)
        with pytest.raises(DatasetUnavailableError) as error:
            load_dataset("mnist", tmp_path)
        one_sentence(error, "mnist", "training", str(tmp_path), *(["damaged"] if file.endswith(".gz") else []))
        (raw / file).unlink(missing_ok=True)
        plain.write_bytes(kept[plain.name])


def same(first: ImageData, second: ImageData) -> bool:
    names = ("train_images", "train_labels", "images", "labels")
    return all(torch.equal(getattr(first, name), getattr(second, name)) for name in names)


@pytest.mark.parametrize("place", ["its own", "the folder itself"])
def test_packed_files_are_read_as_they_lie_there(data_dir: Path, tmp_path: Path, place: str) -> None:
    raw = copied(data_dir, tmp_path)
    for file in FILES[1:]:
        (raw / f"{file}.gz").write_bytes(gzip.compress((raw / file).read_bytes(), 1))
        (raw / file).unlink()
    data = load_dataset("mnist", tmp_path if place == "its own" else raw)
    assert same(data, load_dataset("mnist", data_dir))
    assert digest(data) == MNIST_SUBSET
    assert list(fetch("mnist", tmp_path)) == []


def test_files_are_found_under_the_names_that_other_programs_give_them(data_dir: Path, tmp_path: Path) -> None:
    """A dot before "idx", and a file in a folder of its own name."""
    raw = copied(data_dir, tmp_path)
    (raw / FILES[0]).rename(raw / FILES[0].replace("-idx", ".idx"))
    moved = (raw / FILES[1]).rename(raw / "moved")
    (raw / FILES[1]).mkdir()
    moved.rename(raw / FILES[1] / FILES[1])
    assert same(load_dataset("mnist", tmp_path), load_dataset("mnist", data_dir))


def test_the_shared_images_are_known_as_a_subset_of_mnist(data_dir: Path) -> None:
    """The digest is also what a shell gives for the four files, as its docstring says."""
    data = load_dataset("mnist", data_dir)
    assert digest(data) == MNIST_SUBSET
    raw = data_dir / "MNIST" / "raw"
    lines = "".join(hashlib.sha256((raw / file).read_bytes()).hexdigest() + "\n" for file in FILES)
    assert hashlib.sha256(lines.encode()).hexdigest() == MNIST_SUBSET
    facts = DataFacts(8_000, 2_000, digest(data), 0, 200)
    assert facts.known == KNOWN[MNIST_SUBSET]
    assert facts.known_as == "subset of mnist"


def test_the_digest_sees_one_pixel_one_label_and_the_order(data_dir: Path) -> None:
    data = load_dataset("mnist", data_dir)
    pixel, label, order = data.images.clone(), data.train_labels.clone(), torch.arange(2_000)
    pixel[1_999, 0, 27, 27] += 1.0 / 255.0
    label[7] = (label[7] + 1) % 10
    order[:2] = order[:2].flip(0)
    changed = [
        dataclasses.replace(data, images=pixel),
        dataclasses.replace(data, train_labels=label),
        dataclasses.replace(data, images=data.images[order], labels=data.labels[order]),
        dataclasses.replace(data, train_images=data.images, images=data.train_images),
        dataclasses.replace(data, images=data.images * 0.999),
    ]
    found = {digest(one) for one in changed}
    assert len(found) == len(changed)
    assert not found & set(KNOWN)


def test_the_digest_of_what_is_not_bytes_is_that_of_an_idx_file_of_floats() -> None:
    """Written by numpy here, from the docstring alone."""
    data = load_dataset("digits")
    parts = []
    for images, labels in ((data.train_images, data.train_labels), (data.images, data.labels)):
        head = bytes([0, 0, 0x0D, 3]) + np.array([len(images), 28, 28], dtype=">u4").tobytes()
        parts.append(head + images.numpy().astype(">f4").tobytes())
        head = bytes([0, 0, 0x08, 1]) + np.array([len(labels)], dtype=">u4").tobytes()
        parts.append(head + bytes(labels.tolist()))
    lines = "".join(hashlib.sha256(part).hexdigest() + "\n" for part in parts)
    assert digest(data) == hashlib.sha256(lines.encode()).hexdigest()


def test_an_unknown_name_is_refused() -> None:
    for unknown in (load_dataset, fetch):
        with pytest.raises(ValueError, match=rf"^dataset must be one of {', '.join(DATASETS)}, got 'cats'$"):
            unknown("cats")
