"""One picture of a stranger's folder: read, bounded and brought to a small square with nothing cut off."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from ldp_core.errors import DatasetUnavailableError

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

MOST_PIXELS = 50_000_000
GREY_SIZE, COLOUR_SIZE = 28, 32
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "PPM")
"""No others: Pillow hands some (PostScript) to programs outside."""


def read_picture(file: IO[bytes]) -> tuple[np.ndarray, np.ndarray | None] | None:
    """Read one picture in both layouts, since only all pictures together decide which one is used.

    Bytes of shape (3, 32, 32), and of shape (1, 28, 28) unless it has colour; None if it cannot be read. Raises
    ``DatasetUnavailableError`` if it has more than ``MOST_PIXELS``.
    """
    picture = _decoded(file)
    return None if picture is None else in_both_layouts(picture)


def in_both_layouts(picture: Image) -> tuple[np.ndarray, np.ndarray | None]:
    """Return what ``read_picture`` does of a grey or RGB picture of 8 bits."""
    import numpy as np

    colour = np.asarray(_fitted(picture.convert("RGB"), COLOUR_SIZE)).transpose(2, 0, 1)
    if (colour != colour[:1]).any():
        return colour, None
    return colour, np.asarray(_fitted(picture.convert("L"), GREY_SIZE))[None]


def read_grey(file: IO[bytes]) -> np.ndarray | None:
    """Read one picture as grey bytes of shape (28, 28); arguments and errors as in ``read_picture``."""
    import numpy as np

    picture = _decoded(file)
    return None if picture is None else np.asarray(_fitted(picture.convert("L"), GREY_SIZE))


def read_squares(file: IO[bytes], most: int) -> np.ndarray | None:
    """Read one picture as grey bytes, a square of at most so many a side; arguments and errors as in ``read_picture``.

    A square that is small enough stays as it is; another picture is fitted, its borders black.
    """
    import numpy as np

    picture = _decoded(file)
    if picture is None:
        return None
    grey = picture.convert("L")
    return np.asarray(grey if grey.width == grey.height <= most else _fitted(grey, most))


def dark_on_light(pixels: np.ndarray) -> bool:
    """Return whether the edge of a picture, most of which is background, is light.

    The median decides, so that a stroke that leaves the picture does not.
    """
    import numpy as np

    edge = np.concatenate((pixels[0], pixels[-1], pixels[1:-1, 0], pixels[1:-1, -1]))
    return bool(np.median(edge) > 127.5)


def _decoded(file: IO[bytes]) -> Image | None:
    """Return a grey or RGB picture, or None; errors stop here, since Pillow's name the file."""
    from PIL import Image, ImageOps

    try:
        with Image.open(file, formats=_FORMATS) as picture:
            pixels = picture.width * picture.height
            if pixels <= MOST_PIXELS:
                return _plain(ImageOps.exif_transpose(picture))
        size = f"{pixels:,}"
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        size = "more"
    except Exception:  # what a damaged file makes a decoder raise has no common name
        return None
    raise DatasetUnavailableError(
        f"each of your own images must have at most {MOST_PIXELS:,} pixels, got one with {size}; make it smaller"
    )


def _plain(picture: Image) -> Image:
    """Bring any kind of picture to 8 bits, grey or RGB; what is transparent becomes black, as the padding is."""
    import numpy as np
    from PIL import Image

    if picture.mode.startswith("I"):  # 16 bits
        return Image.fromarray((np.asarray(picture).clip(0, 65_535) / 257.0).round().astype(np.uint8))
    if picture.mode == "F":
        raise ValueError("no known range")
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", picture.size, (0, 0, 0, 255)), picture).convert("RGB")
    return picture.convert("L" if picture.mode in ("1", "L") else "RGB")


def _fitted(picture: Image, size: int) -> Image:
    from PIL import Image

    scale = size / max(picture.size)
    width, height = (max(1, round(length * scale)) for length in picture.size)
    canvas = Image.new(picture.mode, (size, size))
    small = picture.resize((width, height), Image.Resampling.LANCZOS)
    canvas.paste(small, ((size - width) // 2, (size - height) // 2))
    return canvas
