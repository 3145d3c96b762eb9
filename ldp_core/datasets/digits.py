"""The 1,797 handwritten digits that ship with scikit-learn."""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from ldp_core.datasets._images import ImageData, held_out_fifth

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Digits:
    """The digits, brought from 8x8 to 28x28; they need no folder and no download."""

    name: ClassVar[str] = "digits"
    shape: ClassVar[tuple[int, int]] = (1, 28)
    place: ClassVar[str] = ""
    download_bytes: ClassVar[int] = 0

    def load(self, data_dir: Path | None = None) -> ImageData:
        """Load the digits; ``data_dir`` means nothing here."""
        import torch
        from torch.nn.functional import interpolate

        pixels, targets = _read()
        small = torch.tensor(pixels, dtype=torch.float32).div_(16.0).unsqueeze(1)
        images = interpolate(small, size=(28, 28), mode="bilinear", align_corners=False)
        labels = torch.tensor(targets, dtype=torch.int64)
        train, held_out = held_out_fifth(len(images))
        return ImageData(self.name, images[train], labels[train], images[held_out], labels[held_out], 10, public=True)


def _read() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return pixels from 0 to 16, shape (1797, 8, 8), and labels, from scikit-learn's file, not by its code."""
    import numpy as np

    package = find_spec("sklearn")
    file = Path(package.origin).parent / "datasets" / "data" / "digits.csv.gz" if package and package.origin else None
    if file is None or not file.is_file():
        from sklearn.datasets import load_digits

        digits = load_digits()
        return digits.images, digits.target
    with gzip.open(file, "rt") as lines:
        table = np.loadtxt(lines, delimiter=",")
    return table[:, :-1].reshape(-1, 8, 8), table[:, -1].astype(np.int64)
