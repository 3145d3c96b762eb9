"""Small images made here: icon arrays as SVG; every image becomes a data URI."""

import base64

from ldp_core.presentation.figures import RIGHT, WRONG


def uri(content: bytes, kind: str) -> str:
    """Return an image as a data URI, so that it never becomes a file or an address of its own."""
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def whole_of_100(share: float) -> int:
    """Return a share as whole guesses of 100; what is not all of them never reads as all."""
    return 100 if share == 1.0 else min(round(100 * share), 99)


def icon_array_svg(right: int, of: int) -> str:
    """Draw ten rows of ten: right guesses as dots from the bottom left, then wrong ones as crosses.

    Of more than 100 guesses, each mark is a square that stands for ``of / 100`` of them; a square that holds both
    kinds is split, and ringed if it holds all the wrong ones, because they would be overlooked.

    Raises:
        ValueError: if the numbers do not fit.
    """
    if of not in (100, 1_000, 10_000) or not 0 <= right <= of:
        raise ValueError(f"an icon array shows 0 to 100, 1,000 or 10,000 right guesses, got {right} of {of}")
    each = of // 100
    full, rest = divmod(right, each)
    marks = [_mark(index, "split" if index == full and rest else "r" if index < full else "w") for index in range(100)]
    if rest and full == 99:
        marks.append(f'<circle cx="95" cy="5" r="8" fill="none" stroke="{WRONG}" stroke-width="1.6"/>')
    if of == 100:
        kinds = {
            "r": f'<circle cx="5" cy="5" r="3.9" fill="{RIGHT}"/>',
            "w": f'<path d="M2 2l6 6M8 2l-6 6" stroke="{WRONG}" stroke-width="1.7"/>',
        }
    else:
        cross = '<path d="M3.4 3.4l3.2 3.2M6.6 3.4l-3.2 3.2" stroke="#fff"/>'
        left = min(8 * rest / each, 7.3)
        kinds = {
            "r": f'<rect x="1" y="1" width="8" height="8" rx="1" fill="{RIGHT}"/>',
            "w": f'<rect x="1" y="1" width="8" height="8" rx="1" fill="{WRONG}"/>{cross}',
            "split": f'<rect x="1" y="1" width="{left:.2f}" height="8" fill="{RIGHT}"/>'
            f'<rect x="{1 + left:.2f}" y="1" width="{8 - left:.2f}" height="8" fill="{WRONG}"/>',
        }
    symbols = "".join(f'<g id="{kind}">{shape}</g>' for kind, shape in kinds.items())
    box = "-1 -4 105 105" if of > 100 else "0 0 100 100"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><defs>{symbols}</defs>{"".join(marks)}</svg>'


def _mark(index: int, kind: str) -> str:
    row, column = divmod(index, 10)
    return f'<use href="#{kind}" x="{10 * column}" y="{90 - 10 * row}"/>'
