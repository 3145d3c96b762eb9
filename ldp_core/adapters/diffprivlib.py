"""IBM's diffprivlib 0.6: ``Laplace``, ``GaussianAnalytic`` and ``Gaussian``, which randomise one number per call.

An adapter calls it once for every entry, with the whole gradient's epsilon and sensitivity: the L1 distance
2 L sqrt(d) for Laplace, the L2 distance 2 L for the normal ones.
"""

import importlib
import sys
from functools import cache
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ldp_core.adapters._base import Additive, AdditiveLaplace, rows


class Laplace(AdditiveLaplace):
    """``diffprivlib.mechanisms.Laplace``, whose noise is a sum of products of four random numbers."""

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
        """Return reports, shape (n, d)."""
        mechanism = _made("Laplace", epsilon=self.epsilon, sensitivity=self.distance(len(gradient)))
        return _randomise(mechanism, self.clipped(gradient), num_reports)

    def _prepare(self) -> None:
        _mechanisms()


class GaussianAnalytic(Additive):
    """``diffprivlib.mechanisms.GaussianAnalytic``, calibrated as in Balle and Wang 2018."""

    kind: ClassVar[str] = "GaussianAnalytic"

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
        """Return reports, shape (n, d)."""
        return _randomise(self._mechanism, self.clipped(gradient), num_reports)

    def _prepare(self) -> None:
        self._mechanism = _made(self.kind, epsilon=self.epsilon, delta=self.delta, sensitivity=2.0 * self.clip_norm)


class Gaussian(GaussianAnalytic):
    """``diffprivlib.mechanisms.Gaussian``: the classic calibration, which it offers up to epsilon 1."""

    kind = "Gaussian"
    epsilon_range = (0.01, 1.0)


def _mechanisms() -> ModuleType:
    # Its models do not import beside scikit-learn 1.9, and the package imports them first; its mechanisms need none.
    sys.modules.setdefault("diffprivlib.models", ModuleType("diffprivlib.models"))
    return importlib.import_module("diffprivlib.mechanisms")


@cache
def _made(kind: str, **claim: float) -> Any:
    return getattr(_mechanisms(), kind)(**claim)


def _randomise(mechanism: Any, sent: NDArray[np.float64], num_reports: int) -> NDArray[np.float64]:
    values = sent.tolist()
    return rows([[mechanism.randomise(value) for value in values] for _ in range(num_reports)], len(sent))
