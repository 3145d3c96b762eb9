"""A channel for pictures: the configuration, the result and its JSON; nothing here loads torch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from ldp_core import _validate, record
from ldp_core._validate import within
from ldp_core.channels import CHANNELS, check_goal, check_map
from ldp_core.statistics import intervals
from ldp_core.studies.reading import Estimate, check_completed, check_each, check_list

MOST_UNASKED = 2_000
"""Candidates where no number is asked for, if the data set has as many pictures."""


@dataclass(frozen=True, slots=True)
class ChannelsConfig:
    """Everything that determines a channel and what is measured of it.

    The training part of the data set is public and gives the covariance; 1 to 12 rising numbers of rounds.
    ``candidates`` None stands for ``MOST_UNASKED``, or all if there are fewer; 0 ``passes`` for no training.
    A ``goal`` (``channels.goals``) takes the place of the capacity: the largest one that keeps it. An
    ``importance_map`` (``channels.importance``) that of the paper's square.
    """

    COMMAND: ClassVar[str] = "channels"
    channel: str = "natural"
    seed: int = field(default=0, metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    capacity: float = 100.0
    importance: float = field(default=50.0, metadata=within(1e-3, 1e6))
    rounds: tuple[int, ...] = (1, 5, 20, 100)
    pictures: int = field(default=200, metadata=within(2, 10_000))
    candidates: int | None = field(default=None, metadata=within(2, 20_000))
    passes: int = field(default=0, metadata=within(0, 100))
    goal: str = ""
    importance_map: str | None = None

    def __post_init__(self) -> None:
        for name in ("channel", "dataset"):
            _validate.name(name, getattr(self, name))
        _validate.choice("channel", self.channel, tuple(CHANNELS))
        _validate.check_limits(self)
        object.__setattr__(self, "capacity", _validate.open_number("capacity", self.capacity, 0.0, math.inf))
        check_goal(self.goal)
        check_map(self.importance_map)
        rounds = check_each(self, "rounds", lambda name, number: _validate.integer(name, number, 1, 10**6))
        if not rounds or len(rounds) > 12 or sorted(set(rounds)) != list(rounds):
            raise ValueError(f"rounds must be 1 to 12 rising numbers, got {rounds}")

    @property
    def maps(self) -> bool:
        """Whether pixels count differently: by a map, or in the paper's square of a channel that takes one."""
        return self.importance_map is not None or CHANNELS[self.channel].paints


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Share of held-out pictures classified right after each pass of a training."""

    plain: tuple[float, ...]
    fresh: tuple[float, ...]
    once: tuple[float, ...]

    def __post_init__(self) -> None:
        for name in ("plain", "fresh", "once"):
            check_each(self, name, lambda name, share: _validate.number(name, share, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Fit:
    """What follows from the covariance alone.

    Args:
        sigma: standard deviation of the noise of a pixel (where the importance is 1); None for white.
        rank: directions in which the pictures differ, of ``dimension``.
        dimension: pixels times colours.
        capacity: in nats, of Gaussian data with this covariance.
        rounds: in nats after each number of rounds with fresh noise; noise drawn once stays at ``capacity``.
        wiener_error_per_pixel: squared error of the linear estimate.
        important_error: the same where pixels count, each as much as it is important; None if all count alike.
        share_of_variance: that error over the variance of the pictures.
        diagonal_capacity: upper bound on the capacity by the paper's Theorem 3; None for white.
        gaussian_floor: Theorem 1 over the best number of components, per pixel: of Gaussian data only.
        floor_components: that number.
        water_filling: least error of any code of this capacity on Gaussian data, per pixel.
    """

    sigma: float | None
    rank: int
    dimension: int
    capacity: float
    rounds: tuple[float, ...]
    wiener_error_per_pixel: float
    important_error: float | None
    share_of_variance: float
    diagonal_capacity: float | None
    gaussian_floor: float
    floor_components: int
    water_filling: float

    def __post_init__(self) -> None:
        for attribute in fields(self):
            value = getattr(self, attribute.name)
            if attribute.name == "rounds":
                object.__setattr__(self, "rounds", tuple(_validate.number("rounds", part, 0.0, 1e15) for part in value))
            elif isinstance(value, float):
                _validate.number(attribute.name, value, 0.0, 1e15)


@dataclass(frozen=True, slots=True)
class ChannelsResult:
    """A channel, whole or cut short.

    Args:
        fit: None before it is known.
        real_error: squared error of the linear estimate on held-out pictures, per pixel.
        gaussian_error: likewise on Gaussian data with the same covariance, where theory is exact.
        right: of so many noisy ``pictures``, those that were found among ``candidates``.
        accuracy: None where no training was asked for.
    """

    SCHEMA: ClassVar[str] = "ldp-channels/1"
    config: ChannelsConfig
    fit: Fit | None
    real_error: Estimate | None
    gaussian_error: Estimate | None
    right: int | None
    pictures: int
    candidates: int
    accuracy: Accuracy | None
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        if self.fit is not None and len(self.fit.rounds) != len(self.config.rounds):
            raise ValueError(f"rounds must be those of {self.config.rounds}")
        _validate.integer("pictures", self.pictures, 0, 10_000)
        if self.right is not None:
            _validate.integer("right", self.right, 0, self.pictures)
        trained = 0 if self.accuracy is None else len(self.accuracy.once)
        check_completed(self.completed, self.right is not None and trained == self.config.passes)

    @property
    def found(self) -> intervals.Interval | None:
        """Share of noisy pictures found, with Clopper and Pearson's 95 % interval."""
        return None if self.right is None else intervals.share_interval(self.right, self.pictures, 0.05)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: those of the fit stand among the others, its rounds with what they are of."""
        values = record.fields_of(self)
        fit = values.pop("fit") or {}
        if self.fit is not None:
            capacities = zip(self.config.rounds, self.fit.rounds, strict=True)
            once = self.fit.capacity
            fit["rounds"] = [
                {"rounds": number, "capacity": capacity, "capacity_once": once} for number, capacity in capacities
            ]
        return {"config": values.pop("config"), **fit, **values, "found": record.plain(self.found)}

    @classmethod
    def from_dict(cls, report: Mapping[str, Any]) -> ChannelsResult:
        """Read plain values back; raise ``ValueError`` if they are none of a channel."""
        values, fit = {name: value for name, value in report.items() if name != "found"}, None
        if "rank" in values:
            fit = {attribute.name: values.pop(attribute.name) for attribute in fields(Fit)}
            fit["rounds"] = [entry["capacity"] for entry in check_list("rounds", fit["rounds"])]
        result: ChannelsResult = record.of_fields(cls, values | {"fit": fit}, "a report")
        return result
