"""Detectors: the configuration and the result; nothing here loads torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ldp_core import _validate, record
from ldp_core._validate import within
from ldp_core.adversaries import ATTACKS
from ldp_core.detectors import DETECTORS
from ldp_core.statistics import theory
from ldp_core.statistics.intervals import Interval, identification_interval
from ldp_core.studies.reading import check_list
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE, SIGNIFICANCE, TrialCounts

ADAPTIVE = ("border-image", "planted-border")
"""Attackers who know the detectors: an image on the border of two labels, and a model with a border planted in it."""


@dataclass(frozen=True, slots=True)
class DetectConfig:
    """Everything that determines a run, and nothing private.

    ``attacks`` are different names in ``adversaries.ADVERSARIES`` or ``ADAPTIVE``; ``images``, own ones at most, fall
    into three parts: to learn from, to set thresholds, to judge.
    """

    COMMAND: ClassVar[str] = "detect"
    seed: int = field(metadata=within(0, 2**63 - 1))
    attacks: tuple[str, ...] = (*ATTACKS, *ADAPTIVE)
    dataset: str = "digits"
    pairs: int = field(default=6, metadata=within(1, 200))
    false_alarm: float = field(default=0.05, metadata=within(0.001, 0.5))
    epsilon: float = field(default=4.0, metadata=within(*EPSILON_RANGE))
    trials: int = field(default=2_000, metadata=within(100, 10**6))
    images: int = field(default=900, metadata=within(30, 3_000))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    significance: float = field(default=SIGNIFICANCE, metadata=within(1e-9, 0.5))

    def __post_init__(self) -> None:
        object.__setattr__(self, "attacks", tuple(check_list("attacks", self.attacks)))
        for attack in self.attacks:
            _validate.choice("attack", attack, (*ATTACKS, *ADAPTIVE))
        if not self.attacks or len(set(self.attacks)) < len(self.attacks):
            raise ValueError(f"attacks must be different and at least one, got {', '.join(self.attacks) or 'none'}")
        _validate.name("dataset", self.dataset)
        _validate.check_limits(self)


@dataclass(frozen=True, slots=True)
class Refused:
    """How many of what was looked at one detector refused."""

    detector: str
    refused: int
    looked: int

    def __post_init__(self) -> None:
        _validate.choice("detector", self.detector, DETECTORS)
        _validate.integer("looked", self.looked, 0)
        _validate.integer("refused", self.refused, 0, self.looked)


@dataclass(frozen=True, slots=True)
class HonestRow:
    """What was refused of honest material that thresholds were not set with.

    Args:
        passes: passes of the training after which it was made.
        refused: by each detector: models are judged on samples of own images, gradients one by one.
        updates: honest updates, each the gradient of one image at the model as it was judged on one sample.
        refused_by_some: of them, those of which at least one detector refused the model or the gradient.
    """

    passes: int
    refused: tuple[Refused, ...]
    updates: int = 0
    refused_by_some: int = 0

    def __post_init__(self) -> None:
        _validate.integer("updates", self.updates, 0)
        _validate.integer("refused by some", self.refused_by_some, 0, self.updates)


@dataclass(frozen=True, slots=True)
class AttackRow:
    """What each detector refused of an attack, models and both gradients of its pairs, and what it still gains.

    ``counts`` are of games about the ``passed`` pairs, of which no detector refused anything, ``unguarded`` about all.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("share_refused", "identification")
    attack: str
    pairs: int
    refused: tuple[Refused, ...]
    passed: int
    counts: TrialCounts
    unguarded: TrialCounts

    def __post_init__(self) -> None:
        _validate.integer("pairs", self.pairs, 0)
        _validate.integer("passed", self.passed, 0, self.pairs)

    def derived(self) -> dict[str, Any]:
        """Return nothing: the result, which knows the significance, adds what follows."""
        return dict.fromkeys(self.DERIVED)

    def share_refused(self, significance: float) -> Interval | None:
        """Return the share of pairs refused by some detector, with its interval; None without pairs."""
        return identification_interval(TrialCounts(self.pairs - self.passed, self.passed), significance)

    def right(self, significance: float) -> Interval | None:
        """Return the share of right guesses about what passes, over these pairs; None where nothing passes."""
        return identification_interval(self.counts, significance)


@dataclass(frozen=True, slots=True)
class DetectResult:
    """A run, whole or cut short: a row for each attack that is done, in their order.

    ``passes`` are those of the training of the model that was attacked; ``honest`` has a row for each later pass.
    """

    SCHEMA: ClassVar[str] = "ldp-detect/1"
    DERIVED: ClassVar[tuple[str, ...]] = ("joint", "theory_identification", "seed")
    config: DetectConfig
    passes: int
    honest: tuple[HonestRow, ...]
    rows: tuple[AttackRow, ...]
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        done = tuple(row.attack for row in self.rows)
        if done != self.config.attacks[: len(done)]:
            raise ValueError(f"rows must be those of the first attacks, got {', '.join(done)}")
        if self.completed is not (len(done) == len(self.config.attacks)):
            raise ValueError(f"completed must say whether every attack is there, got {self.completed!r}")
        _validate.integer("passes", self.passes, 0)

    def derived(self) -> dict[str, Any]:
        """Return what follows from the counts of honest updates and from epsilon."""
        joint = dict(zip(("refused", "updates"), self.joint, strict=True))
        return {"joint": joint, "theory_identification": self.promise, "seed": self.config.seed}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the intervals that follow from the counts of each attack."""
        values, level = record.fields_of(self), self.config.significance
        for entry, row in zip(values["rows"], self.rows, strict=True):
            entry["share_refused"] = record.plain(row.share_refused(level))
            entry["identification"] = record.plain(row.right(level))
        return values

    @property
    def promise(self) -> float:
        """What epsilon allows, detectors or not: the share of right guesses."""
        return theory.worst_case_identification(self.config.epsilon)

    @property
    def joint(self) -> tuple[int, int]:
        """Honest updates that at least one detector refused, and all of them, after every later pass."""
        return sum(row.refused_by_some for row in self.honest), sum(row.updates for row in self.honest)
