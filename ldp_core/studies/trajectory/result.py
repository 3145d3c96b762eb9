"""How pairs wander as the model learns: the configuration and the result; nothing here loads torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.adversaries import ATTACKS
from ldp_core.studies.reading import check_completed, check_list
from ldp_core.types import CLIP_RANGE, PairGeometry

MOST_PASSES = 20


@dataclass(frozen=True, slots=True)
class TrainingPathConfig:
    """Everything that determines a path, and nothing private.

    1 to 10 different attacks; rising numbers of passes, each from 0 to 20. ``seed``: of the images that pairs are made
    from.
    """

    COMMAND: ClassVar[str] = "training-path"
    attacks: tuple[str, ...] = ATTACKS
    seed: int = field(default=0, metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    passes: tuple[int, ...] = (0, 1, 2, 3, 5, 10, 20)
    num_measurements: int = field(default=20, metadata=within(1, 1_000))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))

    def __post_init__(self) -> None:
        _validate.integer("number of attacks", len(check_list("attacks", self.attacks)), 1, 10)
        for attack in self.attacks:
            _validate.name("attack", attack)
        if len(set(self.attacks)) < len(self.attacks):
            raise ValueError(f"attacks must be different, got {', '.join(self.attacks)}")
        object.__setattr__(self, "attacks", tuple(self.attacks))
        _validate.check_limits(self)
        _validate.name("dataset", self.dataset)
        for passes in check_list("passes", self.passes):
            _validate.integer("passes", passes, 0, MOST_PASSES)
        if not self.passes or sorted(set(self.passes)) != list(self.passes):
            raise ValueError(f"passes must be one or more rising numbers, got {tuple(self.passes)}")
        object.__setattr__(self, "passes", tuple(self.passes))


@dataclass(frozen=True, slots=True)
class TrainingLevel:
    """The pairs of every attack after so many passes over the training images; 0 is the untrained model.

    ``accuracy``: share of held-out images classified right, in [0, 1]; ``pairs``: of each attack, in the order of the
    measurements; ``left_out``: the measurements without a pair, because both gradients were zero.
    """

    passes: int
    accuracy: float
    pairs: Mapping[str, tuple[PairGeometry, ...]]
    left_out: Mapping[str, int]

    def __post_init__(self) -> None:
        _validate.integer("passes", self.passes, 0, MOST_PASSES)
        object.__setattr__(self, "accuracy", _validate.number("accuracy", self.accuracy, 0.0, 1.0))
        if list(self.pairs) != list(self.left_out):
            raise ValueError("pairs and left_out must name the same attacks")
        for missing in self.left_out.values():
            _validate.integer("left_out", missing, 0, 1_000)

    @property
    def made(self) -> dict[str, int]:
        """For each attack how many measurements were made, with a pair or without."""
        return {attack: len(pairs) + self.left_out[attack] for attack, pairs in self.pairs.items()}


@dataclass(frozen=True, slots=True)
class TrainingPathResult:
    """Where pairs lie in the plane of angle and norm as the model learns, whole or cut short.

    ``levels`` are those of ``config.passes`` and, between them, of ``light_passes``, after which the level ``light``
    stops, None where it was not reached; the last one may lack pairs where the run was cut short.
    """

    SCHEMA: ClassVar[str] = "ldp-training-path/1"
    config: TrainingPathConfig
    levels: tuple[TrainingLevel, ...]
    light_passes: int | None
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        planned = set(self.config.passes)
        if self.light_passes is not None:
            planned.add(_validate.integer("light_passes", self.light_passes, 1, self.config.passes[-1]))
        reached = [level.passes for level in self.levels]
        if reached != sorted(planned)[: len(reached)]:
            raise ValueError(f"levels must be the first of {sorted(planned)}, got {reached}")
        whole, most = True, self.config.num_measurements
        for level in self.levels:
            made = level.made
            if not whole or set(made) != set(self.config.attacks) or max(made.values()) > most:
                raise ValueError(f"each attack must have {most} measurements, fewer at the last level only, got {made}")
            whole = min(made.values()) == most
        check_completed(self.completed, whole and len(self.levels) == len(planned))
