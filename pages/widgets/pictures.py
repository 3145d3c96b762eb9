"""Small images made here: icon arrays as SVG; every image becomes a data URI."""

import base64

from ldp_core.presentation.figures import RIGHT, WRONG


def uri(content: bytes, kind: str) -> str:
    """Return an image as a data URI, so that it never becomes a file or an address of its own."""
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def whole_of_100(share: float) -> int:
    """Return a share as whole guesses of 100; what is not all of them never reads as all."""
    return 100 if share == 1.0 else min(round(100 * share), 99)


def icon_array_svg(right: int) -> str:
    """Draw ten rows of ten: right guesses of 100 as dots from the bottom left, then wrong ones as crosses.

    Raises:
        ValueError: if the number does not fit.
    """
    if not 0 <= right <= 100:
        raise ValueError(f"an icon array shows 0 to 100 right guesses, got {right}")
    symbols = (
        f'<g id="r"><circle cx="5" cy="5" r="3.9" fill="{RIGHT}"/></g>'
        f'<g id="w"><path d="M2 2l6 6M8 2l-6 6" stroke="{WRONG}" stroke-width="1.7"/></g>'
    )
    marks = "".join(_mark(index, "r" if index < right else "w") for index in range(100))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs>{symbols}</defs>{marks}</svg>'


def _mark(index: int, kind: str) -> str:
    row, column = divmod(index, 10)
    return f'<use href="#{kind}" x="{10 * column}" y="{90 - 10 * row}"/>'
