"""How much a report can tell of a picture: capacities, limits on identification, and errors under the Gaussian model.

Everything is in nats. The first part holds for LDP-SGD whatever the pictures are. The second part, channels with
Gaussian noise, gives capacities; what they say of a reconstruction error is a theorem on Gaussian data only and is
called the Gaussian model here: real pictures are no Gaussian data, and an attacker who knows candidates beats it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ldp_core import _lazy, _validate
from ldp_core.types import EPSILON_RANGE

brentq = _lazy.function("scipy.optimize", "brentq")
gammaln = _lazy.function("scipy.special", "gammaln")
Values = NDArray[np.float64]


def binary_entropy(share: float) -> float:
    """Return the entropy in nats of a coin with this probability of heads.

    >>> binary_entropy(0.5) == math.log(2)
    True
    """
    _validate.number("share", share, 0.0, 1.0)
    return -sum(part * math.log(part) for part in (share, 1.0 - share) if part)


def report_information(epsilon: float) -> float:
    """Return the most that one report of LDP-SGD tells of the update, in nats: its channel's capacity.

    ln 2 - h(1/2 + 1/2 * tanh(epsilon/2)), at most ln 2, with epsilon from 0.01 to 30 nats. Given the update's
    direction, the report is uniform on the sphere but for the half that it lies in, which is the update's own with
    probability at most 1/2 + 1/2 * tanh(epsilon/2). A uniform direction of full length reaches it.

    Source: derived here; the capacity of a binary symmetric channel (Cover and Thomas 2006, 7.1.4).

    >>> [round(report_information(epsilon), 3) for epsilon in (0.5, 1.0, 4.0)]
    [0.03, 0.111, 0.603]
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    return max(0.0, math.log(2.0) - binary_entropy(0.5 + 0.5 * math.tanh(epsilon / 2)))


def doubling_limit(epsilon: float, reports: int, candidates: int) -> float:
    """Return how often anybody can say which of N equally likely pictures n reports of LDP-SGD were made from.

    min(1, (2c)^n / N) for epsilon from 0.01 to 30 nats, n >= 0 independent reports of one picture under one model,
    N >= 1. A report's density is at most 2c times the uniform one, whatever the picture, with c = e^eps / (1 + e^eps).
    The best guess is right with the mean over candidates of the greatest density: one report at most doubles a blind
    guess, at any epsilon.

    Source: derived here.

    >>> doubling_limit(8.0, 1, 1000) < 0.002
    True
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.integer("reports", reports, 0)
    _validate.integer("candidates", candidates, 1)
    return math.exp(min(0.0, reports * math.log1p(math.tanh(epsilon / 2)) - math.log(candidates)))


def general_limit(epsilon: float, reports: int, candidates: int) -> float:
    """Return the same for any mechanism that keeps epsilon: e^(n eps) / (e^(n eps) + N - 1).

    Source: definition of local differential privacy and Bayes's rule, reports taken together by basic composition.

    >>> round(general_limit(8.0, 1, 1000), 2)
    0.75
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.integer("reports", reports, 0)
    _validate.integer("candidates", candidates, 1)
    exponent = reports * epsilon
    return 1.0 / (1.0 + (candidates - 1) * math.exp(-exponent)) if exponent < 700.0 else 1.0


def fano_limit(information: float, candidates: int) -> float:
    """Return min(1, (information + ln 2) / ln N): how often anybody can be right among N >= 2 equally likely pictures.

    ``information`` is the mutual information between picture and what is seen, in nats, >= 0; it may be infinite.

    Source: Fano's inequality (Cover and Thomas 2006, Theorem 2.10.1), weakened as usual.
    """
    _validate.number("information", information, 0.0, math.inf)
    _validate.integer("candidates", candidates, 2)
    return min(1.0, (information + math.log(2.0)) / math.log(candidates))


def mean_report_length(epsilon: float, dimension: int) -> float:
    """Return the length m of the expected report of an update of full length, which points along the update.

    Of LDP-SGD: tanh(epsilon/2) * Gamma(d/2) / (sqrt(pi) * Gamma((d+1)/2)), with epsilon from 0.01 to 30 nats, d >= 2.

    Source: Erlingsson et al. 2020, arXiv:2001.03618 (the inverse of the server's constant).
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.integer("dimension", dimension, 2)
    ratio = float(gammaln(dimension / 2) - gammaln((dimension + 1) / 2))
    return math.tanh(epsilon / 2) * math.exp(ratio) / math.sqrt(math.pi)


def capacity(eigenvalues: Values, noise: float, rounds: int = 1) -> float:
    """Return the most that pictures of a covariance tell through white Gaussian noise: the paper's Theorem 2.

    1/2 sum log(1 + T lambda / noise) in nats, with lambda >= 0 the eigenvalues of the data's covariance (after
    whitening the noise), the noise's variance > 0 in each direction, and T >= 1 sendings of one picture with fresh
    noise. Noise drawn once leaks the value at T = 1, however many rounds.

    Source: Theorem 2 of "Defending Against Data Reconstruction Attacks in Federated Learning: An Information Theory
        Approach" (formula rebuilt); equal for Gaussian data, an upper bound for others.
    """
    _validate.open_number("noise", noise, 0.0, math.inf)
    _validate.integer("rounds", rounds, 1)
    return 0.5 * float(np.log1p(rounds * np.maximum(eigenvalues, 0.0) / noise).sum())


def noise_for(eigenvalues: Values, wanted: float) -> float:
    """Return the noise variance at which ``capacity`` is as wanted (nats, > 0); ``ValueError`` if none is."""
    _validate.open_number("capacity", wanted, 0.0, math.inf)
    total = float(np.maximum(eigenvalues, 0.0).sum())
    if total <= 0.0:
        raise ValueError(f"capacity must be one that noise reaches, got {wanted:g} for pictures that do not differ")

    def excess(log_noise: float) -> float:
        return capacity(eigenvalues, math.exp(log_noise)) - wanted

    high = math.log(total / wanted) + 1.0  # capacity <= total / (2 noise)
    low = high - 1.0
    while excess(low) < 0.0:
        low -= 10.0
        if low < -600.0:
            raise ValueError(f"capacity must be one that noise reaches, got {wanted:g}")
    return math.exp(float(brentq(excess, low, high, xtol=1e-13)))


def wiener_error(eigenvalues: Values, noise: float) -> float:
    """Return the least squared error of a linear estimate through white noise, sum lambda noise / (lambda + noise).

    For Gaussian data no estimate errs less; for others one may.

    Source: Wiener filter (Kay 1993, 11.4).
    """
    values = np.maximum(eigenvalues, 0.0)
    return float((values * noise / (values + noise)).sum())


def gaussian_model_floor(eigenvalues: Values, information: float) -> tuple[float, int]:
    """Return the paper's Theorem 1 with the Gaussian entropy, over the best number k of components, and k.

    The floor per component is the max over k of (k/d) (prod of the k largest of d eigenvalues)^(1/k) e^(-2 I / k), with
    I in nats. On Gaussian data no estimate from so much information has a smaller squared error per component. With
    other data it is no floor at all: a picture among 2,000 known ones is found, and then the error is nearly zero.

    Source: Theorem 1 of the paper named at ``capacity`` (formula rebuilt), applied to the k leading components.
    """
    _validate.number("information", information, 0.0, math.inf)
    values = np.sort(np.maximum(eigenvalues, 0.0))[::-1]
    positive = values[values > values[0] * 1e-12] if len(values) and values[0] > 0.0 else values[:0]
    if not len(positive):
        return 0.0, 0
    numbers = np.arange(1, len(positive) + 1)
    floors = np.log(numbers / len(values)) + (np.cumsum(np.log(positive)) - 2.0 * information) / numbers
    best = int(floors.argmax())
    return float(np.exp(floors[best])), best + 1


def water_filling(eigenvalues: Values, information: float) -> float:
    """Return the least squared error per component that any code of so much information reaches on Gaussian data.

    sum min(lambda, level) / d over the d eigenvalues of the data's covariance, at the level where
    1/2 sum max(0, log(lambda / level)) is the information, in nats.

    Source: Cover and Thomas 2006, Theorem 10.3.3.
    """
    _validate.number("information", information, 0.0, math.inf)
    values = np.maximum(eigenvalues, 0.0)
    positive = values[values > 0.0]
    if not len(positive):
        return 0.0
    top = math.log(float(positive.max()))

    def excess(level: float) -> float:
        return 0.5 * float(np.maximum(np.log(positive) - level, 0.0).sum()) - information

    low = top - 1.0
    while excess(low) < 0.0:
        low -= 10.0
    level = math.exp(float(brentq(excess, low, top, xtol=1e-13))) if information else float(positive.max())
    return float(np.minimum(values, level).sum()) / len(values)


def dp_sgd_capacity(noise_multiplier: float, batch: int, dimension: int | None = None) -> float:
    """Return the paper's Theorem 4: the most that one noisy gradient of a batch tells of the batch.

    (d/2) log(1 + B/(d z^2)) for a batch of B pictures, noise multiplier z and d numbers that carry the information;
    without d its limit B/(2 z^2): at most 1/(2 z^2) per picture, whatever B.

    Source: Theorem 4 of the paper named at ``capacity`` (formula rebuilt).

    >>> [round(dp_sgd_capacity(z, 128), 1) for z in (0.8, 0.57, 0.46, 0.2066)]
    [100.0, 197.0, 302.5, 1499.4]
    """
    _validate.open_number("noise_multiplier", noise_multiplier, 0.0, math.inf)
    _validate.integer("batch", batch, 1)
    limit = batch / (2.0 * noise_multiplier**2)
    return limit if dimension is None else dimension / 2 * math.log1p(2.0 * limit / dimension)


def diagonal_capacity(variances: Values, importance: Values, noise: float) -> float:
    """Return the paper's Theorem 3, an upper bound on the capacity by Hadamard's inequality.

    1/2 sum log(1 + variance / (importance * noise)) over pixels, where ``importance`` is a pixel's noise in units of
    ``noise``; noise chosen by it is larger than the capacity needs.
    """
    return 0.5 * float(np.log1p(np.maximum(variances, 0.0) / (importance * noise)).sum())


def eigenvalues_of(covariance: Values) -> Values:
    """Return a covariance's eigenvalues, largest first; what rounding made negative is 0."""
    values: Values = np.maximum(np.linalg.eigvalsh(covariance)[::-1], 0.0)
    return values


def rank_of(eigenvalues: Values) -> int:
    """Return how many eigenvalues are more than rounding: above 1e-10 times the largest."""
    largest = float(eigenvalues.max()) if len(eigenvalues) else 0.0
    return int((eigenvalues > 1e-10 * largest).sum()) if largest > 0.0 else 0


def batch_capacity(eigenvalues: Values, noise: float, batch: int) -> float:
    """Return the capacity of the mean of a batch of B independent pictures: eigenvalues over B.

    Source: Appendix D of the paper named at ``capacity``.
    """
    return capacity(eigenvalues / _validate.integer("batch", batch, 1), noise)
