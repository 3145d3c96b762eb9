"""What epsilon costs in accuracy: the configuration and the result; nothing here loads torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.studies.reading import check_completed, check_list
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE


@dataclass(frozen=True, slots=True)
class UtilityConfig:
    """Everything that determines a federated training, and nothing private.

    1 to 8 different epsilons, each from 0.01 to 30 nats; training without privacy always runs beside them. Each client
    has one training image. Round t of T takes ``1 - t / T`` of the learning rate.

    ``run`` says why the defaults are what they are.
    """

    COMMAND: ClassVar[str] = "utility"
    epsilons: tuple[float, ...]
    seed: int = field(metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    clients: int = field(default=10_000, metadata=within(1, 100_000))
    rounds: int = field(default=40, metadata=within(1, 1_000))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    learning_rate: float = field(default=2.0, metadata=within(1e-6, 1e3))
    radius: float = field(default=100.0, metadata=within(1.0, 1e4))
    repeats: int = field(default=1, metadata=within(1, 50))

    def __post_init__(self) -> None:
        _validate.integer("number of epsilons", len(check_list("epsilons", self.epsilons)), 1, 8)
        epsilons = tuple(_validate.number("epsilon", epsilon, *EPSILON_RANGE) for epsilon in self.epsilons)
        if len(set(epsilons)) < len(epsilons):
            raise ValueError(f"epsilons must be different, got {epsilons}")
        object.__setattr__(self, "epsilons", epsilons)
        _validate.check_limits(self)
        _validate.integer("seed + repeats - 1", self.seed + self.repeats - 1, 0, 2**63 - 1)
        _validate.name("dataset", self.dataset)


@dataclass(frozen=True, slots=True)
class UtilityCurve:
    """How the trainings at one epsilon, which each client spends in a round, went; None is without privacy.

    ``trainings``, at least one, hold for each seed the share of held-out images classified right, in [0, 1], before the
    first round and after each one; all have equally many rounds.
    """

    DERIVED: ClassVar[tuple[str, ...]] = ("accuracy", "lowest", "highest")
    epsilon: float | None
    trainings: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", _validate.number("epsilon", self.epsilon, *EPSILON_RANGE))
        trainings = tuple(
            tuple(_validate.number("trainings", share, 0.0, 1.0) for share in check_list("trainings", shares))
            for shares in check_list("trainings", self.trainings)
        )
        if len(set(map(len, trainings))) != 1:
            raise ValueError(f"trainings must have equally many rounds, got {list(map(len, trainings))} values")
        object.__setattr__(self, "trainings", trainings)

    @property
    def accuracy(self) -> tuple[float, ...]:
        """Mean of the trainings before the first round and after each one."""
        return tuple(sum(shares) / len(shares) for shares in zip(*self.trainings, strict=True))

    @property
    def lowest(self) -> tuple[float, ...]:
        """Least of the trainings, likewise."""
        return tuple(map(min, zip(*self.trainings, strict=True)))

    @property
    def highest(self) -> tuple[float, ...]:
        """Most of the trainings, likewise."""
        return tuple(map(max, zip(*self.trainings, strict=True)))

    @property
    def rounds(self) -> int:
        """Rounds that are finished."""
        return max(len(self.trainings[0]) - 1, 0)

    @property
    def spent(self) -> float | None:
        """Epsilon that a client has spent who took part in every round so far; None without privacy.

        Each report alone keeps epsilon; the reports of one client add up, because nothing ties their coins
        together (basic composition, Dwork et al. 2006).
        """
        return None if self.epsilon is None else self.rounds * self.epsilon


@dataclass(frozen=True, slots=True)
class UtilityResult:
    """A federated training for each epsilon, whole or cut short.

    ``curves``: the one without privacy, then one for each epsilon in the order of the configuration.
    """

    SCHEMA: ClassVar[str] = "ldp-utility/2"
    config: UtilityConfig
    curves: tuple[UtilityCurve, ...]
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        epsilons, expected = [curve.epsilon for curve in self.curves], [None, *self.config.epsilons]
        if epsilons != expected:
            raise ValueError(f"curves must be those of the epsilons {expected}, got {epsilons}")
        most = self.config.rounds + 1
        if any(len(curve.accuracy) > most for curve in self.curves):
            raise ValueError(f"a curve must have at most {most} values")
        if any(len(curve.trainings) != self.config.repeats for curve in self.curves):
            raise ValueError(f"a curve must have {self.config.repeats} trainings")
        check_completed(self.completed, all(len(curve.accuracy) == most for curve in self.curves))

    @property
    def unlearned(self) -> tuple[float, ...]:
        """Epsilons at which training has gained less than a quarter of what it gained without privacy."""
        gains = [curve.accuracy[-1] - curve.accuracy[0] if curve.accuracy else 0.0 for curve in self.curves]
        pairs = zip(self.config.epsilons, gains[1:], strict=True)
        return tuple(epsilon for epsilon, gain in pairs if gains[0] > 0.0 and gain < gains[0] / 4)
