"""The plane: what one training of one point gave, and what a pass costs; nothing here loads torch."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import ClassVar

from ldp_core import _validate
from ldp_core.game.summary import Interval
from ldp_core.studies.reading import several


@dataclass(frozen=True, slots=True)
class Measured:
    """A mean or an area with its standard error."""

    value: float
    error: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _validate.number("value", self.value, 0.0, 1e9))
        object.__setattr__(self, "error", _validate.number("error", self.error, 0.0, 1e9))


@dataclass(frozen=True, slots=True)
class PlaneRun:
    """One training of one point.

    Args:
        point: of ``PlaneConfig.points``.
        repeat: number of the training, from 0.
        train_right: members classified right, of ``members``.
        right: held-out pictures classified right.
        held_out: number of these.
        training: training pictures of the data set, from which members, others and public ones were drawn.
        areas: attacker on membership -> area under its ROC curve.
        rebuilt: squared error per pixel of the rebuilt pictures, from one report of each under the first model.
        guess: that of the mean picture, without any report.
    """

    point: str
    repeat: int
    train_right: int
    right: int
    held_out: int
    training: int
    areas: dict[str, Measured]
    rebuilt: Measured
    guess: Measured


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a pass of one method and of plain SGD, timed in turn."""

    DERIVED: ClassVar[tuple[str, ...]] = ("ratio",)
    method: str
    seconds: tuple[float, ...]
    plain: tuple[float, ...]

    def __post_init__(self) -> None:
        for name in ("seconds", "plain"):
            values = tuple(_validate.open_number(name, one, 0.0, 1e9) for one in several(name, getattr(self, name)))
            object.__setattr__(self, name, values)
        if not self.seconds or len(self.seconds) != len(self.plain):
            raise ValueError("seconds and plain must be as many, and at least one, got other numbers of them")

    @property
    def ratio(self) -> Interval:
        """Median of the ratios, and their least and greatest."""
        ratios = [own / plain for own, plain in zip(self.seconds, self.plain, strict=True)]
        return Interval(median(ratios), min(ratios), max(ratios))
