"""What the exam keeps of the reports of one input."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldp_core.private import Private

_KEPT_VALUES, _LEAST_KEPT = 2**20, 64
_BLOCK_VALUES = 2**21
_NOTHING = 1e-12
"""An inner product below this part of a report's length is zero with a rounding error, which tells only its batch."""
_LARGEST = 1e100
"""Entries, lengths and inner products beyond it are cut off, so that squares and sums stay finite."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Reports of one input, in the order in which they came; n of them.

    Args:
        gradient: the input, shape (d,).
        problem: what was wrong with an answer; empty if nothing was.
        lengths: of the reports, each once.
        dtype: of the reports.
        bad: reports with an entry that is not finite.
        rows: the leading entries of each report, float64, shape (n, k), k <= m.
        marks: one number for each report, equal where all entries are, shape (n,).
        norms: L2 norms of the reports, shape (n,).
        along: inner products with the exam's first direction, shape (n,).
        across: with its second direction.
        turned: whether it was the negative input that was randomized, shape (n,).
        answers: in which answer each report came, counted from 0, shape (n,).
    """

    gradient: NDArray[np.float32]
    problem: str
    lengths: tuple[int, ...]
    dtype: str
    bad: int
    rows: NDArray[np.float64]
    marks: NDArray[np.int64]
    norms: NDArray[np.float64]
    along: NDArray[np.float64]
    across: NDArray[np.float64]
    turned: NDArray[np.bool_]
    answers: NDArray[np.intp]

    @property
    def usable(self) -> bool:
        """Whether its reports can be compared: all there, of one length, and finite."""
        return not self.problem and not self.bad and len(self.lengths) == 1

    @property
    def size(self) -> int:
        """Number of reports n."""
        return len(self.marks)

    def inputs(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the leading entries of what was randomized for these reports, in the shape of their ``rows``."""
        signs = np.where(self.turned[which], -1.0, 1.0)
        return signs[:, np.newaxis] * self.gradient[: self.rows.shape[1]]

    def only(self, which: NDArray[np.bool_]) -> Sample:
        """Return some of the reports as a sample."""
        names = ("rows", "marks", "norms", "along", "across", "turned", "answers")
        return replace(self, **{name: getattr(self, name)[which] for name in names})


class Collector(Private):
    """Takes the reports of one input as they come, and keeps little of them.

    Args:
        gradient: the input.
        planned: number of reports that will come.
        directions: unit vectors u and w of shape (d,); reports of another length are held against random signs.
    """

    def __init__(self, gradient: NDArray[np.float32], planned: int, directions: NDArray[np.float64]) -> None:
        self._gradient, self._planned, self._directions = gradient, planned, directions
        self._parts: list[tuple[NDArray[Any], ...]] = []
        self._lengths: set[int] = set()
        self._turned: list[bool] = []
        self._sizes: list[int] = []
        self._dtype, self._bad, self.problem = "", 0, ""

    def add(self, reports: NDArray[Any], expected: int, *, turned: bool = False) -> None:
        """Take an answer to one call, perhaps about the negative input; a wrong one becomes the sample's problem."""
        if reports.dtype.kind not in "fiub":
            self.problem = f"reports must be real numbers, got the type {reports.dtype}"
            return
        if reports.ndim != 2 or reports.shape[0] != expected or reports.shape[1] < 1:
            self.problem = f"{expected} reports must be as many rows, got shape {reports.shape}"
            return
        self._lengths.add(reports.shape[1])
        if len(self._lengths) > 1:
            self.problem = f"all reports must have one length, got {', '.join(map(str, sorted(self._lengths)))}"
            return
        self._dtype = str(reports.dtype)
        self._turned += [turned] * expected
        self._sizes.append(expected)
        step = max(1, _BLOCK_VALUES // reports.shape[1])
        for start in range(0, expected, step):
            self._take(reports[start : start + step])

    def sample(self) -> Sample:
        parts = self._parts or [(np.empty((0, 1)), np.empty(0, np.int64), *(np.empty(0) for _ in range(3)))]
        lengths = tuple(sorted(self._lengths))
        rows, marks, norms, along, across = (np.concatenate(column) for column in zip(*parts, strict=True))
        turned = np.array(self._turned, dtype=bool)
        answers = np.repeat(np.arange(len(self._sizes)), self._sizes)
        about = (self._gradient, self.problem, lengths, self._dtype, self._bad)
        return Sample(*about, rows, marks, norms, along, across, turned, answers)

    def _take(self, block: NDArray[Any]) -> None:
        with np.errstate(all="ignore"):
            values = block.astype(np.float64) + 0.0  # no negative zero: equal reports get equal marks
            whole = np.isfinite(values)
            self._bad += int((~whole.all(axis=1)).sum())
            if not whole.all():
                values = np.where(whole, values, 0.0)
            largest = np.abs(values).max(axis=1)
            scale = np.where(largest > 0.0, largest, 1.0)
            norms = np.linalg.norm(values / scale[:, np.newaxis], axis=1) * scale
            views = values @ _directions(self._directions, values.shape[1]).T
            views = np.where(np.abs(views) > _NOTHING * norms[:, np.newaxis], views, 0.0)
        norms, views = np.minimum(norms, _LARGEST), np.clip(np.nan_to_num(views), -_LARGEST, _LARGEST)
        marks = np.array([hash(row.tobytes()) for row in values], dtype=np.int64)
        kept = min(values.shape[1], max(_LEAST_KEPT, _KEPT_VALUES // self._planned))
        self._parts.append((np.clip(values[:, :kept], -_LARGEST, _LARGEST), marks, norms, views[:, 0], views[:, 1]))


def _directions(directions: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    return directions if directions.shape[1] == length else _signs(length)


@lru_cache(maxsize=4)
def _signs(length: int) -> NDArray[np.float64]:
    signs: NDArray[np.float64] = np.random.default_rng(length).choice(np.array([-1.0, 1.0]), (2, length))
    signs /= np.sqrt(length)
    return signs
