"""The plane: the result, and what follows from the trainings of each point; nothing here loads torch."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, median
from typing import ClassVar

from ldp_core import _validate
from ldp_core.statistics import intervals, ranking
from ldp_core.statistics.intervals import Interval
from ldp_core.studies.plane.config import PLAIN, PlaneConfig
from ldp_core.studies.reading import check_completed, check_each


@dataclass(frozen=True, slots=True)
class Measured:
    """A mean or an area with its standard error."""

    value: float
    error: float

    def __post_init__(self) -> None:
        for name in ("value", "error"):
            object.__setattr__(self, name, _validate.number(name, getattr(self, name), 0.0, 1e9))


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
            check_each(self, name, lambda name, value: _validate.open_number(name, value, 0.0, 1e9))
        if not self.seconds or len(self.seconds) != len(self.plain):
            raise ValueError("seconds and plain must be as many, and at least one, got other numbers of them")

    @property
    def ratio(self) -> Interval:
        """Median of the ratios, and their least and greatest."""
        ratios = [seconds / plain for seconds, plain in zip(self.seconds, self.plain, strict=True)]
        return Interval(median(ratios), min(ratios), max(ratios))


LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Summary:
    """What was measured of one point, over its trainings; ranges hold in 95 of 100.

    Args:
        train_accuracy: share of members classified right.
        accuracy: share of held-out pictures classified right.
        areas: attacker on membership -> area under the ROC curve.
        strongest: the attacker with the largest area.
        area: that area; its range pays for the choice.
        rebuilt: squared error per pixel from one report.
        guess: that of the mean picture.
        membership: our improvement against membership inference: 1 - (area - 1/2) / (area of plain SGD - 1/2).
        reconstruction: our improvement against reconstruction: the share of the way from the error of plain SGD to
            that of the mean picture.
        defence: our GDC, the mean of the two; like them None where plain SGD gives too little away to compare with.
    """

    point: str
    train_accuracy: Interval
    accuracy: Interval
    areas: dict[str, Interval]
    strongest: str
    area: Interval
    rebuilt: Interval
    guess: Interval
    membership: Interval | None
    reconstruction: Interval | None
    defence: Interval | None


def _summary(config: PlaneConfig, trained: Sequence[PlaneRun], point: str) -> Summary:
    runs, plain = (tuple(run for run in trained if run.point == name) for name in (point, PLAIN))
    pay = len(config.attacks)
    areas = {name: _area(config, runs, name, LEVEL) for name in config.attacks}
    strongest = max(areas, key=lambda name: areas[name].point)
    membership = reconstruction = defence = None
    if len(plain) == config.repeats:
        best = max(config.attacks, key=lambda name: _area(config, plain, name, LEVEL).point)

        def hidden(level: float) -> Interval | None:
            against = _area(config, plain, best, level / pay)
            if against.lower <= 0.5:
                return None
            area = _area(config, runs, strongest, level / pay)
            return _corners(lambda area, other: 1.0 - (area - 0.5) / (other - 0.5), area, against)

        def blurred(level: float) -> Interval | None:
            rebuilt, other = (_errors([run.rebuilt for run in trainings], level) for trainings in (runs, plain))
            guess = _errors([run.guess for run in plain], level)
            if guess.lower <= other.upper:
                return None
            return _corners(lambda error, least, most: (error - least) / (most - least), rebuilt, other, guess)

        def beside_itself(measure: Interval | None) -> Interval | None:
            return Interval(0.0, 0.0, 0.0) if measure and point == PLAIN else measure

        membership, reconstruction = beside_itself(hidden(LEVEL / 2)), beside_itself(blurred(LEVEL / 3))
        left, right = beside_itself(hidden(LEVEL / 5)), beside_itself(blurred(LEVEL / 5))
        if left is not None and right is not None:
            defence = _corners(lambda left, right: (left + right) / 2.0, left, right)
    return Summary(
        point,
        _shares([(run.train_right, config.members) for run in runs]),
        _shares([(run.right, run.held_out) for run in runs]),
        areas, strongest, _area(config, runs, strongest, LEVEL / pay),
        _errors([run.rebuilt for run in runs], LEVEL), _errors([run.guess for run in runs], LEVEL),
        membership, reconstruction, defence,
    )  # fmt: skip


def _area(config: PlaneConfig, runs: Sequence[PlaneRun], name: str, level: float) -> Interval:
    if len(runs) > 1:
        return _over([run.areas[name].value for run in runs], level, 0.0, 1.0)
    area = runs[0].areas[name]
    return Interval(area.value, *ranking.auc_interval(area.value, area.error, config.num_targets, level))


def _shares(counts: Sequence[tuple[int, int]]) -> Interval:
    """Return a share, over trainings with Student's interval, of one training with Clopper and Pearson's."""
    if len(counts) > 1:
        return _over([right / total for right, total in counts], LEVEL, 0.0, 1.0)
    return intervals.share_interval(*counts[0], LEVEL)


def _errors(values: Sequence[Measured], level: float) -> Interval:
    """Return a mean error, over trainings with Student's interval, of one training over its pictures."""
    if len(values) > 1:
        return _over([measurement.value for measurement in values], level, 0.0, math.inf)
    mean, reach = values[0].value, NormalDist().inv_cdf(1.0 - level / 2.0) * values[0].error
    return Interval(mean, max(0.0, mean - reach), mean + reach)


def _over(values: Sequence[float], level: float, least: float, most: float) -> Interval:
    interval = intervals.mean_interval(values, level)
    assert interval is not None
    point, lower, upper = interval
    assert lower is not None
    assert upper is not None
    return Interval(point, max(least, lower), min(most, upper))


def _corners(function: Callable[..., float], *parts: Interval) -> Interval:
    """Return a function of several numbers, monotone in each, with the range that their ranges allow."""
    ends = [function(*corner) for corner in itertools.product(*((part.lower, part.upper) for part in parts))]
    return Interval(function(*(part.point for part in parts)), min(ends), max(ends))


@dataclass(frozen=True, slots=True)
class PlaneResult:
    """The plane, whole or cut short: the runs of ``config.planned`` that are done, in their order.

    ``costs`` are of each method, timed in one run; empty until they are.
    """

    SCHEMA: ClassVar[str] = "ldp-plane/1"
    DERIVED: ClassVar[tuple[str, ...]] = ("summaries",)
    config: PlaneConfig
    runs: tuple[PlaneRun, ...]
    costs: tuple[Cost, ...]
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        config = self.config
        done = tuple((entry.point, entry.repeat) for entry in self.runs)
        if done != config.planned[: len(done)]:
            raise ValueError("runs must be the first ones that were planned, in their order, got others")
        for entry in self.runs:
            _validate.integer("train_right", entry.train_right, 0, config.members)
            _validate.integer("held_out", entry.held_out, 1)
            _validate.integer("right", entry.right, 0, entry.held_out)
            _validate.integer("training", entry.training, 2 * config.members + config.public)
            if tuple(entry.areas) != config.attacks:
                raise ValueError(
                    f"areas must be of {', '.join(config.attacks)}, got {', '.join(entry.areas) or 'none'}"
                )
            for area in entry.areas.values():
                _validate.number("area", area.value, 0.0, 1.0)
        timed = tuple(entry.method for entry in self.costs)
        if timed and timed != config.methods:
            raise ValueError(f"costs must be of {', '.join(config.methods)}, got {', '.join(timed)}")
        check_completed(self.completed, len(done) == len(config.planned) and (bool(timed) or not config.timings))

    @property
    def summaries(self) -> tuple[Summary, ...]:
        """What was measured of each point of which all trainings are done."""
        config, done = self.config, [run.point for run in self.runs]
        points = (point for point in config.points if done.count(point) == config.repeats)
        return tuple(_summary(config, self.runs, point) for point in points)
