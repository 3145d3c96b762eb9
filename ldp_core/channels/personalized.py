"""More noise where a map of importance says so."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ldp_core.channels._parts import Fitted, Values
from ldp_core.statistics.information import eigenvalues_of, noise_for, rank_of


class Personalized:
    """Independent noise of variance sigma^2 times the importance of each pixel, with the exact capacity.

    Source: the paper named at ``information.capacity``, Sect. 5 (personalized channel). The paper solves its upper
        bound, Theorem 3 (``information.diagonal_capacity``), which gives more noise than C needs; here C is exact.
    """

    name: ClassVar[str] = "personalized"
    paints: ClassVar[bool] = True

    def fit(self, covariance: Values, capacity: float, importance: Values | None = None) -> Fitted:
        """Solve 1/2 sum log(1 + mu / sigma^2) = C, mu the eigenvalues after whitening; see ``Channel.fit``."""
        weights = np.ones(len(covariance)) if importance is None else np.asarray(importance, dtype=np.float64)
        if weights.shape != (len(covariance),) or not (weights > 0.0).all() or not np.isfinite(weights).all():
            raise ValueError(f"importance must be {len(covariance)} numbers greater than 0, got something else")
        root = np.sqrt(weights)
        eigenvalues = eigenvalues_of(covariance / np.outer(root, root))
        noise = noise_for(eigenvalues, capacity)
        return Fitted(covariance, math.sqrt(noise) * root, eigenvalues / noise, math.sqrt(noise), rank_of(eigenvalues))
