"""Figures of a capacity: the configuration and the result; nothing here loads torch."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.channels import CHANNELS, check_goal, check_map
from ldp_core.studies.reading import check_completed, check_interval, check_list
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE

FACTORS = (1.0, 1_000.0)
MEASURES = ("psnr", "ssim", "cosine")
PARTS: dict[str, tuple[str, ...]] = {
    "server": ("server_told", "server_noise"),
    "batch": ("batch_share", "batch_error", "batch_told"),
    "direction": ("direction_error", "direction_told"),
    "compression": ("compression_told", "compression_error"),
    "similarity": tuple(f"similarity_{name}" for name in MEASURES),
    "inversion": tuple(f"inversion_{name}" for name in MEASURES),
    "reports": ("reports_named", "reports_told"),
    "gaussian": ("gaussian_error", "gaussian_named"),
    "noise": ("noise_named", "noise_told"),
}
"""Part -> its charts."""
LINES: dict[str, tuple[str, ...]] = {
    "server_told": ("kept_honest", "kept_crafted", "solved", "held_out", "pictures"),
    "server_noise": ("kept", "solved", "adaptive", "linear"),
    "batch_share": ("plain", "constant", "dp-sgd"),
    "batch_error": ("plain", "constant", "dp-sgd", "guess"),
    "batch_told": ("constant", "dp-sgd", "dp_limit"),
    "direction_error": ("removed", "whole", "expected"),
    "direction_told": ("removed", "whole"),
    "compression_told": ("largest", "random"),
    "compression_error": ("largest", "random", "guess"),
    **dict.fromkeys(PARTS["similarity"], (*CHANNELS, "mean", "class_mean")),
    **dict.fromkeys(PARTS["inversion"], (*CHANNELS, "no_noise", "mean")),
    "reports_named": ("exact", "by_mean", "doubling", "fano", "general", "blind"),
    "reports_told": ("exact", "channel"),
    "gaussian_error": ("floor", "water", "theory", "drawn", "real", "nearest"),
    "gaussian_named": (*CHANNELS, "fano", "blind"),
    "noise_named": ("exact", "dp_limit", "dp_dimension", "blind"),
    "noise_told": ("exact", "dp_limit", "dp_dimension"),
}
"""Chart -> its lines."""
CAPACITIES = (50.0, 100.0, 200.0, 300.0)
BATCHES = (1, 4, 16, 64)
DIRECTIONS = (1, 2, 5, 10, 20, 50)
SHARES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
"""Shares of an update's numbers that a compression keeps."""
REPORTS = (1, 3, 10, 30, 100, 300, 1_000)
"""Numbers of reports of LDP-SGD from which a picture is named."""
NAMED_AT = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
"""Capacities in nats at which a picture is named: small ones, where Fano's limit says something."""
NOISES = (0.2, 0.3, 0.5, 1.0, 2.0)
"""Noise multipliers z at which the picture behind one gradient is named."""


@dataclass(frozen=True, slots=True)
class CapacityConfig:
    """Everything that determines the figures, the ``parts`` of ``PARTS``.

    ``public`` pictures are those of the attacker, of the channels' covariance, and of the clients' covariances. A
    ``goal`` (``channels.goals``) takes the place of ``capacity``: the largest one at which the natural channel keeps
    it, with pictures named among the public ones. ``importance_map``: see ``channels.importance``; None for the paper's
    square.
    """

    COMMAND: ClassVar[str] = "capacity"
    seed: int = field(default=0, metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    parts: tuple[str, ...] = tuple(PARTS)
    capacity: float = 100.0
    capacities: tuple[float, ...] = CAPACITIES
    rounds: int = field(default=6, metadata=within(1, 50))
    factor: float = field(default=2.0, metadata=within(*FACTORS))
    batches: tuple[int, ...] = BATCHES
    noise: float = field(default=0.2066, metadata=within(1e-6, 1e6))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    epsilon: float = field(default=1.0, metadata=within(*EPSILON_RANGE))
    importance: float = field(default=50.0, metadata=within(1e-3, 1e6))
    public: int = field(default=600, metadata=within(200, 5_000))
    pictures: int = field(default=100, metadata=within(2, 10_000))
    passes: int = field(default=10, metadata=within(1, 100))
    goal: str = ""
    importance_map: str | None = None

    def __post_init__(self) -> None:
        _validate.name("dataset", self.dataset)
        _validate.check_limits(self)
        check_map(self.importance_map)
        parts = tuple(check_list("parts", self.parts))
        for part in parts:
            _validate.choice("part", part, tuple(PARTS))
        if not parts or len(set(parts)) < len(parts):
            raise ValueError(f"parts must be different, and at least one, got {', '.join(parts) or 'none'}")
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "capacity", _validate.open_number("capacity", self.capacity, 0.0, math.inf))
        check_goal(self.goal)
        listed = check_list("capacities", self.capacities)
        capacities = tuple(_validate.open_number("capacity", value, 0.0, math.inf) for value in listed)
        batches = tuple(_validate.integer("batches", value, 1, 1_000) for value in check_list("batches", self.batches))
        for name, values in (("capacities", capacities), ("batches", batches)):
            if not values or len(values) > 8 or sorted(set(values)) != list(values):
                raise ValueError(f"{name} must be 1 to 8 rising numbers, got {values}")
            object.__setattr__(self, name, values)

    @property
    def panels(self) -> tuple[str, ...]:
        """Names of the charts, in order."""
        return tuple(name for part in self.parts for name in PARTS[part])


@dataclass(frozen=True, slots=True)
class Point:
    """A value of a line; the ends of its range are None where it is computed and not measured."""

    x: float
    value: float
    lower: float | None = None
    upper: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", _validate.number("x", self.x, -1e15, 1e15))
        check_interval(self, "value", 1e15)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart, x rising."""

    name: str
    points: tuple[Point, ...]

    def at(self, x: float) -> Point:
        """Return the point at one x."""
        return next(point for point in self.points if point.x == x)


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: its lines in the order of ``LINES``."""

    name: str
    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        _validate.choice("panel", self.name, tuple(LINES))
        if tuple(line.name for line in self.lines) != LINES[self.name]:
            raise ValueError(f"lines of {self.name} must be {', '.join(LINES[self.name])}, got others")
        for line in self.lines:
            places = [point.x for point in line.points]
            if not places or len(places) > 60 or sorted(set(places)) != places:
                raise ValueError(f"points of {line.name} must be 1 to 60, rising, got others")

    def line(self, name: str) -> Line:
        """Return one of its lines."""
        return next(line for line in self.lines if line.name == name)


@dataclass(frozen=True, slots=True)
class Kept:
    """The largest ``capacity`` C, in nats, that keeps a goal, and the least standard deviation ``sigma`` of a pixel."""

    capacity: float
    sigma: float

    def __post_init__(self) -> None:
        for name in ("capacity", "sigma"):
            object.__setattr__(self, name, _validate.number(name, getattr(self, name), 0.0, 1e15))


@dataclass(frozen=True, slots=True)
class CapacityResult:
    """The figures, all of them or those that are done.

    ``kept``: what keeps the goal; None where none was asked for, and before it is known. ``panels``: the charts of the
    parts that are done, in their order.
    """

    SCHEMA: ClassVar[str] = "ldp-capacity/1"
    config: CapacityConfig
    kept: Kept | None
    panels: tuple[Panel, ...]
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        done = tuple(panel.name for panel in self.panels)
        if done != self.config.panels[: len(done)]:
            raise ValueError("panels must be the first ones that were asked for, in their order, got others")
        if self.kept is not None and not self.config.goal:
            raise ValueError(f"kept must be null without a goal, got {self.kept}")
        if self.kept is None and self.config.goal and done:
            raise ValueError(f"kept must be what keeps the goal {self.config.goal}, got null")
        check_completed(self.completed, done == self.config.panels)

    @property
    def capacity(self) -> float:
        """C in nats of the parts that have one."""
        return self.config.capacity if self.kept is None else self.kept.capacity

    def panel(self, name: str) -> Panel:
        """Return a chart that is there."""
        return next(panel for panel in self.panels if panel.name == name)
