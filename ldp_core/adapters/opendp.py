"""OpenDP's Laplace and Gaussian measurements (opendp 0.16): the noise scale is OpenDP's own answer to a claim.

Both add noise to every entry by itself, so many reports come from one call on as many copies of the gradient; the scale
is that of one gradient. OpenDP calls these constructors "contrib": not yet vetted by them.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.adapters._base import Additive, AdditiveLaplace, rows


class Laplace(AdditiveLaplace):
    """``make_laplace`` on vectors, for the L1 distance 2 L sqrt(d)."""

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
        """Return reports, shape (n, d)."""
        sent = np.tile(self.clipped(gradient), num_reports)
        return rows(_laplace(self.distance(len(gradient)), self.epsilon)(sent.tolist()), len(gradient))

    def _prepare(self) -> None:
        _library()


class Gaussian(Additive):
    """``make_gaussian`` on vectors, for the L2 distance 2 L; (epsilon, delta) follows from zero-concentration."""

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.float64]:
        """Return reports, shape (n, d)."""
        sent = np.tile(self.clipped(gradient), num_reports)
        return rows(_gaussian(self.deviation)(sent.tolist()), len(gradient))

    def _prepare(self) -> None:
        dp = _library()

        def converted(scale: float) -> Any:
            return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(_gaussian(scale)), delta=self.delta)

        deviation = dp.binary_search_param(converted, d_in=2.0 * self.clip_norm, d_out=(self.epsilon, self.delta))
        self.deviation = float(deviation)
        """The smallest standard deviation for which OpenDP's own map says (epsilon, delta)."""


def _library() -> Any:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def _vectors() -> Any:
    dp = _library()
    return dp.vector_domain(dp.atom_domain(T=float, nan=False))


@cache
def _laplace(distance: float, epsilon: float) -> Any:
    dp = _library()
    space = _vectors(), dp.l1_distance(T=float)
    scale = dp.binary_search_param(lambda scale: dp.m.make_laplace(*space, scale), d_in=distance, d_out=epsilon)
    return dp.m.make_laplace(*space, scale)


@cache
def _gaussian(scale: float) -> Any:
    dp = _library()
    return dp.m.make_gaussian(_vectors(), dp.l2_distance(T=float), scale)
