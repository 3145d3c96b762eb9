"""Noise with the covariance of the pictures: every direction is equally hidden."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ldp_core.channels._parts import Fitted, Values
from ldp_core.statistics.information import rank_of


class White:
    """Noise of covariance Sigma / (e^(2C/r) - 1), with r the rank: the same share of every direction is hidden.

    Its noise has the shape of the pictures, so it must be fitted to public ones.

    Source: the paper named at ``information.capacity``, Sect. 5 (white channel).
    """

    name: ClassVar[str] = "white"
    paints: ClassVar[bool] = False

    def fit(self, covariance: Values, capacity: float, importance: Values | None = None) -> Fitted:
        """Return the closed form; see ``Channel.fit``."""
        values, vectors = np.linalg.eigh(covariance)
        values = np.maximum(values, 0.0)
        rank = rank_of(values)
        if rank == 0:
            raise ValueError(
                f"capacity must be one that noise reaches, got {capacity:g} for pictures that do not differ"
            )
        if 2.0 * capacity / rank > 600.0:
            raise ValueError(
                f"capacity must be one that noise reaches, at most {300.0 * rank:g} here, got {capacity:g}"
            )
        ratio = math.expm1(2.0 * capacity / rank)
        kept = np.argsort(values)[::-1][:rank]
        factor = vectors[:, kept] * np.sqrt(values[kept] / ratio)
        return Fitted(covariance, factor, np.full(rank, ratio), None, rank)
