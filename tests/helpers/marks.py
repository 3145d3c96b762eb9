"""A client whose every image, label and file name can be found again wherever it leaks to."""

import base64
import functools
import io
import re
import zipfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image

from ldp_core.cache import Cache
from ldp_core.datasets import ImageData, reading
from ldp_core.game.setup import client_state, craft_pair, ended, prepare
from ldp_core.studies.audit.configuration import make_config
from tests.helpers.spoiled import packed

WORD = "rosebud-4711"
SETTINGS = {
    "dataset": "own",
    "training": "none",
    "attack": "benign",
    "num_trials": 300,
    "num_measurements": 1,
    "seed": 5,
}
_PIXELS = np.random.default_rng(4711).integers(0, 256, (24, 28, 28), dtype=np.uint8)


def encoded(pixels: np.ndarray, kind: str = "PNG") -> bytes:
    content = io.BytesIO()
    Image.fromarray(pixels).save(content, kind)
    return content.getvalue()


def picture(number: int = 0) -> bytes:
    """Return one of the client's images as a PNG."""
    return encoded(_PIXELS[number])


def pixels() -> np.ndarray:
    """Return all images, shape (24, 28, 28)."""
    return _PIXELS


def names() -> list[str]:
    """Return where the client keeps each image: below a folder for its label."""
    return [f"{WORD}-label-{number % 2}/{WORD}-{number}.png" for number in range(len(_PIXELS))]


def archive() -> bytes:
    """Return all images as a .zip file."""
    return packed(*((name, picture(number)) for number, name in enumerate(names())))


def read_archive(content: bytes) -> ImageData:
    """Return the images of a whole file in memory."""
    return ended(reading(content))


def folder(place: Path) -> Path:
    """Write all images below a folder, and return its marked path."""
    made = place / f"{WORD}-folder"
    for number, name in enumerate(names()):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_bytes(picture(number))
    return made


def gradients(place: Path) -> list[np.ndarray]:
    """Return the two gradients that a run with ``SETTINGS`` tells apart; ``place`` is an empty folder."""
    config = make_config(**SETTINGS, epsilon=1.0, clip_norm=1.0)  # type: ignore[arg-type]
    found = ended(prepare(lambda *_: None, "own", "none", Cache(place), data=read_archive(archive())))
    pair = craft_pair(config, client_state(found.data, found.model, clip_norm=1.0), 0)
    return [pair.first.numpy(), pair.second.numpy()]


def traces(content: bytes, vectors: list[np.ndarray]) -> set[str]:
    """Return what of the client is in some output; "printed" is any array or tensor, whoever's it is."""
    packed = set[str]()
    if content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            packed = packed.union(*(traces(file.read(name), vectors) for name in file.namelist()))
    numbers = [vector[np.argsort(-np.abs(vector))[:20]].tolist() for vector in vectors]
    found = {
        "name": [WORD.encode(), base64.b64encode(WORD.encode())[:-4]],
        "picture": [b"\x89PNG", b"iVBORw0KGgo"],
        "image": _image_forms(),
        "gradient": [
            form for vector in vectors for form in _forms(vector[np.flatnonzero(vector)[:8]]) + _prints(vector)
        ]
        + [f"{abs(number):.12e}"[:9].replace(".", "").encode() for tops in numbers for number in tops],
        "printed": [b"tensor([", b"array(["],
    }
    plain, even = content.replace(b".", b""), _even(content)
    return packed | {
        kind
        for kind, forms in found.items()
        for form in forms
        if form in content or form in even or (form.isdigit() and form in plain)
    }


@functools.cache
def _image_forms() -> list[bytes]:
    images = [*_PIXELS, *(_PIXELS / np.float32(255)).astype(np.float32)]
    rows = [row for image in images for row in (image[13], image[14])]
    printed = [np.stack([image, image]) for image in images] + [row[:6] for row in rows]  # of many, numpy says the ends
    return [form for row in rows for form in _forms(row)] + [form for values in printed for form in _prints(values)]


def _prints(values: np.ndarray) -> list[bytes]:
    """Return what torch and numpy print of numbers, the two ends of many; three small numbers are left out."""
    said = [text[text.index("[") : text.rindex("]")] for text in (str(torch.from_numpy(values)), str(values))]
    forms = [_even(part.encode()).strip() for text in said for part in text.split("...")]
    return [form for form in forms if len(form) > 15]


def _even(content: bytes) -> bytes:
    """Return some output with one blank for all that is between printed numbers."""
    return re.sub(rb"[\s,\[\]]+", b" ", content)


def _forms(values: np.ndarray) -> list[bytes]:
    """Return how a few neighbouring numbers may stand in a file."""
    raw = values.tobytes()
    inner = [base64.b64encode(raw[start:])[4:-4] for start in range(3)]
    digits = [str(value) for value in values[:6].tolist()]
    return [raw, raw.hex().encode(), *inner, ",".join(digits).encode(), ", ".join(digits).encode()]
