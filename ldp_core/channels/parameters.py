"""The channel in parameter space: noise on the update, which must be solved again for each model that is sent.

Beside it what noise on the picture amounts to there: an adaptive noise, which grows with the slope of the model.
"""

from __future__ import annotations

import numpy as np

from ldp_core.channels._parts import Values
from ldp_core.statistics import information

_SMALL = 1e-7
"""Directions of a Jacobian below this share of its largest are rounding."""


def update_eigenvalues(updates: Values) -> Values:
    """Return the eigenvalues of updates' covariance that are not zero of necessity, largest first.

    Args:
        updates: one of each public picture under the model that was sent, shape (p, d).

    Returns:
        min(p, d) values, >= 0: those of the p x p Gram matrix where p is the smaller, which are the same.
    """
    rest = np.asarray(updates, dtype=np.float64)
    rest = rest - rest.mean(axis=0)
    found = rest @ rest.T if len(rest) <= rest.shape[1] else rest.T @ rest
    return information.eigenvalues_of(found / len(rest))


def noise_on_update(eigenvalues: Values, capacity: float) -> float:
    """Return the variance of white noise on each number of an update at which a report tells at most C nats.

    It depends on the model through the eigenvalues: a server that sends another one changes what the same noise hides,
    so the client solves again in each round.

    Args:
        eigenvalues: of the updates' covariance under this model, see ``update_eigenvalues``.
        capacity: C in nats, > 0.

    Raises:
        ValueError: if no noise reaches it.

    Source: Theorem 2 of the paper named at ``information.capacity``, Sect. 5.1 (controlled parameter channel).
    """
    return information.noise_for(eigenvalues, capacity)


def adaptive_noise(jacobian: Values, noise: Values) -> Values:
    """Return the covariance that noise on the picture has in the update, to first order: J N J^T.

    Args:
        jacobian: of the update by the picture, shape (d, pixels).
        noise: covariance of the noise on the picture, shape (pixels, pixels).

    Source: Eq. 17 of the paper named at ``information.capacity`` (Taylor's expansion of the gradient).
    """
    found: Values = jacobian @ noise @ jacobian.T
    return found


def linear_capacity(jacobian: Values, covariance: Values, noise: Values) -> float:
    """Return what the update of a noisy picture tells of the picture, in nats, to first order and for Gaussian data.

    Update and noise pass through the same Jacobian J, so its size cancels: a model that is scaled tells no more, and
    none tells more than the noisy picture itself (data processing).

    Args:
        jacobian: of the update by the picture, shape (d, pixels).
        covariance: of pictures, shape (pixels, pixels).
        noise: of the noise on them, positive definite, shape (pixels, pixels).

    Returns:
        I(J X; J (X + N)) = 1/2 log det(R (Sigma + N) R^T) - 1/2 log det(R N R^T), the rows of R spanning those of J.

    Source: Eq. 16 and 17 of the paper named at ``information.capacity``; the closed form is derived here.
    """
    small = jacobian.T @ jacobian if jacobian.shape[0] > jacobian.shape[1] else jacobian @ jacobian.T
    if jacobian.shape[0] > jacobian.shape[1]:
        values, vectors = np.linalg.eigh(small)
        rows = vectors[:, values > _SMALL**2 * max(values[-1], 0.0)].T
    else:
        _, sizes, right = np.linalg.svd(jacobian, full_matrices=False)
        rows = right[sizes > _SMALL * (sizes[0] if len(sizes) else 0.0)]
    if not len(rows):
        return 0.0
    total, only = (np.linalg.slogdet(rows @ one @ rows.T)[1] for one in (covariance + noise, noise))
    return max(0.0, 0.5 * float(total - only))
