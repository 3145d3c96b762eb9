"""What epsilon costs in accuracy: the configuration, the result and its JSON; nothing here loads torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.reports import read_versions, shortest, strict_json
from ldp_core.studies.reading import check_completed, read, several
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE

SCHEMA = "ldp-utility/1"


@dataclass(frozen=True, slots=True)
class UtilityConfig:
    """Everything that determines a federated training, and nothing private.

    Args:
        epsilons: privacy parameters in nats, each from 0.01 to 30 and different, 1 to 8 of them; training without
            privacy always runs beside them.
        seed: of all random streams.
        dataset: name in ``datasets.DATASETS``.
        clients: clients n that take part in a round, each with one training image; 1 to 100,000.
        rounds: rounds T, 1 to 1,000.
        clip_norm: L2 bound L on a gradient, from 1e-6 to 1e6.
        learning_rate: server's first step size times L, from 1e-6 to 1e3; round t of T takes ``1 - t / T`` of it.
        radius: norm of the ball onto which the server projects its model, from 1 to 1e4.

    ``run`` says why the defaults are what they are.
    """

    epsilons: tuple[float, ...]
    seed: int = field(metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    clients: int = field(default=10_000, metadata=within(1, 100_000))
    rounds: int = field(default=40, metadata=within(1, 1_000))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    learning_rate: float = field(default=2.0, metadata=within(1e-6, 1e3))
    radius: float = field(default=100.0, metadata=within(1.0, 1e4))

    def __post_init__(self) -> None:
        _validate.integer("number of epsilons", len(several("epsilons", self.epsilons)), 1, 8)
        epsilons = tuple(_validate.number("epsilon", epsilon, *EPSILON_RANGE) for epsilon in self.epsilons)
        if len(set(epsilons)) < len(epsilons):
            raise ValueError(f"epsilons must be different, got {epsilons}")
        object.__setattr__(self, "epsilons", epsilons)
        _validate.check_limits(self)
        _validate.name("dataset", self.dataset)


@dataclass(frozen=True, slots=True)
class UtilityCurve:
    """How one training went.

    Args:
        epsilon: what each client spends in a round, in nats; None without privacy.
        accuracy: share of held-out images classified right before the first round and after each one, in [0, 1].
    """

    epsilon: float | None
    accuracy: tuple[float, ...]

    def __post_init__(self) -> None:
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", _validate.number("epsilon", self.epsilon, *EPSILON_RANGE))
        shares = tuple(_validate.number("accuracy", share, 0.0, 1.0) for share in several("accuracy", self.accuracy))
        object.__setattr__(self, "accuracy", shares)

    @property
    def rounds(self) -> int:
        """Rounds that are finished."""
        return max(len(self.accuracy) - 1, 0)

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

    Args:
        config: what was asked for.
        curves: the one without privacy, then one for each epsilon in the order of the configuration.
        completed: whether every round was carried out.
        seconds: duration so far.
        versions: of the packages that produced the numbers.
    """

    config: UtilityConfig
    curves: tuple[UtilityCurve, ...]
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        found, expected = [curve.epsilon for curve in self.curves], [None, *self.config.epsilons]
        if found != expected:
            raise ValueError(f"curves must be those of the epsilons {expected}, got {found}")
        most = self.config.rounds + 1
        if any(len(curve.accuracy) > most for curve in self.curves):
            raise ValueError(f"a curve must have at most {most} values")
        check_completed(self.completed, all(len(curve.accuracy) == most for curve in self.curves))
        _validate.number("seconds", self.seconds, 0.0, 1e9)

    @property
    def unlearned(self) -> tuple[float, ...]:
        """Epsilons at which training has gained less than a quarter of what it gained without privacy."""
        gains = [curve.accuracy[-1] - curve.accuracy[0] if curve.accuracy else 0.0 for curve in self.curves]
        pairs = zip(self.config.epsilons, gains[1:], strict=True)
        return tuple(epsilon for epsilon, gain in pairs if gains[0] > 0.0 and gain < gains[0] / 4)


def to_json(result: UtilityResult) -> str:
    """Return a result as one strict JSON object, indented."""
    return strict_json({"schema": SCHEMA} | asdict(result))


def command(config: UtilityConfig) -> str:
    """Return the command line that repeats a study (with ``--data-dir`` to be added for data from a folder)."""
    epsilons = ",".join(map(shortest, config.epsilons))
    return (
        f"python -m ldp_core utility --epsilons {epsilons} --dataset {config.dataset} --clients {config.clients} "
        f"--rounds {config.rounds} --clip-norm {shortest(config.clip_norm)} "
        f"--learning-rate {shortest(config.learning_rate)} --radius {shortest(config.radius)} --seed {config.seed}"
    )


def from_json(text: str | bytes) -> UtilityResult:
    """Read a utility result back; raise ``ValueError`` if it is no such report or holds an impossible value."""

    def build(report: dict[str, Any]) -> UtilityResult:
        config = UtilityConfig(**report["config"])
        curves = tuple(UtilityCurve(**entry) for entry in several("curves", report["curves"]))
        return UtilityResult(config, curves, report["completed"], report["seconds"], read_versions(report))

    return read(text, SCHEMA, build)
