"""How well two colours are told apart: WCAG's contrast, and distances as colour-blind eyes see them."""

import numpy as np
from numpy.typing import NDArray

EYES = {
    "usual": np.eye(3),
    "no long cones": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no middle cones": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "no short cones": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""What each kind of eye makes of linear RGB. Source: Machado, Oliveira and Fernandes 2009, table of severity 1.0."""
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> NDArray[np.float64]:
    """Return the linear RGB of ``#rrggbb``."""
    coded = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21. Source: WCAG 2.2, "contrast ratio"."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, eye: str = "usual") -> NDArray[np.float64]:
    """Return CIE L*a*b* of a colour as an eye sees it."""
    share = _XYZ @ np.clip(EYES[eye] @ linear(colour), 0.0, 1.0) / _WHITE
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(first: str, second: str, eye: str = "usual") -> float:
    """Return the distance of two colours in L*a*b* (CIE 1976) as an eye sees them; about 2 is just noticed."""
    return float(np.linalg.norm(lab(first, eye) - lab(second, eye)))
