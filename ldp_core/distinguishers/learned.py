"""A distinguisher that learns from reports how to tell two gradients apart.

It needs no knowledge of the mechanism, only many reports of both gradients, and none of them may be judged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainccinv

from ldp_core.private import Private

if TYPE_CHECKING:
    from torch import Tensor

    from ldp_core.private import GradientPair

_Array = NDArray[np.float64]
_CANDIDATES = 400
"""Thresholds tried when the rejection region is chosen."""
_CAUTION = 0.1
"""When the rejection region is chosen, upper limits at this significance stand for the rates of errors.

The rates themselves would prefer regions that luck left empty. With Gaussian noise of half the due deviation, d = 64
and 4 million reports, one pair would then show the fault in 2 of 3 checks; with these limits, in 98 of 100 (simulated).
"""
_LARGEST = 1e12
"""Entries of reports beyond it are cut off, so that squares and sums stay finite."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Learned(Private):
    """Guess by a linear classifier of features of the report; made by ``learn``.

    Args:
        weights: one for each feature, for features brought to mean 0 and variance 1.
        means: of the features, over the reports it learned from.
        scales: their inverse standard deviations; 0 where a feature never varied.
        threshold: score from which on it says "first".
    """

    weights: _Array
    means: _Array
    scales: _Array
    threshold: float

    name: ClassVar[str] = "learned"
    view: ClassVar[str] = "white"
    bound: ClassVar[str] = "clopper_pearson"
    access: ClassVar[str] = "the report, both gradients, and many reports of each to learn from"

    def objection(self, attack: str, clients: int) -> str:
        """Return why it is for one client; it means something against every attack."""
        return "" if clients == 1 else "looks at one report, so other clients change nothing"

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Score reports of shape (n, m); >= 0 means the first gradient."""
        import torch

        return torch.from_numpy(self._score(features(reports.numpy(), pair)) - self.threshold)

    def _score(self, table: _Array) -> _Array:
        scores: _Array = ((table - self.means) * self.scales) @ self.weights
        return scores


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Examples(Private):
    """Reports to learn from, in their features. Private.

    Args:
        first: features of reports of the first gradient, shape (n1, f).
        second: likewise of the second, shape (n2, f).
    """

    first: _Array = field()
    second: _Array = field()


def features(reports: NDArray[np.floating], pair: GradientPair) -> _Array:
    """Return what the classifier looks at, shape (n, f), float64, finite.

    The report itself and the logarithm of its length; if the report is as long as the gradients, also its inner
    products with both directions, their signs, whether it lies in the selective adversary's region, and how much closer
    it is to the first gradient in the L1 norm.
    """
    values = np.clip(np.nan_to_num(np.asarray(reports, np.float64)), -_LARGEST, _LARGEST)
    columns = [values, np.log(np.linalg.norm(values, axis=1, keepdims=True) + 1e-30)]
    if values.shape[1] == pair.dimension:
        inner = values @ np.stack([pair.first_direction.numpy(), pair.second_direction.numpy()]).T.astype(np.float64)
        signs = np.sign(inner)
        lune = ((inner[:, :1] < 0) & (inner[:, 1:] >= 0)).astype(np.float64)
        closer = _distance(values, pair.second.numpy()) - _distance(values, pair.first.numpy())
        columns += [inner, signs, lune, closer]
    return np.hstack(columns)


def _distance(values: _Array, gradient: NDArray[np.float32]) -> _Array:
    return np.asarray(np.abs(values - gradient).sum(axis=1, keepdims=True))


def learn(examples: Examples, judged: int, significance: float, delta: float = 0.0) -> Learned:
    """Learn a classifier from labelled reports, and choose its rejection region, from these reports alone.

    Two thirds of them train a logistic regression, the rest chooses the threshold at which the reports to be judged
    promise the largest lower bound on epsilon.

    Args:
        examples: at least three reports of each gradient.
        judged: reports that will be judged, both gradients together.
        significance: of the bound they will be judged by, in (0, 1).
        delta: claimed failure probability, in [0, 1).

    Returns:
        The rule; it is the same for the same reports.

    Source: after Bichsel et al. 2021 (DP-Sniper), who also train a classifier and choose a threshold on reports of
        their own; the choice by the bound to come is derived here.
    """
    from sklearn.linear_model import LogisticRegression

    (first, first_held), (second, second_held) = (_cut(table) for table in (examples.first, examples.second))
    table = np.vstack([first, second])
    means, deviations = table.mean(axis=0), table.std(axis=0)
    moves = deviations > 1e-12 * (1.0 + np.abs(means))
    scales = np.where(moves, 1.0 / np.where(moves, deviations, 1.0), 0.0)
    truth = np.repeat([1, 0], [len(first), len(second)])
    model = LogisticRegression(C=0.1, max_iter=100, tol=1e-3).fit((table - means) * scales, truth)
    rule = Learned(model.coef_[0], means, scales, 0.0)
    threshold = _threshold(rule._score(first_held), rule._score(second_held), judged, significance, delta)
    return Learned(rule.weights, means, scales, threshold)


def _cut(table: _Array) -> tuple[_Array, _Array]:
    cut = max(1, 2 * len(table) // 3)
    return table[:cut], table[cut:]


def _threshold(first: _Array, second: _Array, judged: int, significance: float, delta: float) -> float:
    """Return the threshold that cautiously promises the largest Clopper-Pearson bound; else the most right guesses."""
    thresholds = _candidates(np.concatenate([first, second]))
    wrong_first = np.searchsorted(np.sort(first), thresholds)
    wrong_second = len(second) - np.searchsorted(np.sort(second), thresholds)
    half, upper = judged / 2.0, []
    for wrong, number in ((wrong_first, len(first)), (wrong_second, len(second))):
        rate = _upper_limit(wrong, number, _CAUTION)
        upper.append(_upper_limit(rate * half, half, significance / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = [np.log(np.maximum(1.0 - delta - one, 0.0) / other) for one, other in (upper, upper[::-1])]
    best = np.nan_to_num(np.maximum(*gains), nan=-np.inf)
    if best.max() <= 0.0:
        best = -(wrong_first / len(first) + wrong_second / len(second))
    return float(thresholds[int(best.argmax())])


def _candidates(scores: _Array) -> _Array:
    """Return thresholds between scores and above all, at most ``_CANDIDATES``; the score itself if all are equal."""
    values = np.unique(scores)
    if len(values) > _CANDIDATES:
        ranks = np.linspace(0.0, 1.0, _CANDIDATES)
        values = np.unique(np.quantile(values, 3 * ranks**2 - 2 * ranks**3))  # denser in both tails
    return np.append((values[1:] + values[:-1]) / 2, values[-1] + 1.0) if len(values) > 1 else values


def _upper_limit(errors: NDArray[Any], number: float, significance: float) -> _Array:
    """Return Clopper and Pearson's upper limit of a rate."""
    return np.asarray(betainccinv(errors + 1.0, np.maximum(number - errors, 1e-9), significance))
