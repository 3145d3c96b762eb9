"""Two studies beside the test: what epsilon costs in accuracy, and how pairs wander as the model learns.

Plain numbers and their JSON; nothing here loads torch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.adversaries import ATTACKS
from ldp_core.reports import read_versions, refuse_constant, shortest
from ldp_core.types import CLIP_RANGE, EPSILON_RANGE, PairGeometry

UTILITY_SCHEMA, TRAINING_PATH_SCHEMA = "ldp-utility/1", "ldp-training-path/1"
MOST_PASSES = 20


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

    The defaults are explained in ``federated``.
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
        _validate.integer("number of epsilons", len(_several("epsilons", self.epsilons)), 1, 8)
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
        shares = tuple(_validate.number("accuracy", share, 0.0, 1.0) for share in _several("accuracy", self.accuracy))
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
        _check_completed(self.completed, all(len(curve.accuracy) == most for curve in self.curves))
        _validate.number("seconds", self.seconds, 0.0, 1e9)

    @property
    def unlearned(self) -> tuple[float, ...]:
        """Epsilons at which training has gained less than a quarter of what it gained without privacy."""
        gains = [curve.accuracy[-1] - curve.accuracy[0] if curve.accuracy else 0.0 for curve in self.curves]
        pairs = zip(self.config.epsilons, gains[1:], strict=True)
        return tuple(epsilon for epsilon, gain in pairs if gains[0] > 0.0 and gain < gains[0] / 4)


@dataclass(frozen=True, slots=True)
class TrainingPathConfig:
    """Everything that determines a path, and nothing private.

    Args:
        attacks: names in ``adversaries.ADVERSARIES``, different, 1 to 10 of them.
        seed: of the images that pairs are made from.
        dataset: name in ``datasets.DATASETS``.
        passes: passes over the training images after which pairs are made, rising, each from 0 to 20.
        num_measurements: pairs of each attack at each level, 1 to 1,000.
        clip_norm: L2 bound L on a gradient, from 1e-6 to 1e6.
    """

    attacks: tuple[str, ...]
    seed: int = field(metadata=within(0, 2**63 - 1))
    dataset: str = "digits"
    passes: tuple[int, ...] = (0, 1, 2, 3, 5, 10, 20)
    num_measurements: int = field(default=20, metadata=within(1, 1_000))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))

    def __post_init__(self) -> None:
        _validate.integer("number of attacks", len(_several("attacks", self.attacks)), 1, 10)
        for attack in self.attacks:
            _validate.name("attack", attack)
        if len(set(self.attacks)) < len(self.attacks):
            raise ValueError(f"attacks must be different, got {', '.join(self.attacks)}")
        object.__setattr__(self, "attacks", tuple(self.attacks))
        _validate.check_limits(self)
        _validate.name("dataset", self.dataset)
        for passes in _several("passes", self.passes):
            _validate.integer("passes", passes, 0, MOST_PASSES)
        if not self.passes or sorted(set(self.passes)) != list(self.passes):
            raise ValueError(f"passes must be one or more rising numbers, got {tuple(self.passes)}")
        object.__setattr__(self, "passes", tuple(self.passes))


@dataclass(frozen=True, slots=True)
class TrainingLevel:
    """The pairs of every attack at one level of training.

    Args:
        passes: passes over the training images so far; 0 is the untrained model.
        accuracy: share of held-out images classified right, in [0, 1].
        pairs: for each attack the geometry of its pairs, in the order of the measurements.
        left_out: for each attack the measurements without a pair, because both gradients were zero.
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

    Args:
        config: what was asked for.
        levels: those of ``config.passes`` and, between them, of ``light_passes``, as far as reached; the last one may
            lack pairs where the run was cut short.
        light_passes: passes after which the level ``light`` stops; None where it was not reached.
        completed: whether every level is there.
        seconds: duration so far.
        versions: of the packages that produced the numbers.
    """

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
        _check_completed(self.completed, whole and len(self.levels) == len(planned))
        _validate.number("seconds", self.seconds, 0.0, 1e9)


def place(pair: PairGeometry, clip_norm: float) -> tuple[float, float]:
    """Return where a pair lies in the plane: its angle in degrees, and the mean of its two clipped norms.

    >>> place(PairGeometry(90.0, 0.5, 3.0, "two gradients"), 1.0)
    (90.0, 0.75)
    """
    return pair.angle_degrees, (min(pair.norm_first, clip_norm) + min(pair.norm_second, clip_norm)) / 2


def to_json(result: UtilityResult | TrainingPathResult) -> str:
    """Return either result as one strict JSON object, indented."""
    schema = UTILITY_SCHEMA if isinstance(result, UtilityResult) else TRAINING_PATH_SCHEMA
    return json.dumps({"schema": schema} | asdict(result), indent=2, allow_nan=False, ensure_ascii=False)


def command(config: UtilityConfig | TrainingPathConfig) -> str:
    """Return the command line that repeats a study (with ``--data-dir`` to be added for data from a folder)."""
    if isinstance(config, UtilityConfig):
        epsilons = ",".join(map(shortest, config.epsilons))
        return (
            f"python -m ldp_core utility --epsilons {epsilons} --dataset {config.dataset} --clients {config.clients} "
            f"--rounds {config.rounds} --clip-norm {shortest(config.clip_norm)} "
            f"--learning-rate {shortest(config.learning_rate)} --radius {shortest(config.radius)} --seed {config.seed}"
        )
    attacks = "all" if config.attacks == ATTACKS else ",".join(config.attacks)
    return (
        f"python -m ldp_core training-path --attacks {attacks} --dataset {config.dataset} "
        f"--passes {','.join(map(str, config.passes))} --measurements {config.num_measurements} "
        f"--clip-norm {shortest(config.clip_norm)} --seed {config.seed}"
    )


def utility_from_json(text: str | bytes) -> UtilityResult:
    """Read a utility result back; raise ``ValueError`` if it is no such report or holds an impossible value."""

    def build(report: dict[str, Any]) -> UtilityResult:
        config = UtilityConfig(**report["config"])
        curves = tuple(UtilityCurve(**entry) for entry in _several("curves", report["curves"]))
        return UtilityResult(config, curves, report["completed"], report["seconds"], read_versions(report))

    return _read(text, UTILITY_SCHEMA, build)


def training_path_from_json(text: str | bytes) -> TrainingPathResult:
    """Read a training path back; raise ``ValueError`` if it is no such report or holds an impossible value."""

    def level(entry: dict[str, Any]) -> TrainingLevel:
        pairs = {
            attack: tuple(PairGeometry(**pair) for pair in _several("pairs", made))
            for attack, made in entry["pairs"].items()
        }
        return TrainingLevel(entry["passes"], entry["accuracy"], pairs, dict(entry["left_out"]))

    def build(report: dict[str, Any]) -> TrainingPathResult:
        config = TrainingPathConfig(**report["config"])
        levels = tuple(level(entry) for entry in _several("levels", report["levels"]))
        light, completed, seconds = report["light_passes"], report["completed"], report["seconds"]
        return TrainingPathResult(config, levels, light, completed, seconds, read_versions(report))

    return _read(text, TRAINING_PATH_SCHEMA, build)


_Result = TypeVar("_Result")


def _read(text: str | bytes, schema: str, build: Callable[[dict[str, Any]], _Result]) -> _Result:
    try:
        report = json.loads(text, parse_constant=refuse_constant)
        if report["schema"] != schema:
            raise ValueError(f"schema must be {schema}, got {report['schema']!r}")
        return build(report)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
        if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
            reason = "it is not JSON"
        raise ValueError(f"a report must be what this tool wrote, got one that is not: {reason}") from error


def _several(name: str, values: Any) -> Any:
    if not isinstance(values, list | tuple):
        raise ValueError(f"{name} must be a list, got {str(values)[:40]!r}")
    return values


def _check_completed(stated: bool, is_complete: bool) -> None:
    if stated is not is_complete:
        raise ValueError(f"completed must be {is_complete} with what the report holds, got {stated!r}")
