"""What one sees of a training in all its columns: a rule that is learned from some games and judged by others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_MOST_COLUMNS, _MOST_FEATURES, _RIDGE = 2_000, 32, 0.01
_LITTLE = 2.0**-1_000


def features(iterates: Array) -> Array:
    """Return what is looked at: start, end and mean of each column, how much its steps differ, and that over all.

    ``iterates``: shape (iterates, m). Of more than 2,000 columns those 2,000 apart are added up.
    """
    rows, columns = iterates.shape
    if columns > _MOST_COLUMNS:
        filled = np.pad(iterates, ((0, 0), (0, -columns % _MOST_COLUMNS)))
        iterates = filled.reshape(rows, -1, _MOST_COLUMNS).sum(axis=1)
    if rows == 1:
        return np.asarray(iterates[0])
    spreads = np.log(np.maximum(np.diff(iterates, axis=0).std(axis=0), 1e-100))
    return np.concatenate([iterates[0], iterates[-1], iterates.mean(axis=0), spreads, [spreads.mean()]])


def signed(values: Array, sent: Array) -> Array:
    """Return numbers, less a little where what was sent is negative zero, which is equal to zero and yet another."""
    negative = (sent == 0.0) & np.signbit(sent)
    if not negative.any():
        return values
    less = np.where(values == 0.0, -_LITTLE, np.nextafter(values, -np.inf))
    return np.where(negative, less, values)


class Bare:
    """Which columns hold a number without noise: the same in all trainings of a world, another in the other's."""

    def __init__(self) -> None:
        self._ranges: dict[bool, tuple[Array, Array]] = {}

    def add(self, inside: bool, iterates: Array) -> None:
        """Take a training with the record, or one without it, shape (iterates, m)."""
        low, high = self._ranges.get(inside, (iterates, iterates))
        self._ranges[inside] = np.minimum(low, iterates), np.maximum(high, iterates)

    def columns(self) -> tuple[int, ...]:
        """Return the columns, counted from 0."""
        (low, high), (other_low, other_high) = self._ranges[True], self._ranges[False]
        found = (low == high) & (other_low == other_high) & (low != other_low)
        return tuple(int(place) for place in np.flatnonzero(found.any(axis=0)))


@dataclass(frozen=True, slots=True)
class Learned:
    """Fisher's linear discriminant: the larger its scores, the likelier the record was in."""

    weights: Array

    @classmethod
    def of(cls, inside: Array, outside: Array, apart: Array | None = None) -> Learned:
        """Learn from features of games with and without the record, shapes (games, features).

        ``apart``: the difference of their means, where more is known of it than these games tell.
        """
        if apart is None:
            apart = inside.mean(axis=0) - outside.mean(axis=0)
        spread = np.sqrt((inside.var(axis=0) + outside.var(axis=0)) / 2.0)
        units = np.maximum(spread, 1e-6 * np.abs(apart))
        units[units == 0.0] = np.inf
        taken = np.argsort(-np.abs(apart / units))[:_MOST_FEATURES]
        units, apart = units[taken], (apart / units)[taken]
        covariance = sum(np.cov(one[:, taken] / units, rowvar=False, ddof=0) for one in (inside, outside)) / 2.0
        weights = np.zeros(inside.shape[1])
        ridge = _RIDGE * np.eye(len(taken))
        weights[taken] = np.linalg.solve(np.atleast_2d(covariance) + ridge, apart) / units
        return cls(weights)

    def scores(self, found: Array) -> Array:
        """Return the scores of games, shape (games,)."""
        return found @ self.weights
