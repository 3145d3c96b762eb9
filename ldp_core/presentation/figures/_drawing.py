"""What the plain SVG pictures are made of: lines, marks, axes and words, with y pointing up.

One unit is half a hundredth of a chart's width, about 1.6 pixels; words take the page's colour.
"""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ldp_core.presentation.figures._styles import COIN

LETTER = 10.5
DOTS = 'stroke-dasharray="1.5 3"'
Point = tuple[float, float]


def svg(box: Iterable[float], parts: Sequence[str], alt: str) -> str:
    place = " ".join(f"{number:g}" for number in box)
    head = f'<svg class="ldp-drawn" viewBox="{place}" role="img" aria-label="{escape(alt)}" font-size="{LETTER}">'
    return f"{head}{''.join(parts)}</svg>"


def standalone_svg(drawn: str) -> str:
    """Return a picture as a file of its own: on white, and without the labels that a pointer brings up."""
    look = "<style>svg{background:#fff;font-family:sans-serif}.ldp-hit{fill:none}.ldp-tip{display:none}</style>"
    head, _, rest = drawn.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg">{look}{rest}'


def axes(below: Sequence[str], every: int) -> list[str]:
    """Return the axes of a chart 200 wide and 100 high, numbers below, and shares of 100 in some steps beside it."""
    parts = [f'<path d="M0 -100V0H200" fill="none" {stroke(COIN, 1)}/>']
    parts += [label(200 * place / (len(below) - 1), -13, text) for place, text in enumerate(below) if text]
    return parts + [
        label(-4, 100 * step / every - 3.5, f"{100 * step // every}", anchor="end") for step in range(every + 1)
    ]


def titles(below: str, beside: str) -> list[str]:
    return [label(100, -28, below), f'<g transform="translate(-27 -50) rotate(-90)">{label(0, 0, beside)}</g>']


def promise(points: Sequence[Point]) -> list[str]:
    """Return a line in black dashes on a thin white one, which shows on white and on black."""
    path = path_of(points)
    return [
        f'<path d="{path}" fill="none" {stroke("#fff", 2.4)}/>',
        f'<path d="{path}" class="promise" fill="none" {stroke("#000", 1.9)} stroke-dasharray="6 4"/>',
    ]


def path_of(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.2f} {-y:.2f}" for x, y in points)


def marks(points: NDArray[np.float64], colour: str, symbol: str, size: float, kind: str = "older") -> str:
    """Draw points of shape (n, 2), as one path, with marks of a half width; nothing without points."""
    if not len(points):
        return ""
    name = f'class="{kind} {symbol}"'
    starts = [f"M{x:.2f} {-y:.2f}" for x, y in points.tolist()]
    if symbol == "circle":
        return f'<path {name} d="{"h0".join(starts)}h0" {stroke(colour, 2 * size)} stroke-linecap="round"/>'
    if symbol == "diamond":
        shape = f"m0 -{size:g}l{size:g} {size:g}l-{size:g} {size:g}l-{size:g} -{size:g}z"
        return f'<path {name} d="{shape.join(starts)}{shape}" fill="{colour}"/>'
    reach = 0.85 * size
    shape = f"m-{reach:g} -{reach:g}l{2 * reach:g} {2 * reach:g}m0 -{2 * reach:g}l-{2 * reach:g} {2 * reach:g}"
    return f'<path {name} d="{shape.join(starts)}{shape}" fill="none" {stroke(colour, 0.55 * size)}/>'


def line(start: Sequence[float], end: Sequence[float], colour: str, width: float, more: str = "") -> str:
    ends = f'x1="{start[0]:.2f}" y1="{-start[1]:.2f}" x2="{end[0]:.2f}" y2="{-end[1]:.2f}"'
    return f"<line {ends} {stroke(colour, width)} {more}/>"


def label(x: float, y: float, text: str, size: float = LETTER, more: str = "", anchor: str = "middle") -> str:
    look = "" if size == LETTER else f' font-size="{size:g}"'
    more = f" {more}" if more else ""
    return f'<text x="{x:g}" y="{-y:g}" text-anchor="{anchor}" fill="currentColor"{look}{more}>{escape(text)}</text>'


def slices(tips: Sequence[tuple[float, str]], width: float, height: float) -> str:
    """Return what is shown while the pointer is nearer to one place across a chart than to the others."""
    edges = [(place + after) / 2.0 for (place, _), (after, _) in pairwise(tips)]
    parts = []
    for (_, shown), left, right in zip(tips, [0.0, *edges], [*edges, width], strict=True):
        size = f'x="{left:.2f}" y="{-height:g}" width="{max(right - left, 0):.2f}" height="{height:g}"'
        parts.append(f'<rect class="ldp-hit" {size}/><g class="ldp-tip">{shown}</g>')
    return "".join(parts)


def stroke(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width:g}"'
