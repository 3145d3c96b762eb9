"""A .npz file of images and labels: known layouts keep their pixels, and anything else gets one sentence."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from ldp_core.datasets import load_dataset, read_archive
from ldp_core.errors import DatasetUnavailableError
from tests.helpers.places import SHARED
from tests.helpers.spoiled import npz
from tests.learning.test_datasets_own import check_private, same, write, zipped

RANDOM = np.random.default_rng(3)
GREY = RANDOM.integers(0, 256, (30, 28, 28), dtype=np.uint8)
COLOUR = RANDOM.integers(0, 256, (30, 32, 32, 3), dtype=np.uint8)
LABELS = np.arange(30) % 3 * 4 + 1


@pytest.mark.parametrize("names", [("x_train", "y_train", "x_test", "y_test"),
                                   ("train_images", "train_labels", "test_images", "test_labels"),
                                   ("x", "y", "x_test", "y_test")])  # fmt: skip
@pytest.mark.parametrize("images", [GREY, COLOUR])
def test_parts_keep_pixels_labels_and_what_is_held_out(names: tuple[str, ...], images: np.ndarray) -> None:
    parts = images[:24], LABELS[:24], images[24:], LABELS[24:, None]
    file = io.BytesIO()
    (np.savez_compressed if images is GREY else np.savez)(file, **dict(zip(names, parts, strict=True)))
    data = read_archive(file.getvalue())
    planes = images[:, None] if images.ndim == 3 else images.transpose(0, 3, 1, 2)
    found = torch.cat((data.train_images, data.images)).mul(255.0).round().to(torch.uint8)
    assert torch.equal(found, torch.from_numpy(planes))
    assert torch.cat((data.train_labels, data.labels)).tolist() == [place % 3 for place in range(30)]
    assert (len(data.images), data.num_classes, data.public) == (6, 3, False)


def test_other_layouts_are_the_same_images(tmp_path: Path) -> None:
    plain = read_archive(npz(x_train=GREY, y_train=LABELS))
    assert len(plain.images) == 6
    assert same(plain, read_archive(npz(x=GREY[..., None] / np.float32(255.0), y=LABELS.astype(np.uint8))))
    assert same(plain, read_archive(npz(x=np.asfortranarray(GREY), y=LABELS)))
    validated = npz(train_images=GREY[:20], train_labels=LABELS[:20], val_images=GREY[20:], val_labels=LABELS[20:])
    assert same(plain, read_archive(validated))
    folder = write(tmp_path / "folder", {"melanoma.npz": validated, ".DS_Store": b""})
    for path in (folder, folder / "melanoma.npz"):
        assert same(plain, load_dataset("own", path))
    assert same(plain, read_archive(zipped({"patient/melanoma.npz": validated})))


def lying(count: int) -> bytes:
    """Return a .npz file whose header says more images than there are: to believe it would take the whole memory."""
    header = saved_one(GREY).replace(b"(30, 28, 28)", f"({count}, 28, 28)".encode()[:12])
    return zipped({"x.npy": header, "y.npy": saved_one(LABELS)})


def saved_one(values: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (npz(melanoma=GREY, patient=LABELS), "x_train and y_train"),
        (npz(x=GREY), "got 1 arrays without such a pair"),
        (npz(x=GREY, y=LABELS[:-1]), "shape (30, 28, 28) of uint8 and shape (29,) of int64"),
        (npz(x=GREY, y=LABELS / 2), "shape (30,) of float64"),
        (npz(x=GREY.reshape(30, -1), y=LABELS), "shape (30, 784) of uint8"),
        (npz(x=GREY.astype(np.float32), y=LABELS), "others from 0 to 1"),
        (npz(x=np.full(GREY.shape, np.nan), y=LABELS), "others from 0 to 1"),
        (npz(x=np.array([{"melanoma": 1}] * 30, dtype=object), y=LABELS), "an array that cannot be read"),
        (npz(x=np.zeros((30, 28, 28), [("melanoma", "u1")]), y=LABELS), "of void8"),
        (lying(9999), "an array that cannot be read"),
        (zipped({"x.npy": b"patient", "y.npy": b""}), "an array that cannot be read"),
        (zipped({"x.npy": saved_one(GREY), "y.npy": saved_one(LABELS)}, zipfile.ZIP_BZIP2), "cannot be read"),
        (npz(x=GREY, y=LABELS * 0), "from 2 to 1,000 labels"),
        (npz(x=GREY[:10], y=LABELS[:10]), "at least 20 in all, got 10"),
    ],
)  # fmt: skip
def test_anything_else_gets_one_sentence(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "own.npz").write_bytes(content)
    sentences = set()
    for attempt in (lambda: read_archive(content), lambda: load_dataset("own", tmp_path / "own.npz")):
        with pytest.raises(DatasetUnavailableError) as error:
            attempt()
        check_private(error)
        sentences.add(str(error.value))
    (sentence,) = sentences
    assert said in sentence
    assert "\n" not in sentence


@pytest.mark.nightly
@pytest.mark.skipif(
    not (SHARED / "cifar10_subset.npz").is_file(), reason="../shared/data/cifar10_subset.npz is not there"
)
def test_pictures_of_cifar10_are_read() -> None:
    data = load_dataset("own", SHARED / "cifar10_subset.npz")
    assert (tuple(data.train_images.shape), tuple(data.images.shape)) == ((5_085, 3, 32, 32), (1_017, 3, 32, 32))
    assert data.num_classes == 10
