"""The vocabulary: what the steps of a test hand to each other.

Private things (gradients, images, models) live in ``private``. Everything here may be published.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from ldp_core import _validate
from ldp_core._validate import within

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Generator, Tensor

    from ldp_core.facts import DataFacts
    from ldp_core.private import ClientState, GradientPair, ModelUpdates

Draws = TypeVar("Draws", "NDArray[Any]", "Tensor")
"""Random numbers, and what is made of them, where both kinds of arrays will do."""
EPSILON_RANGE = (0.01, 30.0)
"""Range of the claimed privacy parameter; above it a float64 coin is too coarse to be honest."""
CLIP_RANGE = (1e-6, 1e6)
"""Range of the clipping norm L of every configuration."""
GAUSSIAN_DELTA = 1e-5
"""Failure probability that Gaussian mechanisms claim where none is chosen."""
BOUNDS = ("pooled", "clopper_pearson")
SAMPLINGS = ("full", "projected")
WRONG_LABELS = ("likeliest", "random")
"""Which wrong label a label flip gives: the one that the model finds likeliest, or one drawn at random."""
SERVER_STEPS = ("unbiased", "printed")
"""Steps of the server by name: with the unbiased constant (3.75 norms of the model in its usual ball), and with the
constant as the papers print it (that divided by d)."""
USUAL_STEP = 0.1
"""Step of an ordinary server: what one report alone moves the model by, in norms of the model that is sent."""
STEP_RANGE = (1e-4, 100.0)
"""Range of a step that is given as a number; below it float32 rounds what a report moves."""
TRAINING_WORDS = {
    "none": "random weights",
    "light": "until 85 of 100 held-out images are right, at most 20 passes",
    "full": "20 passes over the training images",
}
"""How far the server has trained the global model before the test."""
TRAININGS = tuple(TRAINING_WORDS)
CLAIM_REJECTED = "claim_rejected"
CLAIM_NOT_REJECTED = "claim_not_rejected"
SIGNIFICANCE = 0.001
"""Chance that a verdict blames a mechanism that keeps its promise, by default: "99.9 % confidence"."""


@dataclass(frozen=True, slots=True)
class PairGeometry:
    """What may be published of a gradient pair: its angle in [0, 180] degrees, L2 norms before clipping, and words."""

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
        significance: chance that the stated bound fails, and with it that an honest mechanism is rejected.
        bound: which lower bound is stated; fixed before the run.
        watch: whether somebody looks at the counts during the run (then part of the
            significance pays for the bound that may be looked at any time).
        sampling: ``full`` builds every report; ``projected`` simulates what a linear
            distinguisher sees of our own mechanism.
        seed: of all random streams.
        strength: of an attack that has one: the step alpha of input perturbation and of parameter
            retrogression, the dummy's norm in units of the clipping norm; from 1e-6 to 1,000.
        clients: clients whose reports the server averages before a black box sees the model, 1 to 1,000.
        radius: norm of the ball onto which the server projects its model; None for three times that of the model sent.
        server_step: length of the step that one report alone makes, black box only: a number of norms of the model
            that is sent, in ``STEP_RANGE``, or a name in ``SERVER_STEPS``.
        wrong_label: in ``WRONG_LABELS``; label flip only.
    """

    COMMAND: ClassVar[str] = "audit"

    attack: str
    epsilon: float = field(metadata=within(*EPSILON_RANGE))
    bound: str
    seed: int = field(metadata=within(0, 2**63 - 1))
    mechanism: str = "ldp-sgd"
    distinguisher: str = "cosine"
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    dataset: str = "digits"
    training: str = "light"
    num_trials: int = field(default=10_000, metadata=within(1, 10**9))
    num_measurements: int = field(default=10, metadata=within(1, 1_000))
    significance: float = field(default=SIGNIFICANCE, metadata=within(1e-9, 0.5))
    watch: bool = False
    sampling: str = "full"
    strength: float = field(default=1.0, metadata=within(1e-6, 1e3))
    clients: int = field(default=1, metadata=within(1, 1_000))
    radius: float | None = field(default=None, metadata=within(1e-6, 1e9))
    server_step: float | str = USUAL_STEP
    wrong_label: str = "likeliest"

    def __post_init__(self) -> None:
        for name in ("attack", "mechanism", "distinguisher", "dataset"):
            _validate.name(name, getattr(self, name))
        _validate.choice("watch", self.watch, (False, True))
        _validate.check_limits(self)
        _validate.choice("bound", self.bound, BOUNDS)
        _validate.choice("training", self.training, TRAININGS)
        _validate.choice("sampling", self.sampling, SAMPLINGS)
        _validate.choice("wrong_label", self.wrong_label, WRONG_LABELS)
        check_server_step(self.server_step)


def check_server_step(step: object) -> None:
    """Raise ``ValueError`` unless a server's step is a name in ``SERVER_STEPS`` or a number in ``STEP_RANGE``."""
    low, high = STEP_RANGE
    if step in SERVER_STEPS or (isinstance(step, float | int) and not isinstance(step, bool) and low <= step <= high):
        return
    names = ", ".join(SERVER_STEPS)
    raise ValueError(f"server_step must be {names} or a number from {low:g} to {high:g}, got {step!r}")


def server_step(text: str) -> float | str:
    """Read a server's step as it is typed: a number where it is one, else the name; ``check_server_step`` judges it."""
    try:
        return float(text)
    except ValueError:
        return text


@dataclass(frozen=True, slots=True)
class Curve:
    """Errors at a row of thresholds that were fixed before these trials; they add with ``+``.

    At each threshold, from the lowest to the highest, a score below it means "second". ``num_first`` and ``num_second``
    are the trials of either gradient, ``false_positives`` how many of the first were called second, one count per
    threshold, and ``false_negatives`` how many of the second first.
    """

    num_first: int
    num_second: int
    false_positives: tuple[int, ...]
    false_negatives: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.false_positives) != len(self.false_negatives):
            raise ValueError(
                "false_positives and false_negatives must have one count per threshold, got "
                f"{len(self.false_positives)} and {len(self.false_negatives)}"
            )
        for total, wrong in ((self.num_first, self.false_positives), (self.num_second, self.false_negatives)):
            _validate.integer("number of trials", total, 0)
            for count in wrong:
                _validate.integer("errors", count, 0, total)

    def __add__(self, other: Curve) -> Curve:
        if len(self.false_positives) != len(other.false_positives):
            raise ValueError(
                "curves that are added must have equally many thresholds, got "
                f"{len(self.false_positives)} and {len(other.false_positives)}"
            )
        return Curve(
            self.num_first + other.num_first,
            self.num_second + other.num_second,
            tuple(map(operator.add, self.false_positives, other.false_positives)),
            tuple(map(operator.add, self.false_negatives, other.false_negatives)),
        )


@dataclass(frozen=True, slots=True)
class MeasurementResult:
    """One measurement: its pair's geometry, its counts so far, and what the exact law expects.

    ``expected_identification`` is the chance of a right guess by the exact law, None if no law is known; ``curve`` the
    errors at a row of thresholds, where they were asked for.
    """

    pair: PairGeometry
    counts: TrialCounts
    expected_identification: float | None
    curve: Curve | None = None

    def __post_init__(self) -> None:
        if self.expected_identification is not None:
            _validate.number("expected_identification", self.expected_identification, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class AuditResult:
    """A run, whole or cut short. Numbers only; everything else is derived by ``summary.summarize``.

    There is one entry in ``measurements`` for each begun; ``completed`` says whether every planned trial was carried
    out; ``device`` is "cpu" or "cuda"; ``versions`` are those of the packages that produced the numbers; ``data`` is
    None where it is not recorded.
    """

    config: AuditConfig
    measurements: tuple[MeasurementResult, ...]
    completed: bool
    seconds: float
    device: str
    versions: Mapping[str, str]
    data: DataFacts | None = None

    @property
    def counts(self) -> TrialCounts:
        """Counts of all measurements together."""
        return sum((measurement.counts for measurement in self.measurements), TrialCounts())


class Adversary(Protocol):
    """Step 1: makes the pair."""

    name: ClassVar[str]
    access: ClassVar[frozenset[str]]
    """What it must control: a subset of {"images", "labels", "parameters", "gradient", "server"}."""
    needs_images: ClassVar[bool]
    """Whether the pair depends on the client's images and on the model's training."""
    paper_rule: ClassVar[str]
    """The black-box distinguisher that the papers use against it, or that fits it where they name none."""
    style: ClassVar[tuple[str, str]]
    """Its colour, as in "#4F9EB6", and its marker on charts, one of ``figures`` 's symbols."""

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


class ClippingMechanism(Mechanism, Protocol):
    """One that says how it clips, and whose server knows an unbiased estimate: any of ``mechanisms.MECHANISMS``.

    Where its reports are bounded it also has ``report_norm(dimension) -> float``, their largest L2 norm.
    """

    clip_order: ClassVar[str]
    """Whether ``clip_norm`` bounds a gradient's L2 norm ("l2") or each of its coordinates ("linf")."""

    def __init__(self, epsilon: float, clip_norm: float = 1.0) -> None: ...

    @property
    def clip_norm(self) -> float:
        """Bound L on a gradient."""
        ...

    def aggregate(self, reports: Tensor) -> Tensor:
        """Return an unbiased estimate of the mean clipped gradient, shape (d,); linear in the reports."""
        ...


class SupportsSharedDirections(Mechanism, Protocol):
    """A mechanism whose report is a uniform direction, turned to the gradient's own side or away from it."""

    def own_side(self, norm: float | Draws, draws: Draws) -> Draws:
        """Return whether each report ends on its gradient's side; see ``LdpSgd.own_side``."""
        ...


class Distinguisher(Protocol):
    """Step 3: guesses. A score >= 0 means "first"."""

    name: ClassVar[str]
    view: ClassVar[str]
    """What it looks at: "white" (the report) or "black" (the server's model before and after)."""
    bound: ClassVar[str]
    """The bound that fits its errors, fixed before any run: "pooled" or "clopper_pearson"."""
    access: ClassVar[str]
    """What it must know, in one sentence."""

    law: ClassVar[bool]
    """Whether ``theory.cosine_rates`` (``selective_rates`` of one that abstains) are its exact law.

    Where it sees the report of a mechanism in ``mechanisms.LDP_SGD_FAMILY``.
    """

    abstains: ClassVar[bool]
    """Whether it abstains (by "first") unless surest, so that its share of right guesses does not tell what leaks."""

    def objection(self, attack: str, clients: int) -> str:
        """Return why it means nothing against an attack with this number of clients; "" where it does."""
        ...

    def sees_report(self, clients: int) -> bool:
        """Return whether it sees the client's report, or computes it back, in a round with this number of clients."""
        ...


class WhiteBox(Distinguisher, Protocol):
    """Looks at the report itself."""

    def score(self, reports: Tensor, pair: GradientPair) -> Tensor:
        """Score reports of shape (n, d); returns shape (n,)."""
        ...


class BlackBox(Distinguisher, Protocol):
    """Looks at the server's model before and after the round."""

    def score_updates(self, updates: ModelUpdates, pair: GradientPair) -> Tensor:
        """Score n updates of one model; returns shape (n,)."""
        ...


class SupportsInnerProducts(Protocol):
    """A distinguisher that only looks at a report's inner products with the two directions."""

    def score_inner_products(self, first: Tensor, second: Tensor) -> Tensor:
        """Score n reports from their two inner products, each of shape (..., n)."""
        ...
