"""The vocabulary: what the steps of a test hand to each other.

Private things (gradients, images, models) live in ``GradientPair`` and ``ClientState`` only; those
two show nothing in a repr and refuse to be pickled. Everything else here may be published.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

from ldp_core import _validate

if TYPE_CHECKING:
    from torch import Generator, Tensor
    from torch.nn import Module

EPSILON_RANGE = (0.01, 30.0)
"""Range of the claimed privacy parameter; above it a float64 coin is too coarse to be honest."""
BOUNDS = ("pooled", "clopper_pearson")
SAMPLINGS = ("full", "projected")
TRAININGS = ("none", "light", "full")
CLAIM_REJECTED = "claim_rejected"
CLAIM_NOT_REJECTED = "claim_not_rejected"


class _Private:
    """Mixin: no content in the repr, no pickling."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: private>"

    def __reduce_ex__(self, protocol: object) -> str:
        raise TypeError(f"{type(self).__name__} is private and is never serialised")


def direction_and_norm(gradient: Tensor) -> tuple[Tensor, float]:
    """Return the unit vector (zeros for a zero gradient) and the L2 norm, in float64; entries may be tiny or huge."""
    values = gradient.double()
    scale = values.abs().max().item()
    if scale == 0.0:
        return values, 0.0
    values = values / scale
    length = values.norm().item()
    return values / length, scale * length


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GradientPair(_Private):
    """The two gradients of a distinguishing game, with their geometry. Private.

    Args:
        first: the gradient "update A", shape (d,) with d >= 2, floating point, finite.
        second: the gradient "update B", same shape, dtype and device.
        description: how the pair was made, in words that may be published.
        images: the images behind the pair (none for a dummy), shown only on the client's own screen.

    Attributes:
        first_direction: unit vector of ``first``, shape (d,), in its dtype.
        second_direction: likewise. If exactly one gradient is zero, its direction is taken as the
            opposite of the other's (and its norm is 0).
        direction_difference: first minus second direction, shape (d,), rounded once.
        geometry: angle and norms, plain numbers.

    Raises:
        ValueError: if the shapes, dtypes or devices differ, d < 2, a value is NaN or infinite, a norm exceeds
            the largest float64, or both gradients are zero.
    """

    first: Tensor
    second: Tensor
    description: str = "two gradients"
    images: tuple[Tensor, ...] = ()
    first_direction: Tensor = field(init=False)
    second_direction: Tensor = field(init=False)
    direction_difference: Tensor = field(init=False)
    geometry: PairGeometry = field(init=False)

    def __post_init__(self) -> None:
        for name, gradient in (("first", self.first), ("second", self.second)):
            check_gradient(f"{name} gradient", gradient)
        if self.first.shape != self.second.shape:
            raise ValueError(
                f"the two gradients must have the same length, got {self.first.shape[0]} and {self.second.shape[0]}"
            )
        if self.first.dtype != self.second.dtype or self.first.device != self.second.device:
            raise ValueError(
                "the two gradients must have one dtype and device, got "
                f"{self.first.dtype} on {self.first.device} and {self.second.dtype} on {self.second.device}"
            )
        first, norm_first = direction_and_norm(self.first)
        second, norm_second = direction_and_norm(self.second)
        if norm_first == 0.0 and norm_second == 0.0:
            raise ValueError("at least one gradient of a pair must be different from zero, got two zero gradients")
        if norm_first == 0.0:
            first = -second
        if norm_second == 0.0:
            second = -first
        angle = 2.0 * math.atan2((first - second).norm().item(), (first + second).norm().item())
        object.__setattr__(self, "first_direction", first.to(self.first.dtype))
        object.__setattr__(self, "second_direction", second.to(self.first.dtype))
        object.__setattr__(self, "direction_difference", (first - second).to(self.first.dtype))
        geometry = PairGeometry(math.degrees(angle), norm_first, norm_second, self.description)
        object.__setattr__(self, "geometry", geometry)

    @property
    def dimension(self) -> int:
        """Length d of the gradients."""
        return self.first.shape[0]

    def to(self, device: str) -> GradientPair:
        """Return the pair with its gradients on another device."""
        return GradientPair(self.first.to(device), self.second.to(device), self.description, self.images)


def check_gradient(name: str, gradient: Tensor) -> None:
    """Raise ``ValueError`` unless ``gradient`` is one finite float32 or float64 vector with d >= 2."""
    if gradient.ndim != 1 or gradient.shape[0] < 2:
        raise ValueError(f"{name} must be one vector of dimension d >= 2, got shape {tuple(gradient.shape)}")
    if str(gradient.dtype) not in ("torch.float32", "torch.float64"):
        raise ValueError(f"{name} must be float32 or float64, got {gradient.dtype}")
    if not gradient.isfinite().all():
        wrong = int((~gradient.isfinite()).sum())
        raise ValueError(f"{name} must be finite, got {wrong} values that are NaN or infinite")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ClientState(_Private):
    """What is on the device and what an adversary may look at. Private.

    Args:
        model: the global model theta_t that the server sent.
        images: the client's own (held-out) images, shape (b, channels, height, width), in [0, 1].
        labels: their classes, shape (b,), int64.
        server_images: images that a colluding server trains on, same layout.
        server_labels: their classes.
        num_classes: number of classes.
        clip_norm: L2 bound L on a gradient.
    """

    model: Module
    images: Tensor
    labels: Tensor
    server_images: Tensor
    server_labels: Tensor
    num_classes: int
    clip_norm: float


@dataclass(frozen=True, slots=True)
class PairGeometry:
    """What may be published of a gradient pair.

    Args:
        angle_degrees: angle between the gradients, in [0, 180].
        norm_first: L2 norm of the first gradient before clipping.
        norm_second: likewise.
        description: how the pair was made.
    """

    angle_degrees: float
    norm_first: float
    norm_second: float
    description: str

    def __post_init__(self) -> None:
        _validate.number("angle_degrees", self.angle_degrees, 0.0, 180.0)
        _validate.number("norm_first", self.norm_first, 0.0, sys.float_info.max)
        _validate.number("norm_second", self.norm_second, 0.0, sys.float_info.max)
        _validate.text("description", self.description, 200)


@dataclass(frozen=True, slots=True)
class TrialCounts:
    """Four integers, truth by guess. They add with ``+``; the empty count is zero.

    >>> (TrialCounts(3, 1, 0, 4) + TrialCounts()).num_trials
    8
    """

    first_as_first: int = 0
    first_as_second: int = 0
    second_as_first: int = 0
    second_as_second: int = 0

    def __post_init__(self) -> None:
        for name in ("first_as_first", "first_as_second", "second_as_first", "second_as_second"):
            _validate.integer(name, getattr(self, name), 0)

    def __add__(self, other: TrialCounts) -> TrialCounts:
        return TrialCounts(
            self.first_as_first + other.first_as_first,
            self.first_as_second + other.first_as_second,
            self.second_as_first + other.second_as_first,
            self.second_as_second + other.second_as_second,
        )

    @property
    def num_first(self) -> int:
        """Trials in which the first gradient was sent."""
        return self.first_as_first + self.first_as_second

    @property
    def num_second(self) -> int:
        """Trials in which the second gradient was sent."""
        return self.second_as_first + self.second_as_second

    @property
    def num_trials(self) -> int:
        """All trials."""
        return self.num_first + self.num_second

    @property
    def num_right(self) -> int:
        """Trials that were guessed right."""
        return self.first_as_first + self.second_as_second

    @property
    def false_positive_rate(self) -> float | None:
        """Share of first-gradient trials guessed second; None without such trials."""
        return self.first_as_second / self.num_first if self.num_first else None

    @property
    def false_negative_rate(self) -> float | None:
        """Share of second-gradient trials guessed first; None without such trials."""
        return self.second_as_first / self.num_second if self.num_second else None


@dataclass(frozen=True, slots=True)
class AuditConfig:
    """Everything that determines the counts of a run, and nothing private.

    Args:
        attack: name in ``adversaries.ADVERSARIES``.
        epsilon: claimed privacy parameter, in nats, from 0.01 to 30.
        mechanism: name in ``mechanisms.MECHANISMS``.
        distinguisher: name in ``distinguishers.DISTINGUISHERS``.
        clip_norm: L2 bound L on a gradient, > 0.
        dataset: name in ``datasets.DATASETS``.
        training: how far the global model was trained: none, light or full.
        num_trials: trials K of one measurement, both gradients together.
        num_measurements: measurements, each with a pair of its own.
        significance: chance that the stated bound fails (0.05 is "95 % confidence").
        bound: which lower bound is stated; fixed before the run.
        watch: whether somebody looks at the counts during the run (then part of the
            significance pays for the bound that may be looked at any time).
        sampling: ``full`` builds every report; ``projected`` simulates what a linear
            distinguisher sees of our own mechanism.
        seed: of all random streams.
    """

    attack: str
    epsilon: float
    bound: str
    seed: int
    mechanism: str = "ldp-sgd"
    distinguisher: str = "cosine"
    clip_norm: float = 1.0
    dataset: str = "digits"
    training: str = "light"
    num_trials: int = 10_000
    num_measurements: int = 10
    significance: float = 0.05
    watch: bool = False
    sampling: str = "full"

    def __post_init__(self) -> None:
        for name in ("attack", "mechanism", "distinguisher", "dataset"):
            _validate.name(name, getattr(self, name))
        _validate.choice("watch", self.watch, (False, True))
        object.__setattr__(self, "epsilon", _validate.number("epsilon", self.epsilon, *EPSILON_RANGE))
        _validate.choice("bound", self.bound, BOUNDS)
        _validate.integer("seed", self.seed, 0, 2**63 - 1)
        object.__setattr__(self, "clip_norm", _validate.number("clip_norm", self.clip_norm, 1e-6, 1e6))
        _validate.choice("training", self.training, TRAININGS)
        _validate.integer("num_trials", self.num_trials, 1, 10**9)
        _validate.integer("num_measurements", self.num_measurements, 1, 1_000)
        _validate.number("significance", self.significance, 1e-9, 0.5)
        _validate.choice("sampling", self.sampling, SAMPLINGS)


@dataclass(frozen=True, slots=True)
class MeasurementResult:
    """One measurement: its pair's geometry, its counts, and what the exact law expects.

    Args:
        pair: angle, norms and description.
        counts: the trials so far.
        expected_identification: chance of a right guess by the exact law, in [0, 1]; None if no law is known.
    """

    pair: PairGeometry
    counts: TrialCounts
    expected_identification: float | None

    def __post_init__(self) -> None:
        if self.expected_identification is not None:
            _validate.number("expected_identification", self.expected_identification, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class AuditResult:
    """A run, whole or cut short. Numbers only; everything else is derived by ``summary.summarize``.

    Args:
        config: what was asked for.
        measurements: one entry for each measurement begun.
        completed: whether every planned trial was carried out.
        seconds: duration so far.
        device: where the reports were computed ("cpu", "cuda").
        versions: of the packages that produced the numbers.
    """

    config: AuditConfig
    measurements: tuple[MeasurementResult, ...]
    completed: bool
    seconds: float
    device: str
    versions: Mapping[str, str]

    @property
    def counts(self) -> TrialCounts:
        """Counts of all measurements together."""
        return sum((measurement.counts for measurement in self.measurements), TrialCounts())


class Adversary(Protocol):
    """Step 1: makes the pair."""

    name: ClassVar[str]
    access: ClassVar[frozenset[str]]
    """What it must control: a subset of {"labels", "gradient", "server"}."""

    def craft(self, client: ClientState, generator: Generator) -> GradientPair:
        """Make one gradient pair; all randomness comes from ``generator``."""
        ...


class Mechanism(Protocol):
    """Step 2: randomizes a gradient, clipping included. ``epsilon`` and ``delta`` are claims."""

    name: ClassVar[str]

    @property
    def epsilon(self) -> float:
        """Claimed privacy parameter in nats."""
        ...

    @property
    def delta(self) -> float:
        """Claimed failure probability; 0 for pure local differential privacy."""
        ...

    def randomize(self, gradient: Tensor, num_reports: int, generator: Generator | None = None) -> Tensor:
        """Return independent reports, shape (num_reports, d)."""
        ...


class SupportsPairReports(Protocol):
    """A mechanism whose noise can be drawn apart from its coins, for both gradients of a pair in one pass."""

    def pair_reports(
        self, pair: GradientPair, num_first: int, num_second: int, directions: Generator, coins: Generator
    ) -> Iterator[Tensor]:
        """Yield blocks of reports, those of the first gradient before those of the second."""
        ...

    def pair_inner_products(
        self, pair: GradientPair, num_first: int, num_second: int, directions: Generator, coins: Generator
    ) -> tuple[Tensor, Tensor]:
        """Draw what the reports' inner products with both directions would be, up to a positive factor."""
        ...


class SupportsAggregate(Protocol):
    """A mechanism whose server knows an unbiased estimate of the mean gradient."""

    def aggregate(self, reports: Tensor) -> Tensor:
        """Return the estimate, shape (d,)."""
        ...


class Distinguisher(Protocol):
    """Step 3: guesses. A score >= 0 means "first"."""

    name: ClassVar[str]
    view: ClassVar[str]
    bound: ClassVar[str]
    """The bound that fits its errors, fixed before any run: "pooled" or "clopper_pearson"."""

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Score reports of shape (n, d); returns shape (n,)."""
        ...


class SupportsInnerProducts(Protocol):
    """A distinguisher that only looks at a report's inner products with the two directions."""

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Score n reports from their two inner products, each of shape (n,)."""
        ...
