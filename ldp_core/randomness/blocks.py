"""How many values are drawn at a time, on a processor and on a card, and where float32 leaves a sign in doubt.

A processor is fastest with what its caches hold. A card is busy only with large blocks, and whoever asks it for a
number makes both wait: there nothing depends on what was found until a chunk is counted.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch
    from torch import Tensor

_CORE_VALUES = 360_000
"""Values of a block: about 1.4 MB of float32, which stays in a core's second-level cache."""
_CARD_VALUES = 2**27
"""Likewise on a card: 0.5 GB of float32."""
_CARD_ROWS = 2**17
_CARD_DOUBTS = 64
"""Signs of a block on a card that are settled in float64, where about one inner product is expected in doubt."""


def is_card(device: str | torch.device) -> bool:
    """Return whether a device is a card, such as "cuda", and not the processor."""
    return str(device) != "cpu"


def block_rows(dimension: int, device: str | torch.device = "cpu") -> int:
    """Return how many directions are drawn at a time; a function of the dimension and the kind of device alone."""
    if is_card(device):
        return max(1, min(_CARD_ROWS, _CARD_VALUES // dimension))
    return max(1, _CORE_VALUES // dimension)


def chunk_size(dimension: int, device: str | torch.device = "cpu") -> int:
    """Return how many trials one worker takes at a time; a function of the dimension and the kind of device alone.

    >>> chunk_size(10_650), chunk_size(10_650, "cuda")
    (393, 100820)
    """
    if is_card(device):
        return max(1, min(_CARD_ROWS, 2**30 // dimension))
    return max(1, min(512, 2**22 // dimension))


def blocks(num_reports: int, dimension: int, device: str | torch.device = "cpu") -> list[slice]:
    """Cut the reports into blocks of ``block_rows``."""
    size = block_rows(dimension, device)
    return [slice(start, min(start + size, num_reports)) for start in range(0, num_reports, size)]


def doubtful(dimension: int) -> float:
    """Return below which absolute value the inner product of d normals with a unit vector is computed again.

    Its error in float32 is some 1e-8 * sqrt(d), its sign decides a guess, and so the sign is taken from float64
    where float32 could err: counts do not depend on how a machine orders its sums.
    """
    return 5e-7 * math.sqrt(dimension)


def in_doubt(values: Tensor, limit: float) -> Tensor:
    """Return the places of columns that hold a value below ``limit`` (``doubtful``), int64, shape (k,).

    The values have shape (..., n). On a card k is always the same: the first 64 at most, filled up with the place 0, so
    that the processor need not wait to know how many there are.
    """
    import torch

    card = is_card(values.device)
    if not card and (not values.shape[-1] or abs(values.numpy()).min() >= limit):
        return torch.empty(0, dtype=torch.int64)
    below = (values.abs() < limit).reshape(-1, values.shape[-1]).any(dim=0)
    if not card:
        return below.nonzero().squeeze(1)
    slots = below.cumsum(0).mul_(below).clamp_(max=_CARD_DOUBTS + 1)
    places = torch.zeros(_CARD_DOUBTS + 2, dtype=torch.int64, device=values.device)
    return places.scatter_(0, slots, torch.arange(len(below), device=values.device))[1:-1]
