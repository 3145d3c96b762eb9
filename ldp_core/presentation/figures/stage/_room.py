"""Where words stand on a chart of the stage, so that none lies on another, on a mark or on a line."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ldp_core.presentation.figures._drawing import Point, label, line
from ldp_core.presentation.figures._styles import NEUTRAL

WIDTH, HEIGHT = 424.0, 236.0
"""Of what lies within the axes, in units of the drawing."""
LETTER = 17.0
"""Height of a letter on the narrowest screen, where words need most room."""
_ROW = 1.15 * LETTER
_END, _FAR = WIDTH + 8.0, 28.0
_Place = tuple[float, float, str]
"""Where the first line begins, or with "end" for an anchor, ends."""
_Rectangle = tuple[float, float, float, float]
"""Left, foot, right and top."""


class Room:
    """What is drawn already. Words take the first of their places that covers least of it.

    ``lines``: the points of each line, from left to right; the first one rises from edge to edge. ``marks``: what words
    keep away from, too.
    """

    def __init__(self, lines: Sequence[Sequence[Point]], marks: Sequence[Point]) -> None:
        self._bound = np.array(lines[0]).T
        self._points = np.concatenate([_dense(path) for path in lines])
        self._boxes = [_around(mark) for mark in marks]

    def take(self, bar: Sequence[Point], mark: Point) -> None:
        """Keep words off a mark and the bar through it, also."""
        self._points = np.concatenate([self._points, _dense(bar)])
        self._boxes.append(_around(mark))

    def beside(self, point: Point, text: str, *, above: bool = False, more: str = "") -> str:
        """Write as near to a point as there is room on one side of the first line; from afar, a thin line leads there.

        ``above``: whether on the upper side, else on the lower one.
        """
        width, (x, y) = _width([text]), point
        lefts = [left for left in (x + 12.0, x - 12.0 - width, *np.arange(0.0, _END - width, 9.0)) if left >= 0.0]
        feet = [foot for foot in np.arange(4.0, HEIGHT + 6.0, 4.0) if abs(foot - y) < 0.5 * HEIGHT]
        boxes = [_rectangle([text], left, foot, "start") for left in lefts for foot in feet]
        ranked = sorted((self._crossed(box, above=above), math.dist(point, _nearest(box, point)), box) for box in boxes)
        least, far, best = math.inf, 0.0, ranked[0][2]
        for crossed, away, box in ranked:
            if 1_000.0 * crossed + away >= least:
                break
            cost = 1_000.0 * crossed + away + 50.0 * self._covered(box)
            if cost < least:
                least, far, best = cost, away, box
        lead = line(point, _nearest(best, point), NEUTRAL, 0.8) if far > _FAR else ""
        # On a wide screen words end before their rectangle does: they begin on the side of the point.
        end, anchor = (best[2], "end") if best[0] + best[2] < 2.0 * x else (best[0], "start")
        return lead + self.write([text], [(end, best[1] + 0.2 * LETTER, anchor)], more)

    def along(self, path: Sequence[Point], lines: Sequence[str]) -> str:
        """Write to the left of a rising line, as high as there is room, or below it."""
        rows = _ROW * (len(lines) - 1)
        places = [(x - 10.0, y + rows, "end") for x, y in reversed(path) if y + rows <= 0.9 * HEIGHT]
        return self.write(lines, [*places, *((x + 12.0, y - 24.0, "start") for x, y in reversed(path))])

    def at_end(self, path: Sequence[Point], lines: Sequence[str]) -> str:
        """Write over a line's right end, or below it; where all is full there, further off."""
        rows = _ROW * (len(lines) - 1)
        near = (rows + 8.0, -22.0, -30.0, -38.0, -46.0, -56.0, -66.0)
        places = [(x, y + rise, "end") for rise in near for x, y in reversed(path) if x > 0.6 * WIDTH]
        places += [(x, y + rows + rise, "end") for x, y in reversed(path) for rise in (26.0, 44.0, -58.0, -76.0)]
        return self.write(lines, places)

    def write(self, lines: Sequence[str], places: Sequence[_Place], more: str = "") -> str:
        """Write lines at that of some places which covers least, an earlier one rather than a later one."""
        cost = [self._covered(_rectangle(lines, *place)) + 0.1 * number for number, place in enumerate(places)]
        x, y, anchor = places[cost.index(min(cost))]
        self._boxes.append(_rectangle(lines, x, y, anchor))
        return "".join(label(x, y - _ROW * row, text, more=more, anchor=anchor) for row, text in enumerate(lines))

    def _crossed(self, box: _Rectangle, *, above: bool) -> bool:
        """Return whether a rectangle is not wholly on one side of the first line, which rises."""
        left, right = np.interp([box[0] - 3.0, box[2] + 3.0], *self._bound)
        return bool(box[1] < right + 3.0 if above else box[3] > left - 3.0)

    def _covered(self, box: _Rectangle) -> float:
        """Return how much would lie below a rectangle, in points of lines."""
        left, foot, right, top = box[0] - 3.0, box[1] - 3.0, box[2] + 3.0, box[3] + 3.0
        x, y = self._points.T
        points = ((x > left) & (x < right) & (y > foot) & (y < top)).sum()
        boxes = sum(
            left < other_box[2] and other_box[0] < right and box[1] < other_box[3] and other_box[1] < box[3]
            for other_box in self._boxes
        )
        inside = box[0] >= 0.0 and box[1] >= 0.0 and box[2] <= _END and box[3] <= HEIGHT + 18.0
        return float(points) + 100.0 * boxes + (0.0 if inside else 1_000.0)


def _dense(path: Sequence[Point]) -> NDArray[np.float64]:
    """Return points on a line from left to right or straight up, of shape (n, 2), three units from each other."""
    if len(path) < 2:
        return np.empty((0, 2))
    points = np.array(path)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.arange(0.0, along[-1], 3.0)
    return np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], axis=1)


def _nearest(box: _Rectangle, point: Point) -> Point:
    """Return where a rectangle is nearest to a point."""
    return min(max(point[0], box[0]), box[2]), min(max(point[1], box[1]), box[3])


def _around(mark: Point) -> _Rectangle:
    return mark[0] - 8.0, mark[1] - 8.0, mark[0] + 8.0, mark[1] + 8.0


def _rectangle(lines: Sequence[str], x: float, y: float, anchor: str) -> _Rectangle:
    """Return what lines cover."""
    width = _width(lines)
    left = x - width if anchor == "end" else x
    return left, y - _ROW * (len(lines) - 1) - 0.2 * LETTER, left + width, y + 0.8 * LETTER


def _width(lines: Sequence[str]) -> float:
    """Return about how wide lines are, of Latin letters and wider ones."""
    return 0.62 * LETTER * max(sum(1.0 if ord(letter) < 0x2E80 else 1.7 for letter in text) for text in lines)
