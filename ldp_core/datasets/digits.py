"""The 1,797 handwritten digits that ship with scikit-learn."""

from pathlib import Path
from typing import ClassVar

from ldp_core.datasets._images import ImageData, held_out_fifth


class Digits:
    """The digits, brought from 8x8 to 28x28; they need no folder and no download."""

    name: ClassVar[str] = "digits"
    shape: ClassVar[tuple[int, int]] = (1, 28)
    place: ClassVar[str] = ""
    download_bytes: ClassVar[int] = 0

    def load(self, data_dir: Path | None = None, download: bool = False) -> ImageData:
        """Load the digits; the arguments mean nothing here."""
        import torch
        from sklearn.datasets import load_digits
        from torch.nn.functional import interpolate

        digits = load_digits()
        small = torch.tensor(digits.images, dtype=torch.float32).div_(16.0).unsqueeze(1)
        images = interpolate(small, size=(28, 28), mode="bilinear", align_corners=False)
        labels = torch.tensor(digits.target, dtype=torch.int64)
        train, own = held_out_fifth(len(images))
        return ImageData(self.name, images[train], labels[train], images[own], labels[own], 10, public=True)
