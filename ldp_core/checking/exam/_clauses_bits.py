"""Whether the last bits of a report tell where the input is zero: noise that was added as a floating-point number.

The sum of x and noise is a multiple of the last place of the larger one. So where x is not zero, a report near zero
ends in zero bits that it does not have where x is zero (Mironov 2012, "On Significance of the Least Significant Bits
for Differential Privacy"). Entries of one size are compared, so nothing but the last bits can make a difference.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ldp_core.checking.exam._clauses_odds import strata_p
from ldp_core.checking.exam._clauses_sample import Sample

_GAPS = (2, 3, 4, 5, 6)
"""How many powers of two a report's entry lies below the input's; from 2 on, noise is as large as the input there."""
_BITS, _DIGITS = (53, 24), (12, 5)
"""Of a number of double and of single precision; fewer decimals than it has digits."""
_FEW_DISTINCT = 0.5


def bits_inputs(dimension: int, bound: float, draws: NDArray[np.float64]) -> tuple[NDArray[np.float32], ...]:
    """Return two inputs, zero where the other is not, with entries 1.5 to 2 times one power of two, below the bound.

    ``bound``: of half of all entries together; ``draws``: uniform on [0, 1), shape (2, d): the mantissas, and the
    signs.
    """
    power = math.frexp(bound)[1] - 2
    entries = np.ldexp(np.where(draws[1] < 0.5, -1.0, 1.0) * (1.5 + draws[0] / 2.0), power)
    first = np.arange(dimension) < (dimension + 1) // 2
    return tuple(np.where(side, entries, 0.0).astype(np.float32) for side in (first, ~first))


def decimals(sample: Sample) -> int | None:
    """Return to how many decimals all entries are rounded; None if to none that their type could not hold anyway."""
    single = _is_single(sample.rows)
    largest = float(np.abs(sample.rows).max())
    for places in range(_DIGITS[single] - max(0, math.frexp(largest)[1] // 3)):
        rounded = sample.rows.round(places)
        if np.array_equal(rounded.astype(np.float32) if single else rounded, sample.rows):
            return places
    return None


def is_coarse(sample: Sample) -> bool:
    """Return whether entries, all or those near zero, come again and again: then their last bits tell no more."""
    entries = np.abs(sample.rows).ravel()
    near = entries[(entries > 0.0) & (entries < float(np.abs(sample.gradient).max()) / 2.0)]
    return any(len(np.unique(some)) < _FEW_DISTINCT * len(some) for some in (entries, near))


@dataclass(frozen=True, slots=True)
class Bits:
    """Entries of reports that lie a number of powers of two below the input's entries, and how many of them end so.

    ``strata``: hits and number where the input is not zero, then where it is; entries of one size and half each.
    """

    strata: list[tuple[int, int, int, int]]

    @property
    def p(self) -> float:
        """The p-value of the last bits being alike."""
        return strata_p(self.strata)

    @property
    def best_p(self) -> float:
        """The p-value that noise added as floating-point numbers would be about to give."""
        return strata_p([(n, n, m >> gap, m) for gap, (_, n, _, m) in zip(_GAPS * 2, self.strata, strict=True)])

    @property
    def totals(self) -> tuple[int, ...]:
        """The four counts over all strata."""
        return tuple(int(sum(column)) for column in zip(*self.strata, strict=True))


def last_bits(first: Sample, second: Sample) -> Bits:
    """Count entries that end in so many zero bits as their distance to the input's demands where that is not zero.

    Of each report the first entry of such a size counts, so that what is counted is independent.
    """
    half = (first.gradient != 0.0)[: first.rows.shape[1]]
    exponent = int(np.frexp(float(np.abs(first.gradient).max()))[1])
    entries = [_entries(sample.rows, exponent) for sample in (first, second)]
    strata = []
    for side, (full, empty) in ((True, entries), (False, entries[::-1])):
        for gap in _GAPS:
            ends = [entry.ends[(entry.gap == gap) & (half[entry.place] == side)] for entry in (full, empty)]
            strata.append((int(ends[0].sum()), len(ends[0]), int(ends[1].sum()), len(ends[1])))
    return Bits(strata)


class _Entries(NamedTuple):
    """Of each entry its place, its distance in powers of two, and whether it ends in as many zero bits."""

    place: NDArray[np.intp]
    gap: NDArray[np.int64]
    ends: NDArray[np.bool_]


def _entries(rows: NDArray[np.float64], exponent: int) -> _Entries:
    """Return of each report the first entry of a size that counts."""
    fraction, power = np.frexp(rows)
    gaps = exponent - power
    counts = (gaps >= _GAPS[0]) & (gaps <= _GAPS[-1]) & (rows != 0.0)
    reports = np.flatnonzero(counts.any(axis=1))
    place = counts[reports].argmax(axis=1)
    gap = gaps[reports, place].astype(np.int64)
    mantissa = np.ldexp(np.abs(fraction[reports, place]), _BITS[_is_single(rows)]).astype(np.int64)
    return _Entries(place, gap, mantissa % (1 << gap) == 0)


def _is_single(values: NDArray[np.float64]) -> bool:
    """Return whether all entries are numbers of single precision."""
    with np.errstate(over="ignore"):
        return bool((values.astype(np.float32) == values).all())
