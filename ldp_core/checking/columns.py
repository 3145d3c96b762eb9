"""What one sees of a training in all its columns: a rule that is learned from some games and judged by others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_MOST_COLUMNS, _MOST_FEATURES, _RIDGE = 2_000, 32, 0.01
_LITTLE = 2.0**-1_000
_MOST_KNOWN, _LEAST_UNIT = 500, 1e-6


def features(iterates: Array) -> Array:
    """Return start, end, mean and longest step of each column, how much its steps differ, and that over all.

    ``iterates``: shape (iterates, m). Of more than 2,000 columns those 2,000 apart are added up.
    """
    rows, columns = iterates.shape
    if columns > _MOST_COLUMNS:
        filled = np.pad(iterates, ((0, 0), (0, -columns % _MOST_COLUMNS)))
        iterates = filled.reshape(rows, -1, _MOST_COLUMNS).sum(axis=1)
    if rows == 1:
        return np.asarray(iterates[0])
    steps = np.diff(iterates, axis=0)
    spreads, longest = np.log(np.maximum(steps.std(axis=0), 1e-100)), np.abs(steps).max(axis=0)
    return np.concatenate([iterates[0], iterates[-1], iterates.mean(axis=0), longest, spreads, [spreads.mean()]])


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
        bare = (low == high) & (other_low == other_high) & (low != other_low)
        return tuple(int(place) for place in np.flatnonzero(bare.any(axis=0)))


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
        covariance = sum(np.cov(games[:, taken] / units, rowvar=False, ddof=0) for games in (inside, outside)) / 2.0
        weights = np.zeros(inside.shape[1])
        ridge = _RIDGE * np.eye(len(taken))
        weights[taken] = np.linalg.solve(np.atleast_2d(covariance) + ridge, apart) / units
        return cls(weights)

    def scores(self, games: Array) -> Array:
        """Return the scores of games, shape (games,)."""
        return games @ self.weights


@dataclass(frozen=True, slots=True)
class Ranks:
    """Places of numbers among those of other games: a few wild numbers hide nothing there.

    ``known``: features of at most 500 other games, shape (games, features).
    """

    known: Array

    @classmethod
    def of(cls, inside: Array, outside: Array) -> Ranks:
        """Take the first games with and without the record."""
        return cls(np.concatenate([fine(games[: _MOST_KNOWN // 2]) for games in (inside, outside)]))

    def places(self, games: Array) -> Array:
        """Return shares of the others that are smaller, and how far these are from a half, (games, 2 features)."""
        shares = [((self.known < game).mean(axis=0) + (self.known <= game).mean(axis=0)) / 2.0 for game in fine(games)]
        return np.hstack([shares, np.abs(np.subtract(shares, 0.5))])


def fine(values: Array) -> Array:
    """Return numbers, negative zero apart from zero, and beside each how many of its last bits are zero."""
    bits = np.ldexp(np.frexp(values)[0], 53).astype(np.int64)
    return np.hstack([signed(values, values), (bits & -bits).astype(np.float64)])


@dataclass(frozen=True, slots=True)
class Unlike:
    """How far numbers are from those of games without the record: noise that repeats leaves a sum of them without any.

    Source: Mahalanobis 1936.
    """

    centre: Array
    units: Array
    inverse: Array

    @classmethod
    def of(cls, outside: Array) -> Unlike:
        """Learn from games without the record, shape (games, numbers); only so many numbers as a quarter of these."""
        taken = outside[:, : max(1, len(outside) // 4)]
        spread = taken.std(axis=0)
        units = np.maximum(spread, max(_LEAST_UNIT * float(spread.max()), 1e-300))
        covariance = np.atleast_2d(np.cov(taken / units, rowvar=False, ddof=0))
        inverse = np.asarray(np.linalg.inv(covariance + _LEAST_UNIT * np.eye(len(units))), np.float64)
        return cls(taken.mean(axis=0), units, inverse)

    def scores(self, games: Array) -> Array:
        """Return the scores of games, shape (games,)."""
        apart = (games[:, : len(self.units)] - self.centre) / self.units
        return np.asarray(np.einsum("gi,ij,gj->g", apart, self.inverse, apart))
