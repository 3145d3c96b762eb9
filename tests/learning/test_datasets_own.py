"""A client's own images: what they become, what is refused, and that no sentence tells anything about them."""

import io
import os
import shutil
import traceback
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from ldp_core.datasets import ImageData, load_dataset
from ldp_core.errors import DatasetUnavailableError
from tests.helpers.marks import encoded, read_archive
from tests.helpers.spoiled import npz, packed
from tests.learning.test_datasets import one_sentence, same

SECRETS = ("diagnosis", "melanoma", "patient")
"""Occur in every label and file name below, and must not occur in any sentence."""
LABELS = ("diagnosis-healthy", "melanoma")
Files = dict[str, bytes]
Refused = Callable[[Files], pytest.ExceptionInfo[DatasetUnavailableError]]


def squares(number: int = 20, *shape: int) -> list[np.ndarray]:
    """Draw pictures that all differ; grey 28x28 unless told otherwise."""
    random = np.random.default_rng(number)
    return [random.integers(0, 256, shape or (28, 28), dtype=np.uint8) for _ in range(number)]


def collection(pictures: list[np.ndarray], labels: tuple[str, ...] = LABELS) -> Files:
    """Spread pictures over the labels in turn."""
    return {
        f"{labels[place % len(labels)]}/patient-{place:04}.png": encoded(picture)
        for place, picture in enumerate(pictures)
    }


def zipped(files: Files, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    return packed(*files.items(), compression=compression)


def write(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def pairs(data: ImageData) -> list[tuple[bytes, int]]:
    """List all images as bytes with their labels, in a fixed order."""
    images = torch.cat([data.train_images, data.images]).mul(255).round().to(torch.uint8)
    labels = torch.cat([data.train_labels, data.labels])
    return sorted((image.numpy().tobytes(), int(label)) for image, label in zip(images, labels, strict=True))


def only(picture: np.ndarray | bytes, others: list[np.ndarray] | None = None) -> np.ndarray:
    """Return what one picture becomes, by giving it a label of its own after nineteen others."""
    content = picture if isinstance(picture, bytes) else encoded(picture)
    files = collection(others or squares(19), ("melanoma",)) | {"zz-diagnosis/patient.png": content}
    data = read_archive(zipped(files))
    images = torch.cat([data.train_images, data.images])
    return images[torch.cat([data.train_labels, data.labels]) == 1][0].numpy()


@pytest.fixture
def refused(tmp_path: Path) -> Refused:
    """Offer files as a folder, a .zip file and an upload, and return the one sentence that all three give."""

    def refused(files: Files) -> pytest.ExceptionInfo[DatasetUnavailableError]:
        archive = zipped(files)
        folder = write(tmp_path / "folder", files)
        folder.mkdir(exist_ok=True)
        (tmp_path / "own.zip").write_bytes(archive)
        errors = []
        for attempt in (
            lambda: load_dataset("own", folder),
            lambda: load_dataset("own", tmp_path / "own.zip"),
            lambda: read_archive(archive),
        ):
            with pytest.raises(DatasetUnavailableError) as error:
                attempt()
            check_private(error)
            errors.append(error)
        assert len({str(error.value) for error in errors}) == 1
        return errors[0]

    return refused


def check_private(error: pytest.ExceptionInfo[DatasetUnavailableError]) -> None:
    """Neither the sentence nor what Python would print of where it came from tells names."""
    assert error.value.__cause__ is None
    assert error.value.__context__ is None
    printed = "".join(traceback.format_exception(error.value))
    for secret in SECRETS:
        assert secret not in str(error.value)
        assert secret not in printed


def test_grey_images_keep_pixels_and_labels() -> None:
    pictures = squares(40)
    data = read_archive(zipped(collection(pictures)))
    assert pairs(data) == sorted((picture.tobytes(), place % 2) for place, picture in enumerate(pictures))
    assert (data.train_images.shape, data.images.shape) == ((32, 1, 28, 28), (8, 1, 28, 28))
    assert data.images.dtype == data.train_images.dtype == torch.float32
    assert data.labels.dtype == data.train_labels.dtype == torch.int64
    assert 0 <= data.images.min() < 0.1
    assert 0.9 < data.images.max() <= 1
    assert (data.name, data.num_classes, data.public) == ("own", 2, False)
    assert repr(data) == "<ImageData own: private>"


def test_colour_images_keep_pixels_and_labels() -> None:
    pictures = squares(25, 32, 32, 3)
    data = read_archive(zipped(collection(pictures, ("c", "a", "b"))))
    label = {0: 2, 1: 0, 2: 1}
    expected = sorted(
        (picture.transpose(2, 0, 1).tobytes(), label[place % 3]) for place, picture in enumerate(pictures)
    )
    assert pairs(data) == expected
    assert (data.images.shape, data.num_classes) == ((5, 3, 32, 32), 3)


def test_folder_file_and_upload_are_the_same(tmp_path: Path) -> None:
    files = collection(squares(30))
    backwards = dict(reversed(files.items()))
    upload = read_archive(zipped(files))
    (tmp_path / "own.zip").write_bytes(zipped(backwards, zipfile.ZIP_STORED))
    assert same(upload, load_dataset("own", tmp_path / "own.zip"))
    assert same(upload, load_dataset("own", write(tmp_path / "folder", backwards)))
    assert same(upload, load_dataset("own", tmp_path / "folder"))


@pytest.mark.parametrize(("height", "width"), [(300, 100), (100, 300), (57, 56), (2_000, 1), (1, 2_000), (3, 7)])
def test_nothing_is_cut_off_and_the_ratio_stays(height: int, width: int) -> None:
    """A white picture becomes a white rectangle of the same ratio in the middle of black."""
    image = only(np.full((height, width), 255, np.uint8))[0]
    longest = max(height, width)
    rows, columns = max(1, round(28 * height / longest)), max(1, round(28 * width / longest))
    expected = np.zeros((28, 28))
    top, left = (28 - rows) // 2, (28 - columns) // 2
    expected[top : top + rows, left : left + columns] = 1
    assert np.array_equal(image, expected)


def test_sixteen_bits_transparency_and_orientation_are_understood() -> None:
    ramp = np.arange(784).reshape(28, 28)
    deep = only((ramp * 83).astype(np.uint16))[0]
    assert np.array_equal((deep * 255).round(), (ramp * 83 / 257).round())

    clear = np.full((32, 32, 4), 255, np.uint8)
    clear[:16, :, 3] = 0
    image = only(clear, squares(19, 32, 32, 3))
    assert np.array_equal(image, np.broadcast_to(np.arange(32)[:, None] >= 16, (3, 32, 32)))

    turned, exif, file = np.zeros((28, 28), np.uint8), Image.Exif(), io.BytesIO()
    turned[:14] = 255
    exif[0x0112] = 3  # upside down
    Image.fromarray(turned).save(file, "PNG", exif=exif)
    assert np.array_equal(only(file.getvalue())[0], turned[::-1] / 255)


def test_too_few_or_too_many_are_refused() -> None:
    content = encoded(np.zeros((1, 1), np.uint8))
    many = {f"diagnosis-{label:04}/patient.png": content for label in range(1_001)}
    for files, words in (
        ({}, ("from 2 to 1,000 labels", "got 0;")),
        (collection(squares(20), ("melanoma",)), ("from 2 to 1,000 labels", "got 1;")),
        (many, ("from 2 to 1,000 labels", "got 1,001;")),
        (collection(squares(19)), ("at least 20", "got 19;")),
    ):
        upload_refused(zipped(files), *words)


def test_files_that_are_no_images_are_counted(refused: Refused) -> None:
    files = collection(squares(30))
    names = list(files)
    files[names[0]] = b"patient: melanoma"
    files[names[1]] = files[names[1]][: len(files[names[1]]) // 2]
    files[names[2]] = b""
    files[names[3]] = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 28 28\n"
    files[names[4]] = encoded(squares(1)[0], "PCX")  # Pillow would read it; only the formats that are named are tried
    one_sentence(refused(files), "whole image", "got 5 that cannot be read")


def test_a_single_unreadable_picture_is_found_by_its_place(refused: Refused) -> None:
    files = collection(squares(30))
    floats = io.BytesIO()
    Image.fromarray(np.ones((28, 28), np.float32)).save(floats, "TIFF")
    files[sorted(files)[16]] = floats.getvalue()
    one_sentence(refused(files), "of whole numbers", "got 1 that cannot be read (by path, number 17 of 30)")


def test_parts_for_training_and_testing_are_no_labels(refused: Refused) -> None:
    files = {
        f"{part}/{name}": content for part in ("train", "test") for name, content in collection(squares(20)).items()
    }
    one_sentence(refused(files), "one subfolder per label", "got 2 folders with the same 2 subfolders")
    for name in [name for name in files if name.startswith("test/melanoma")]:
        del files[name]
    assert read_archive(zipped({name: files[name] for name in files if name.startswith("train")})).num_classes == 2
    assert read_archive(zipped(files)).num_classes == 2, "one subfolder alike may be a coincidence"


def huge(width: int, height: int) -> bytes:
    """Write the start of a picture that claims so many pixels."""
    file = io.BytesIO()
    Image.new("1", (width, height)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(("width", "got"), [(50_001, "50,001,000"), (400_000, "more")])
def test_a_picture_with_too_many_pixels_is_refused(refused: Refused, width: int, got: str) -> None:
    files = collection(squares(20)) | {"melanoma/patient-x.png": huge(width, 1_000)}
    one_sentence(refused(files), "at most 50,000,000 pixels", f"got one with {got}")


@pytest.mark.parametrize("attempt", [None, "missing", "text", "half", "pipe"])
def test_what_is_no_folder_and_no_zip_file_is_refused(tmp_path: Path, attempt: str | None) -> None:
    path = tmp_path / "own.zip"
    if attempt == "text":
        path.write_text("patient: melanoma")
    elif attempt == "half":
        content = zipped(collection(squares(20)))
        path.write_bytes(content[: len(content) // 2])
    elif attempt == "pipe":
        os.mkfifo(path)
    with pytest.raises(DatasetUnavailableError) as error:
        load_dataset("own", None if attempt is None else path)
    one_sentence(error, "your own images must be a folder", ".zip file", "; ")
    check_private(error)
    assert str(path) not in str(error.value)


def in_place(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    assert len(old) == len(new)
    return content.replace(old, new)


def upload_refused(content: bytes, *words: str) -> None:
    with pytest.raises(DatasetUnavailableError) as error:
        read_archive(content)
    one_sentence(error, *words)
    check_private(error)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten files that say that they unpack to 101 MB each; opening any of them would fail the test."""
    small, large = (size.to_bytes(4, "little") for size in (54_321, 101_000_000))
    bomb = in_place(zipped({f"melanoma/patient-{place}.png": bytes(54_321) for place in range(10)}), small, large)

    def unpacked(*_: object, **__: object) -> None:
        raise AssertionError("unpacked")

    monkeypatch.setattr(zipfile.ZipFile, "open", unpacked)
    upload_refused(bomb, "at most 1,000,000,000 bytes", "got 1,010,000,000;")


def test_a_zip_file_that_lies_about_a_size_is_not_unpacked_beyond_it() -> None:
    """Ten megabytes that claim to be ten bytes are no whole image."""
    zeros = bytes(10_000_000)
    files = collection(squares(20)) | {"melanoma/patient-x.png": zeros}
    size = len(zeros).to_bytes(4, "little")
    content = in_place(zipped(files), size, (10).to_bytes(4, "little"))
    tracemalloc.start()
    try:
        upload_refused(content, "got 1 that cannot be read")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < len(zeros) // 2


@pytest.mark.parametrize("start", ["../", "melanoma/../../", "..\\", "/../"])
def test_names_that_lead_out_are_refused_and_write_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    (tmp_path / "below" / "here").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "below" / "here")
    files = collection(squares(20)) | {f"{start}patient-out.png": encoded(squares(1)[0])}
    (tmp_path / "own.zip").write_bytes(zipped(files))
    before = sorted(tmp_path.rglob("*"))
    upload_refused(zipped(files), "keep below its own folder", "got 1 paths")
    with pytest.raises(DatasetUnavailableError):
        load_dataset("own", tmp_path / "own.zip")
    assert sorted(tmp_path.rglob("*")) == before


def test_reading_an_upload_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("LDP_CACHE_DIR", str(tmp_path / "cache"))
    absolute = {f"{tmp_path}/{name}": content for name, content in collection(squares(20)).items()}
    assert read_archive(zipped(absolute)).num_classes == 2
    assert list(tmp_path.iterdir()) == []


def test_links_to_other_folders_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "own", collection(squares(20)))
    write(tmp_path / "elsewhere", {"patient.png": encoded(squares(1)[0])})
    plain = load_dataset("own", tmp_path / "own")
    (tmp_path / "own" / "melanoma" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "own" / "melanoma" / "loop").symlink_to(tmp_path / "own")
    assert same(plain, load_dataset("own", tmp_path / "own"))


def test_linked_folders_of_labels_are_not_left_out_silently(tmp_path: Path) -> None:
    write(tmp_path / "own", collection(squares(20)))
    (tmp_path / "own" / "third-diagnosis").symlink_to(tmp_path / "own" / "melanoma")
    with pytest.raises(DatasetUnavailableError, match="got 1 links to folders, which are not followed; copy") as error:
        load_dataset("own", tmp_path / "own")
    check_private(error)


def test_nothing_of_the_images_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    files = collection(squares(20))
    with caplog.at_level("INFO"):
        read_archive(zipped(files))
        load_dataset("own", write(tmp_path, files))
        shutil.rmtree(tmp_path / "melanoma")
        with pytest.raises(DatasetUnavailableError):
            load_dataset("own", tmp_path)
    assert caplog.text == ""
    assert capfd.readouterr() == ("", "")


RANDOM = np.random.default_rng(3)
GREY = RANDOM.integers(0, 256, (30, 28, 28), dtype=np.uint8)
COLOUR = RANDOM.integers(0, 256, (30, 32, 32, 3), dtype=np.uint8)
NUMBERS = np.arange(30) % 3 * 4 + 1


@pytest.mark.parametrize("names", [("x_train", "y_train", "x_test", "y_test"),
                                   ("train_images", "train_labels", "test_images", "test_labels"),
                                   ("x", "y", "x_test", "y_test")])  # fmt: skip
@pytest.mark.parametrize("images", [GREY, COLOUR])
def test_parts_keep_pixels_labels_and_what_is_held_out(names: tuple[str, ...], images: np.ndarray) -> None:
    parts = images[:24], NUMBERS[:24], images[24:], NUMBERS[24:, None]
    file = io.BytesIO()
    (np.savez_compressed if images is GREY else np.savez)(file, **dict(zip(names, parts, strict=True)))
    data = read_archive(file.getvalue())
    planes = images[:, None] if images.ndim == 3 else images.transpose(0, 3, 1, 2)
    found = torch.cat((data.train_images, data.images)).mul(255.0).round().to(torch.uint8)
    assert torch.equal(found, torch.from_numpy(planes))
    assert torch.cat((data.train_labels, data.labels)).tolist() == [place % 3 for place in range(30)]
    assert (len(data.images), data.num_classes, data.public) == (6, 3, False)


def test_other_layouts_are_the_same_images(tmp_path: Path) -> None:
    plain = read_archive(npz(x_train=GREY, y_train=NUMBERS))
    assert len(plain.images) == 6
    assert same(plain, read_archive(npz(x=GREY[..., None] / np.float32(255.0), y=NUMBERS.astype(np.uint8))))
    assert same(plain, read_archive(npz(x=np.asfortranarray(GREY), y=NUMBERS)))
    validated = npz(train_images=GREY[:20], train_labels=NUMBERS[:20], val_images=GREY[20:], val_labels=NUMBERS[20:])
    assert same(plain, read_archive(validated))
    folder = write(tmp_path / "folder", {"melanoma.npz": validated, ".DS_Store": b""})
    for path in (folder, folder / "melanoma.npz"):
        assert same(plain, load_dataset("own", path))
    assert same(plain, read_archive(zipped({"patient/melanoma.npz": validated})))


def lying(count: int) -> bytes:
    """Return a .npz file whose header says more images than there are: to believe it would take the whole memory."""
    header = saved_one(GREY).replace(b"(30, 28, 28)", f"({count}, 28, 28)".encode()[:12])
    return zipped({"x.npy": header, "y.npy": saved_one(NUMBERS)})


def saved_one(values: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (npz(melanoma=GREY, patient=NUMBERS), "x_train and y_train"),
        (npz(x=GREY), "got 1 arrays without such a pair"),
        (npz(x=GREY, y=NUMBERS[:-1]), "shape (30, 28, 28) of uint8 and shape (29,) of int64"),
        (npz(x=GREY, y=NUMBERS / 2), "shape (30,) of float64"),
        (npz(x=GREY.reshape(30, -1), y=NUMBERS), "shape (30, 784) of uint8"),
        (npz(x=GREY.astype(np.float32), y=NUMBERS), "others from 0 to 1"),
        (npz(x=np.full(GREY.shape, np.nan), y=NUMBERS), "others from 0 to 1"),
        (npz(x=np.array([{"melanoma": 1}] * 30, dtype=object), y=NUMBERS), "an array that cannot be read"),
        (npz(x=np.zeros((30, 28, 28), [("melanoma", "u1")]), y=NUMBERS), "of void8"),
        (lying(9999), "an array that cannot be read"),
        (zipped({"x.npy": b"patient", "y.npy": b""}), "an array that cannot be read"),
        (zipped({"x.npy": saved_one(GREY), "y.npy": saved_one(NUMBERS)}, zipfile.ZIP_BZIP2), "cannot be read"),
        (npz(x=GREY, y=NUMBERS * 0), "from 2 to 1,000 labels"),
        (npz(x=GREY[:10], y=NUMBERS[:10]), "at least 20 in all, got 10"),
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
