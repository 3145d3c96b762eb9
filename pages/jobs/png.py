"""Images and updates as PNG, in memory."""

import io
from typing import Any

from PIL import Image


def png(image: Any) -> bytes:
    """Encode a (channels, height, width) tensor in [0, 1], with 1 or 3 channels, as a PNG."""
    return png_of(image.detach().clamp(0, 1).mul(255).round().byte().permute(1, 2, 0).squeeze(2).numpy())


def png_of(pixels: Any) -> bytes:
    """Encode an array of bytes of shape (height, width), or (height, width, 3) for red, green and blue, as a PNG."""
    content = io.BytesIO()
    Image.fromarray(pixels).save(content, "PNG")
    return content.getvalue()
