"""What the story's pictures have in common: shares as words, sentences for who cannot see, an update as colours."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ldp_core.illustrate import SentReports, near_probability
from ldp_core.presentation.figures._parts import digits, most_of_100, opens
from ldp_core.presentation.figures._styles import RIGHT, WRONG
from ldp_core.presentation.figures._words import ENGLISH
from ldp_core.statistics import theory

Words = Mapping[str, str]
LIGHT = "rgba(125,98,200,0.5)"
SIDES = ((True, RIGHT, "circle", "near_count"), (False, WRONG, "x", "far_count"))
"""Near or far, colour, marker and name of the two kinds of reports."""
_PIXEL_SCALE = ("#0072B2", "#F7F7F7", "#D55E00")
_ACROSS = 150
"""Squares in a row."""


def half_circle_alt(sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH) -> str:
    """Return what ``half_circle_svg`` or ``sphere_figure`` shows: the counts, and what they settle at."""
    law = words["alt_law"].format(share=limit_of_100(100.0 * near_probability(epsilon, norm, clip_norm), words))
    if not len(sent.points):
        return law
    total = len(sent.points)
    return words["alt_reports"].format(total=total, near=sent.num_near, far=total - sent.num_near) + " " + law


def share_alt(sent: SentReports, epsilon: float, norm: float, clip_norm: float, words: Words = ENGLISH) -> str:
    """Return what ``share_svg`` shows: the share so far, and what it settles at."""
    law = words["alt_law"].format(share=limit_of_100(100.0 * near_probability(epsilon, norm, clip_norm), words))
    total = len(sent.points)
    if not total:
        return law
    share = 100.0 * sent.num_near / total
    return words["alt_share"].format(total=total, near=sent.num_near, share=f"{share:.{digits(share)}f}") + " " + law


def update_pixels(values: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return numbers as a picture of coloured squares, row by row: blue below zero, near white at zero, orange above.

    Full colour is the 99th percentile of the absolute values, so that a few large numbers do not pale the others;
    what is left of the last row is near white.

    ``values``: shape (d,), d >= 1, finite.
    Returns shape (ceil(d / 150), 150, 3): red, green and blue from 0 to 255; 71 rows for 10,650 numbers.
    """
    sizes = np.abs(values)
    top = float(np.quantile(sizes, 0.99)) or float(sizes.max()) or 1.0
    shares = np.zeros(-(-len(values) // _ACROSS) * _ACROSS)
    shares[: len(values)] = np.clip(values / top, -1.0, 1.0)
    ends = [[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in _PIXEL_SCALE]
    channels = [np.interp(shares, [-1.0, 0.0, 1.0], channel) for channel in zip(*ends, strict=True)]
    pixels: NDArray[np.uint8] = np.rint(np.stack(channels, axis=1)).astype(np.uint8).reshape(-1, _ACROSS, 3)
    return pixels


def of_100(share: float, words: Words) -> str:
    """Write a share of 100 without its unit: two digits below ten, and as many as keep it from reading as 100."""
    if opens(share):
        return words["nearly"]
    if share < 9.95:
        return f"{share:.2g}"
    return f"{share:.{0 if share < 89.5 else max(digits(share), 1)}f}"  # below 90 a whole number says enough


def share_of_100(share: float, words: Words) -> str:
    """Write a share of 100 with its unit: "73 of 100", "98.2 of 100"; what reads as all of them is "nearly 100 %"."""
    return words["percent" if opens(share) else "of_100"].format(share=of_100(share, words))


def limit_of_100(share: float, words: Words) -> str:
    """Write the most of 100 that is allowed with its unit: "73.11 of 100"."""
    return words["percent" if opens(share) else "of_100"].format(share=most_of_100(share, words))


def chosen(epsilon: float, words: Words) -> str:
    """Say what an epsilon allows, as in "ε = 1: at most 73.11 of 100"; where that would read as 100, "nearly all"."""
    share = 100.0 * theory.worst_case_identification(epsilon)
    name = "chosen_open" if opens(share) else "chosen_share"
    return words[name].format(epsilon=epsilon, share=limit_of_100(share, words))


def roundings(sent: SentReports, norm: float, clip_norm: float) -> list[tuple[float, float]]:
    """Return the heights, +1 and perhaps -1, of what the length may be rounded to, and how strongly to draw each.

    The strong one is what the newest report was rounded to.
    """
    if norm >= clip_norm:
        return [(1.0, 0.5)]
    up = bool(sent.rounded_up[-1]) if len(sent.points) else None
    return [(height, 0.5 if up == (height > 0.0) else 0.22) for height in (1.0, -1.0)]
