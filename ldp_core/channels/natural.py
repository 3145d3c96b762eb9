"""The same noise on every pixel."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ldp_core.channels._parts import Fitted, Values
from ldp_core.statistics.information import eigenvalues_of, noise_for, rank_of


class Natural:
    """Independent noise of variance sigma^2 on each pixel: what differs most between pictures stays visible.

    Source: the paper named at ``information.capacity``, Sect. 5 (natural channel).
    """

    name: ClassVar[str] = "natural"
    paints: ClassVar[bool] = False

    def fit(self, covariance: Values, capacity: float, importance: Values | None = None) -> Fitted:
        """Solve C(sigma^2) = C; see ``Channel.fit``."""
        eigenvalues = eigenvalues_of(covariance)
        noise = noise_for(eigenvalues, capacity)
        factor = np.full(len(covariance), math.sqrt(noise))
        return Fitted(covariance, factor, eigenvalues / noise, math.sqrt(noise), rank_of(eigenvalues))
