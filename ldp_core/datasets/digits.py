"""The 1,797 handwritten digits that ship with scikit-learn."""

from pathlib import Path

from ldp_core.datasets._images import ImageData, held_out_fifth

NAME = "digits"
SHAPE = (1, 28)


def load(data_dir: Path | None = None, download: bool = False) -> ImageData:
    """Load the digits, brought from 8x8 to 28x28; they need no folder and no download."""
    import torch
    from sklearn.datasets import load_digits
    from torch.nn.functional import interpolate

    digits = load_digits()
    small = torch.tensor(digits.images, dtype=torch.float32).div_(16.0).unsqueeze(1)
    images = interpolate(small, size=(28, 28), mode="bilinear", align_corners=False)
    labels = torch.tensor(digits.target, dtype=torch.int64)
    train, own = held_out_fifth(len(images))
    return ImageData(NAME, images[train], labels[train], images[own], labels[own], 10, public=True)
