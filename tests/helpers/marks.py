"""A client whose every image, label and file name can be found again wherever it leaks to."""

import base64
import io
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from ldp_core.cache import Cache
from ldp_core.datasets import read_archive
from ldp_core.prepare import client_state, craft_pair, make_config, prepare

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


def picture(number: int = 0) -> bytes:
    """Return one of the client's images as a PNG."""
    content = io.BytesIO()
    Image.fromarray(_PIXELS[number]).save(content, "PNG")
    return content.getvalue()


def pixels() -> np.ndarray:
    """Return all images, shape (24, 28, 28)."""
    return _PIXELS


def names() -> list[str]:
    """Return where the client keeps each image: below a folder for its label."""
    return [f"{WORD}-label-{number % 2}/{WORD}-{number}.png" for number in range(len(_PIXELS))]


def archive() -> bytes:
    """Return all images as a .zip file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for number, name in enumerate(names()):
            file.writestr(name, picture(number))
    return content.getvalue()


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
    *_, (_, _, _, found) = prepare("own", "none", Cache(place), data=read_archive(archive()))
    assert found is not None
    pair = craft_pair(config, client_state(*found, clip_norm=1.0), 0)
    return [pair.first.numpy(), pair.second.numpy()]


def traces(content: bytes, vectors: list[np.ndarray]) -> set[str]:
    """Return what of the client is in some output: "name", "picture", "image", "gradient"; nothing if all is well."""
    packed = set[str]()
    if content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            packed = packed.union(*(traces(file.read(name), vectors) for name in file.namelist()))
    rows = [row for image in _PIXELS for row in (image[13], image[14])]
    unit = [(row / np.float32(255)).astype(np.float32) for row in rows]
    numbers = [vector[np.argsort(-np.abs(vector))[:20]].tolist() for vector in vectors]
    found = {
        "name": [WORD.encode(), base64.b64encode(WORD.encode())[:-4]],
        "picture": [b"\x89PNG", b"iVBORw0KGgo"],
        "image": [form for row in rows + unit for form in _forms(row)],
        "gradient": [form for vector in vectors for form in _forms(vector[np.flatnonzero(vector)[:8]])]
        + [f"{abs(number):.12e}"[:9].replace(".", "").encode() for tops in numbers for number in tops],
    }
    plain = content.replace(b".", b"")
    return packed | {
        kind for kind, forms in found.items() for form in forms if form in content or (form.isdigit() and form in plain)
    }


def _forms(values: np.ndarray) -> list[bytes]:
    """Return how a few neighbouring numbers may stand in a file."""
    raw = values.tobytes()
    inner = [base64.b64encode(raw[start:])[4:-4] for start in range(3)]
    digits = [str(value) for value in values[:6].tolist()]
    return [raw, raw.hex().encode(), *inner, ",".join(digits).encode(), ", ".join(digits).encode()]
