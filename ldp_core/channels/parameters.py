"""The channel in parameter space: noise on the update, which must be solved again for each model that is sent.

Beside it what noise on the picture amounts to there: an adaptive noise, which grows with the slope of the model.
"""

import numpy as np

from ldp_core.channels.pictures import Values
from ldp_core.statistics import information

_SMALL = 1e-7
"""Directions of a Jacobian below this share of its largest are rounding."""


def update_eigenvalues(updates: Values) -> Values:
    """Return the min(p, d) eigenvalues of p updates' covariance that are not zero of necessity, largest first.

    The updates, shape (p, d), are those of public pictures under the model that was sent. Where p is the smaller they
    are those of the Gram matrix, which are the same.
    """
    rest = np.asarray(updates, dtype=np.float64)
    rest = rest - rest.mean(axis=0)
    gram = rest @ rest.T if len(rest) <= rest.shape[1] else rest.T @ rest
    return information.eigenvalues_of(gram / len(rest))


def noise_on_update(eigenvalues: Values, capacity: float) -> float:
    """Return the variance of white noise on each number of an update at which a report tells at most C nats.

    It depends on the model through the eigenvalues (``update_eigenvalues``): a server that sends another one changes
    what the same noise hides, so the client solves again in each round. Raises ``ValueError`` if no noise reaches
    C > 0.

    Source: Theorem 2 of the paper named at ``information.capacity``, Sect. 5.1 (controlled parameter channel).
    """
    return information.noise_for(eigenvalues, capacity)


def linear_capacity(jacobian: Values, covariance: Values, noise: Values) -> float:
    """Return what the update of a noisy picture tells of the picture, in nats, to first order and for Gaussian data.

    I(J X; J (X + N)) = 1/2 log det(R (Sigma + N) R^T) - 1/2 log det(R N R^T), the rows of R spanning those of J,
    shape (d, pixels). Its size cancels: a model that is scaled tells no more, and none tells more than the noisy
    picture itself (data processing). The noise's covariance is positive definite.

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
    total, only = (np.linalg.slogdet(rows @ matrix @ rows.T)[1] for matrix in (covariance + noise, noise))
    return max(0.0, 0.5 * float(total - only))
