"""LDP-SGD in small: single reports to look at and a guessing game to play, in a plane, in space, or in any dimension.

It needs no torch, so that a page can draw at once. Reports are numbered: the first n of a seed are the same, however
many are drawn. The packaged examples are digits from scikit-learn, which are public, and their gradients.
"""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ldp_core import _validate
from ldp_core.statistics import theory
from ldp_core.types import EPSILON_RANGE

MOST_REPORTS = 10_000
CLEAR_HEIGHT = 0.6
"""Least distance from the line between the sides, of 1 at most, of the report that a game for people begins with."""
_EXAMPLES = Path(__file__).with_name("examples.npz")
Side = Literal["A", "B"]
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SentReports:
    """Reports of one gradient that points along the last axis: unit vectors ``points``, shape (n, d).

    ``rounded_up`` says whether the length's coin kept the gradient's direction, ``near`` whether each report lies on
    the gradient's own side, both of shape (n,).
    """

    points: NDArray[np.float64]
    rounded_up: NDArray[np.bool_]
    near: NDArray[np.bool_]

    @property
    def num_near(self) -> int:
        """How many reports lie on the gradient's own side."""
        return int(self.near.sum())


@dataclass(frozen=True, slots=True)
class GameRound:
    """One round of the guessing game: what was sent, its report in the plane (x right, y up), and the best guess."""

    sent: Side
    report: tuple[float, float]
    attacker: Side


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A public image and its update: the gradient of the lightly trained model on it.

    ``label`` is its class, ``image`` has shape (28, 28), uint8, 0 is black, ``update`` shape (10650,), float64.
    """

    label: int
    image: NDArray[np.uint8] = field(repr=False)
    update: NDArray[np.float64] = field(repr=False)

    @property
    def norm(self) -> float:
        """L2 norm of the update."""
        return norm_of(self.update)


@lru_cache(maxsize=1)
def examples() -> tuple[Example, ...]:
    """Return the ten packaged examples, one of each class, in the order of their classes.

    Source: ``python -m ldp_core story --prepare FILE`` makes the file.
    """
    return unpack(_EXAMPLES.read_bytes())


def pack(examples: Sequence[Example]) -> bytes:
    """Return examples as a compressed .npz file; updates keep three digits of each number."""
    tops = np.array([np.abs(example.update).max() for example in examples])
    file = io.BytesIO()
    np.savez_compressed(
        file,
        labels=np.array([example.label for example in examples], dtype=np.uint8),
        images=np.stack([example.image for example in examples]),
        updates=np.stack([example.update / top for example, top in zip(examples, tops, strict=True)]).astype(
            np.float16
        ),
        tops=tops,
    )
    return file.getvalue()


def unpack(content: bytes) -> tuple[Example, ...]:
    """Return what ``pack`` packed; the arrays cannot be written to."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        labels, images, tops = file["labels"], file["images"], file["tops"]
        updates = file["updates"].astype(np.float64) * tops[:, None]
    images.setflags(write=False)
    updates.setflags(write=False)
    return tuple(Example(int(label), *pair) for label, *pair in zip(labels, images, updates, strict=True))


def near_probability(epsilon: float, norm: float, clip_norm: float = 1.0) -> float:
    """Return how often a report lies on its gradient's own side, 1/2 + (n / 2L) * tanh(eps / 2).

    Epsilon is from 0.01 to 30 nats, the L2 norm n, before or after clipping, >= 0, L > 0; else ``ValueError``.

    Source: derived here from Matsumoto et al. 2022, Algorithm 1: both coins together.

    >>> round(near_probability(1.0, 1.0), 3), round(near_probability(1.0, 0.5), 3)
    (0.731, 0.616)
    """
    _validate.number("epsilon", epsilon, *EPSILON_RANGE)
    _validate.number("norm", norm, 0.0, math.inf)
    return theory.cosine_identification(epsilon, 180.0, norm, norm, clip_norm)


def send(
    epsilon: float, norm: float, num_reports: int, seed: int, *, clip_norm: float = 1.0, dimension: int = 2
) -> SentReports:
    """Randomize one gradient, which points along the last of d >= 2 axes, as LDP-SGD does.

    Raises ``ValueError`` unless the number of reports is from 0 to 10,000; other arguments as in ``near_probability``.
    """
    near_probability(epsilon, norm, clip_norm)  # checks all three
    _validate.integer("num_reports", num_reports, 0, MOST_REPORTS)
    _validate.integer("dimension", dimension, 2)
    coins, directions = _generators(seed)
    draws = coins.random((num_reports, 2))
    points = directions.standard_normal((num_reports, dimension))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    rounded_up = draws[:, 0] < 0.5 + min(norm / clip_norm, 1.0) / 2.0
    near = rounded_up == (draws[:, 1] < theory.worst_case_identification(epsilon))
    points *= np.where((points[:, -1] > 0.0) == near, 1.0, -1.0)[:, None]
    return SentReports(points, rounded_up, near)


def play(epsilon: float, num_rounds: int, seed: int) -> tuple[GameRound, ...]:
    """Return rounds of the guessing game: A points up, B down, both as long as the clipping norm.

    A fair coin picks what is sent. The attacker names the update on whose side the report lies; nobody can do better.
    Raises ``ValueError`` unless epsilon is from 0.01 to 30 nats and the number of rounds from 0 to 10,000.
    """
    _validate.integer("num_rounds", num_rounds, 0, MOST_REPORTS)
    sent = send(epsilon, 1.0, num_rounds, seed)
    picks = np.random.default_rng(np.random.SeedSequence([seed, 2])).random(num_rounds) < 0.5
    rounds = []
    for point, first in zip(sent.points, picks, strict=True):
        x, y = (float(value) for value in (point if first else -point))
        rounds.append(GameRound("A" if first else "B", (x, y), "A" if y > 0.0 else "B"))
    return tuple(rounds)


def clear_game(seed: int) -> int:
    """Return the first seed, from ``seed`` >= 0 on, whose game begins with a report that lies clearly on one side.

    How far a report is from the line between the sides depends on the seed alone, at every epsilon, and the sides
    depend on other random numbers: so the choice leaves the law of the sides as it is.

    >>> 0.6 <= abs(play(1.0, 1, clear_game(0))[0].report[1]) <= 1.0
    True
    """
    while abs(play(1.0, 1, seed)[0].report[1]) < CLEAR_HEIGHT:
        seed += 1
    return seed


def best_without_looking(rounds: Sequence[GameRound]) -> tuple[Side, int]:
    """Return which of "always A" and "always B" is right more often in these rounds, and how often.

    >>> best_without_looking(play(1.0, 10, 3))[1] >= 5
    True
    """
    first = sum(game_round.sent == "A" for game_round in rounds)
    second = len(rounds) - first
    return ("A", first) if first >= second else ("B", second)


def norm_of(gradient: Vector) -> float:
    """Return the L2 norm of a gradient of shape (d,)."""
    return float(np.sqrt(np.square(gradient, dtype=np.float64).sum()))  # no library threads order this sum


def randomize(gradient: Vector, epsilon: float, seed: int, *, clip_norm: float = 1.0) -> tuple[Vector, bool]:
    """Return one LDP-SGD report of a gradient, a unit vector, and whether it lies on the gradient's own side.

    Raises ``ValueError`` unless the gradient has shape (d,), d >= 2, is finite and not zero; other arguments as in
    ``near_probability``.
    """
    if gradient.ndim != 1 or len(gradient) < 2 or not np.isfinite(gradient).all() or not gradient.any():
        raise ValueError(f"gradient must be finite, not zero and of shape (d >= 2,), got shape {gradient.shape}")
    sent = send(epsilon, norm_of(gradient), 1, seed, clip_norm=clip_norm)
    _, directions = _generators(seed)
    report = directions.standard_normal(len(gradient))
    report /= math.sqrt(float(np.square(report).sum()))  # in one order, whatever the threads of BLAS
    near = bool(sent.near[0])
    return (report if (float(report @ gradient) > 0.0) == near else -report), near


def _generators(seed: int) -> tuple[np.random.Generator, np.random.Generator]:
    """Return the sources of coins and of directions."""
    _validate.integer("seed", seed, 0)
    coins, directions = (np.random.default_rng(np.random.SeedSequence([seed, stream])) for stream in (0, 1))
    return coins, directions
