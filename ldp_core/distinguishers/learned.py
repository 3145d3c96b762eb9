"""Rules that are learned from reports: which of two inputs was sent, said only where it shows.

They need no knowledge of the mechanism, only many reports of both inputs, and none of these may be judged.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve
from scipy.special import ndtri

from ldp_core.private import Private
from ldp_core.statistics.estimates import EXCESS_SHARE
from ldp_core.statistics.intervals import excess_limit

if TYPE_CHECKING:
    from ldp_core.private import GradientPair

_Array = NDArray[np.float64]
_Score = Callable[[_Array, NDArray[np.float32]], _Array]
_Learned = Callable[[Any], _Array]
_Fit = Callable[[Any, NDArray[np.bool_]], _Learned]
LEAST, LEAST_TREES = 48, 128
"""Examples of each input from which the logistic regression and the trees are learned."""
_NOTHING = 1e-10
"""A spread of reports below this part of the largest one is none."""
MOST_WHOLE, _FOLDED = 2_048, 256
"""Longest report whose every number is learned from; of a longer one so many sums of numbers equally many places apart.
"""
MOST_TREE_NUMBERS = 16
"""The trees see reports of at most this length whole, and of longer ones what ``features`` adds."""
MOST_PRODUCT_NUMBERS = 8
"""Longest report of which classifiers also see the products of signs, at most 28."""
_THRESHOLDS = 48
PESSIMISTIC_Z = 3.0
"""Standard deviations off shares of right guesses in choosing rules: else regions that luck left empty would win."""
OPTIMISTIC_Z = -2.0
"""The same in choosing pairs to learn more about, below zero: a pair that was seen less often may still show more."""
_FORM_ENTRIES, _GRID_BITS = 64, 20
_LAST_PLACES = (0, 29)
"""Of the 53 binary digits of a number, in double and in single precision."""
_NEAREST = 1e-6
"""Distances to an input are not told apart below it, in distances of both inputs: a rounded copy counts as a copy."""
_LARGEST = 1e12
"""Entries of reports beyond it are cut off, so that squares and sums stay finite."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a rule is chosen for: a bound at a significance and delta, from ``judged`` reports in all."""

    judged: int
    significance: float
    delta: float = 0.0


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Examples(Private):
    """Labelled reports of one pair. Private.

    ``inner`` has inner products with the two directions, and how near the report is (``features``), shape (n, 3);
    (n, 6) where reports begin or end with more than whole parts as long as inputs, (n, 0) where they are shorter.
    ``table`` has the features of the first m <= n of them, shape (m, f), float32; ``sent`` is True where the first
    input was sent, shape (n,).
    """

    inner: _Array = field()
    table: NDArray[np.float32] = field()
    sent: NDArray[np.bool_] = field()


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Rule(Private):
    """Guess by a score: "first" from ``high`` on, "second" below ``low`` <= ``high``, else abstain. Private.

    ``name`` is in ``claims.RULES``; ``low`` is -inf for a rule that never says "second", ``high`` inf for one that
    never says "first". ``promise`` is the lower bound on epsilon that the examples let expect, -inf if none; pairs are
    judged by it. ``hope`` is the same at the upper limit of its share; pairs to learn more about are chosen by it.
    """

    name: str
    low: float
    high: float
    promise: float
    hope: float
    _score: _Score = field(default=lambda inner, table: inner[:, 0])

    def guesses(self, inner: _Array, table: NDArray[np.float32]) -> NDArray[np.int8]:
        """Return 1 for "first", -1 for "second" and 0 for no answer, shape (n,)."""
        scores = self._score(inner, table)
        return (scores >= self.high).astype(np.int8) - (scores < self.low).astype(np.int8)


def features(reports: NDArray[np.floating], pair: GradientPair) -> tuple[_Array, NDArray[np.float32]]:
    """Return inner products with both directions and how near a report is, and what a classifier looks at, float32.

    How near is the logarithm of its L1 distance to the second input over that to the first. A classifier looks at the
    report (``kept_length`` numbers of it), the logarithm of its length, its form (``_form``) and last places
    (``_odd``); of at most ``MOST_PRODUCT_NUMBERS`` numbers also at the product of the signs of every two; and where the
    report is as long as the inputs, at its inner products with both directions, their signs, and how much closer it is
    to the first input in the L1 norm. All values are finite.

    A report of several parts as long as the inputs, such as rounds, has the inner products of the sum of its parts, and
    the distances of that part which is nearest. One with a header or padding, whose length is no multiple of theirs,
    has these twice: of the parts from its first number on, and of those up to its last.
    """
    values = np.clip(np.nan_to_num(np.asarray(reports, np.float64)), -_LARGEST, _LARGEST)
    columns = [_kept(values), np.log(np.linalg.norm(values, axis=1, keepdims=True) + 1e-30), _form(values)]
    if 1 < values.shape[1] <= MOST_PRODUCT_NUMBERS:
        signs = np.sign(values)
        columns += [signs[:, first, None] * signs[:, first + 1 :] for first in range(values.shape[1] - 1)]
    whole, inner = values.shape[1] - values.shape[1] % pair.dimension, [np.empty((len(values), 0))]
    directions = np.stack([pair.first_direction.numpy(), pair.second_direction.numpy()]).astype(np.float64)
    least = _NEAREST * float(np.abs(pair.first.numpy() - pair.second.numpy()).sum()) + 1e-30  # equal ones: no 0 / 0
    for start in sorted({0, values.shape[1] - whole}) if whole else ():
        parts = values[:, start : start + whole].reshape(len(values), -1, pair.dimension)
        products = parts.sum(axis=1) @ directions.T
        first, second = (_distance(parts, gradient.numpy()) for gradient in (pair.first, pair.second))
        columns += [products, np.sign(products), second - first]
        inner += [products, np.log((second + least) / (first + least))]
    return np.hstack(inner), np.hstack((*columns, _odd(values))).astype(np.float32)


def kept_length(length: int) -> int:
    """Return how many numbers of a report of that length a classifier looks at."""
    return length if length <= MOST_WHOLE else _FOLDED


def _kept(values: _Array) -> _Array:
    """Return reports of ``kept_length`` numbers, by sums of those equally many places apart."""
    length = values.shape[1]
    if length == (kept := kept_length(length)):
        return values
    whole = np.pad(values, ((0, 0), (0, -length % kept)))
    return np.asarray(whole.reshape(len(values), -1, kept).sum(axis=1))


def _form(values: _Array) -> _Array:
    """Return what a report tells beside its values, shape (n, 3).

    How many of its zeros are negative; how many different sizes its first entries have; and as a power of two the step
    of the grid on which these lie, if that has at most ``_GRID_BITS`` binary digits: what is finer is rounding.
    """
    negative = ((values == 0.0) & np.signbit(values)).sum(axis=1, dtype=np.float64)
    some = np.abs(values[:, :_FORM_ENTRIES])
    different = 1.0 + (np.diff(np.sort(some, axis=1), axis=1) > 0.0).sum(axis=1, dtype=np.float64)
    fraction, power = np.frexp(some)
    mantissa = np.ldexp(fraction, 53).astype(np.int64)
    lowest = np.where(some > 0.0, power + np.log2(np.maximum(mantissa & -mantissa, 1)) - 53.0, np.inf).min(axis=1)
    highest = np.where(some > 0.0, power, -np.inf).max(axis=1)
    step = np.where(highest - lowest <= _GRID_BITS, lowest, 0.0)
    return np.stack((negative, different, np.where(np.isfinite(step), step, 0.0)), axis=1)


def _odd(values: _Array) -> _Array:
    """Return how many first entries are odd in the last place of double and of single precision, shape (n, 2)."""
    mantissa = np.ldexp(np.frexp(values[:, :_FORM_ENTRIES])[0], 53).astype(np.int64)
    return np.stack([((mantissa >> place) & 1).sum(axis=1, dtype=np.float64) for place in _LAST_PLACES], axis=1)


def _distance(parts: _Array, gradient: NDArray[np.float32]) -> _Array:
    """Return how near the nearest part of a report is to an input in the L1 norm, shape (n, 1)."""
    return np.asarray(np.abs(parts - gradient).sum(axis=2).min(axis=1, keepdims=True))


def best_rule(examples: Examples, length: int, aim: Target) -> Rule | None:
    """Return the rule that promises the largest lower bound on epsilon, or None without examples of both inputs.

    Tried are the rule that names the closer input, the same where it is surest, the selective adversary's region,
    copies of an input, and, each with thresholds of its own, four classifiers: a logistic regression, Fisher's
    discriminant, boosted trees, and how often the same report came before.
    ``length`` is the ``kept_length`` of a report. Same examples give the same rule.

    Source: after Bichsel et al. 2021 (DP-Sniper), who train a classifier and choose a threshold on reports of their
        own; two thresholds with silence between, and the choice by the bound to come, are derived here.
    """
    sent = examples.sent
    if not (0 < int(sent.sum()) < len(sent)):
        return None
    rules = []
    for place in range(0, examples.inner.shape[1], 3):
        closer, surest, nearest = (partial(score, place) for score in (_difference, _sides, _nearness))
        difference = closer(examples.inner, examples.table)
        guesses = _tally(difference >= 0, difference < 0, sent)
        rules.append(Rule("cosine", 0.0, 0.0, *_promises(*guesses, len(sent), aim), closer))
        sides = surest(examples.inner, examples.table)
        guesses = _tally(sides > 0, sides < 0, sent)
        rules.append(Rule("selective", 0.0, 0.5, *_promises(*guesses, len(sent), aim), surest))
        rules.append(_with_thresholds("tail", difference, sent, aim, closer))
        rules.append(_with_thresholds("learned", nearest(examples.inner, examples.table), sent, aim, nearest))
    labels = sent[: len(examples.table)]
    learners: list[tuple[_Fit, int, _Array | NDArray[np.float32], NDArray[np.bool_], int]] = [
        (_linear, LEAST, examples.table, labels, 1),
        (partial(_within, length), LEAST, examples.table, labels, 1),
        (partial(_trees, length), LEAST_TREES, examples.table, labels, 1),
    ]
    if examples.inner.shape[1]:
        learners.append((_seen, LEAST, examples.inner, sent, 0))
    for fit, least, values, known, place in learners:
        if min(int(known.sum()), int((~known).sum())) >= least:
            held, score = _crossed(fit, values, known)
            rules.append(_with_thresholds("learned", held, known, aim, partial(_scored, score, place)))
    return max(rules, key=lambda rule: rule.promise, default=None)


def _difference(place: int, inner: _Array, table: NDArray[np.float32]) -> _Array:
    scores: _Array = inner[:, place] - inner[:, place + 1]
    return scores


def _sides(place: int, inner: _Array, table: NDArray[np.float32]) -> _Array:
    """Return 1 where the report is on the first direction's side alone, -1 on the second's alone, else 0."""
    sides: _Array = (inner[:, place] >= 0.0).astype(np.float64) - (inner[:, place + 1] >= 0.0)
    return sides


def _nearness(place: int, inner: _Array, table: NDArray[np.float32]) -> _Array:
    return inner[:, place + 2]


def _scored(score: _Learned, place: int, *values: _Array) -> _Array:
    return score(values[place])


def _seen(inner: _Array, sent: NDArray[np.bool_]) -> _Learned:
    """Count how often the same report came of either input: noise that comes again, or one of few values, tells."""
    keys, which = np.unique(_keys(inner), return_inverse=True)
    first, second = (np.bincount(which, sent == side, len(keys)) for side in (True, False))
    odds = np.append(np.log((first + 0.5) / (second + 0.5)), 0.0)

    def score(inner: _Array) -> _Array:
        asked = _keys(inner)
        places = np.searchsorted(keys, asked)
        known = keys[np.minimum(places, len(keys) - 1)] == asked
        return np.asarray(odds[np.where(known, places, -1)])

    return score


def _keys(inner: _Array) -> NDArray[np.complexfloating]:
    """Return what equal reports have in common, shape (n,); single precision, since products of sums may be rounded."""
    return (inner[:, 0] + 1j * inner[:, 1]).astype(np.complex64)


def _linear(table: NDArray[np.float32], sent: NDArray[np.bool_]) -> _Learned:
    from sklearn.linear_model import LogisticRegression

    means, deviations = table.mean(axis=0, dtype=np.float64), table.std(axis=0, dtype=np.float64)
    moves = deviations > 1e-6 * (1.0 + np.abs(means))
    scales = np.where(moves, 1.0 / np.where(moves, deviations, 1.0), 0.0)
    model = LogisticRegression(C=0.1, max_iter=100, tol=1e-3).fit((table - means) * scales, sent)
    weights = model.coef_[0] * scales

    def score(table: _Array) -> _Array:
        scores: _Array = (table - means) @ weights
        return scores

    return score


def _within(length: int, table: NDArray[np.float32], sent: NDArray[np.bool_]) -> _Learned:
    """Fisher's linear discriminant of the reports: it finds a direction in which inputs differ more than noise does.

    Solved among the examples where they are fewer than the numbers of a report (Woodbury's identity).
    """
    reports = table[:, :length].astype(np.float64)
    means = [reports[sent == side].mean(axis=0) for side in (True, False)]
    apart, noise = means[0] - means[1], reports - np.where(sent[:, None], *means)
    few = len(noise) < length
    spreads = noise @ noise.T if few else noise.T @ noise
    spreads.flat[:: len(spreads) + 1] += max(_NOTHING * float(spreads.trace()) / len(spreads), 1e-300)
    weights = solve(spreads, noise @ apart if few else apart, assume_a="pos")
    if few:
        weights = apart - noise.T @ weights

    def score(table: _Array) -> _Array:
        return np.asarray(table[:, :length] @ weights, np.float64)

    return score


def _trees(length: int, table: NDArray[np.float32], sent: NDArray[np.bool_]) -> _Learned:
    from sklearn.ensemble import HistGradientBoostingClassifier

    begin = 0 if length <= MOST_TREE_NUMBERS else length
    model = HistGradientBoostingClassifier(
        max_iter=20,
        learning_rate=0.2,
        max_leaf_nodes=8,
        min_samples_leaf=max(10, len(table) // 400),
        early_stopping=False,
        random_state=0,
    )
    seen = slice(begin, -len(_LAST_PLACES))  # how many are odd adds up, which needs no tree
    model.fit(table[:, seen], sent)

    def score(table: _Array) -> _Array:
        return np.asarray(model.decision_function(table[:, seen]), np.float64)

    return score


def _crossed(fit: _Fit, values: _Array | NDArray[np.float32], sent: NDArray[np.bool_]) -> tuple[_Array, _Learned]:
    """Train a classifier on either half of the examples; return the scores of each half by the other, for thresholds.

    The mean score of both is for reports to come.
    """
    half = np.empty(len(sent), bool)
    for side in (True, False):
        where = np.flatnonzero(sent == side)
        half[where] = np.arange(len(where)) % 2 == 0
    fitted = [fit(values[part], sent[part]) for part in (half, ~half)]
    scores = np.empty(len(half))
    scores[~half], scores[half] = fitted[0](values[~half]), fitted[1](values[half])
    return scores, lambda values: (fitted[0](values) + fitted[1](values)) / 2.0


def _with_thresholds(name: str, scores: _Array, sent: NDArray[np.bool_], aim: Target, score: _Score) -> Rule:
    """Return a rule with the two thresholds that cautiously promise the largest bound."""
    cuts = _candidates(scores)
    first, second = np.sort(scores[sent]), np.sort(scores[~sent])
    first_below, second_below = np.searchsorted(first, cuts), np.searchsorted(second, cuts)
    # Rows: the threshold from which on it says "first"; columns: the one below which it says "second".
    right = (len(first) - first_below)[:, None] + second_below[None, :]
    wrong = (len(second) - second_below)[:, None] + first_below[None, :]
    promises, hopes = _promises(right, wrong, len(scores), aim)
    promises[cuts[:, None] < cuts[None, :]] = -math.inf
    best = np.unravel_index(int(promises.argmax()), promises.shape)
    return Rule(name, float(cuts[best[1]]), float(cuts[best[0]]), float(promises[best]), float(hopes[best]), score)


def _candidates(scores: _Array) -> _Array:
    """Return thresholds below, between and above the scores, denser in both tails."""
    ranks = np.linspace(0.0, 1.0, _THRESHOLDS)
    values = np.unique(np.quantile(scores, 3 * ranks**2 - 2 * ranks**3))
    return np.concatenate(([-math.inf], (values[1:] + values[:-1]) / 2, [math.inf]))


def _tally(first: NDArray[np.bool_], second: NDArray[np.bool_], sent: NDArray[np.bool_]) -> tuple[int, int]:
    right = int((first & sent).sum() + (second & ~sent).sum())
    return right, int(first.sum() + second.sum()) - right


def _promises(right: Any, wrong: Any, trials: int, aim: Target) -> tuple[Any, Any]:
    """Return the bounds to expect by the lower and by the upper limit of a share."""
    counts = np.asarray(right, np.float64), np.asarray(wrong, np.float64)
    return promised_bound(*counts, trials, aim), promised_bound(*counts, trials, aim, caution=OPTIMISTIC_Z)


def promised_bound(right: _Array, wrong: _Array, trials: Any, aim: Target, caution: float = PESSIMISTIC_Z) -> Any:
    """Return the lower bound on epsilon to expect of further trials, given guesses in some; -inf if none.

    The share of right guesses is first lessened by ``caution`` standard deviations (Wilson's limits; below zero it is
    raised), then bounded as ``estimates.joint_lower_bound`` will, by the normal approximation. ``right`` and ``wrong``
    guesses have any one shape; ``trials``, which include those without a guess, are a number or that shape.
    """
    excess, significance = 0.0, aim.significance
    if aim.delta:
        excess = float(excess_limit(aim.judged, aim.delta, EXCESS_SHARE * significance))
        significance *= 1.0 - EXCESS_SHARE
    answered = right + wrong
    with np.errstate(divide="ignore", invalid="ignore"):
        share = _wilson(right, answered, caution)
        coming = answered * aim.judged / trials
        hoped = np.maximum(share * coming - excess, 0.0)
        least = _wilson(hoped, hoped + (1.0 - share) * coming, -float(ndtri(significance)))
        bounds = np.log(least / (1.0 - least))
    return np.nan_to_num(bounds, nan=-math.inf, posinf=-math.inf, neginf=-math.inf)


def _wilson(right: _Array, number: _Array, deviations: float) -> _Array:
    """Return Wilson's lower limit of a share."""
    share, square = right / number, deviations**2
    middle = share + square / (2 * number)
    width = deviations * np.sqrt(share * (1.0 - share) / number + square / (4 * number**2))
    return np.asarray((middle - width) / (1.0 + square / number))
