"""pure-ldp 1.1.2: unary encoding, with the fault that release 1.2.0 corrected (its issue 11).

    python -m ldp_core check tests.peers.pure_ldp:UnaryEncoding --epsilon 1 --dimension 2

It randomizes one of k categories, not a gradient. Here k = 2: the category says whether the sum of the gradient's
entries is negative, so the pairs of opposite gradients are pairs of different categories. A report is the k bits that
it sends, and estimates no gradient.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_CATEGORIES = 2


class UnaryEncoding:
    """``UEClient``, symmetric. Up to 1.1.2 the true category's bit is 1 with probability p + (1 - p) q instead of p."""

    optimised = False
    delta = 0.0

    def __init__(self, epsilon: float) -> None:
        import pure_ldp  # noqa: F401

        self.epsilon = epsilon

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.int64]:
        """Return reports, shape (n, k)."""
        client, category = self._client(), category_of(gradient)
        reports = [client.privatise(category) for _ in range(num_reports)]
        return np.array(reports, dtype=np.int64).reshape(num_reports, _CATEGORIES)

    def _client(self) -> Any:
        from pure_ldp.frequency_oracles.unary_encoding import UEClient

        return UEClient(self.epsilon, _CATEGORIES, use_oue=self.optimised)


class OptimisedUnaryEncoding(UnaryEncoding):
    """``UEClient`` with ``use_oue``: p = 1/2 and q = 1 / (e^epsilon + 1), and the same fault."""

    optimised = True


class DirectEncoding(UnaryEncoding):
    """``DEClient``, which has no such fault: the true category with probability e^eps / (e^eps + k - 1). One number."""

    def randomize(self, gradient: NDArray[np.float32], num_reports: int) -> NDArray[np.int64]:
        """Return reports, shape (n, 1): the category that is sent."""
        from pure_ldp.frequency_oracles.direct_encoding import DEClient

        client, category = DEClient(self.epsilon, _CATEGORIES), category_of(gradient)
        return np.array([client.privatise(category) for _ in range(num_reports)], dtype=np.int64).reshape(-1, 1)


def category_of(gradient: NDArray[np.floating]) -> int:
    """Return the category that stands for a gradient: 1 if its entries have a sum >= 0, else 2."""
    return 1 if float(np.asarray(gradient, np.float64).sum()) >= 0.0 else 2


def bit_probabilities(epsilon: float, optimised: bool) -> tuple[float, float]:
    """Return both bits' shares of 1 as UEClient._perturb of 1.1.2 draws them: each with q, the true one set with p."""
    p, q = 1.0 / (1.0 + math.exp(-epsilon / 2)), 1.0 / (1.0 + math.exp(epsilon / 2))
    if optimised:
        p, q = 0.5, 1.0 / (1.0 + math.exp(epsilon))
    return p + (1.0 - p) * q, q


def exact_epsilon(epsilon: float, optimised: bool = False) -> float:
    """Return what unary encoding of release 1.1.2 really gives; if symmetric, more than ln 3 at any claim."""
    true, other = bit_probabilities(epsilon, optimised)
    return math.log(true / (1.0 - true) * (1.0 - other) / other)
