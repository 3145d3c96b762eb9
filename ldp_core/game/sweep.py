"""The configuration and the result of a comparison: a grid of audits that share their randomness. No torch."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ldp_core import _validate
from ldp_core.adversaries import ADVERSARIES, ATTACKS, has_strength, has_wrong_label
from ldp_core.distinguishers import DISTINGUISHERS, LINEAR
from ldp_core.facts import DataFacts
from ldp_core.types import SIGNIFICANCE, USUAL_STEP, WRONG_LABELS, AuditConfig, AuditResult, MeasurementResult

TESTS = ("white", "black")
PAPER = "paper"
"""Stands for the black-box rule that the papers use against each attack."""
_ALIKE = ("seed", "mechanism", "clip_norm", "training", "num_trials", "num_measurements", "significance", "watch")
"""Settings of a comparison that each of its cells has."""


@dataclass(frozen=True, slots=True)
class CompareConfig:
    """Everything that determines the counts of a comparison, and nothing private.

    ``tests`` are ``white`` and ``black``. ``white_rules`` are names in ``distinguishers.LINEAR``; ``black_rules``
    black-box distinguishers, or ``paper`` for the papers' own choice for each attack; ``strengths`` are of the attacks
    that have one; ``curves`` counts trade-off curves too. All else is as in ``AuditConfig``, or a list of its values.
    Raises ``ValueError`` if a name is unknown, a value out of range, a list empty or with a value twice, or if no cell
    is left because no rule fits.
    """

    COMMAND: ClassVar[str] = "compare"
    OPTIONS: ClassVar[dict[str, str]] = {"datasets": "dataset"}

    attacks: tuple[str, ...]
    epsilons: tuple[float, ...]
    seed: int
    tests: tuple[str, ...] = ("white",)
    white_rules: tuple[str, ...] = ("cosine",)
    black_rules: tuple[str, ...] = (PAPER,)
    clients: tuple[int, ...] = (1,)
    strengths: tuple[float, ...] = (1.0,)
    datasets: tuple[str, ...] = ("digits",)
    curves: bool = False
    watch: bool = False
    mechanism: str = "ldp-sgd"
    training: str = "light"
    num_trials: int = 10_000
    num_measurements: int = 10
    significance: float = SIGNIFICANCE
    clip_norm: float = 1.0
    radius: float | None = None
    server_steps: tuple[float | str, ...] = (USUAL_STEP,)
    wrong_label: str = "likeliest"

    def __post_init__(self) -> None:
        black = tuple(name for name, rule in DISTINGUISHERS.items() if rule.view == "black")
        _choices("attacks", self.attacks, ATTACKS)
        _choices("tests", self.tests, TESTS)
        _choices("white_rules", self.white_rules, LINEAR)
        _choices("black_rules", self.black_rules, (PAPER, *black))
        _choices("datasets", self.datasets)
        _choices("clients", self.clients)
        _choices("server_steps", self.server_steps)
        object.__setattr__(self, "epsilons", _choices("epsilons", tuple(map(float, self.epsilons))))
        object.__setattr__(self, "strengths", _choices("strengths", tuple(map(float, self.strengths))))
        _validate.choice("curves", self.curves, (False, True))
        _validate.choice("watch", self.watch, (False, True))
        given = itertools.product(self.clients, self.server_steps, self.strengths)
        for clients, step, strength in given:  # values that no cell uses are checked too
            self._cell(self.datasets[0], black[0], clients, step, self.attacks[0], strength, self.epsilons[0])
        _validate.choice("wrong_label", self.wrong_label, WRONG_LABELS)
        if not self.cells():
            raise ValueError("a comparison must have at least one cell, got none, because no rule fits these attacks")

    def cells(self) -> tuple[AuditConfig, ...]:
        """Return one configuration per cell: data set, test, clients, step, rule, attack, strength, epsilon."""
        return tuple(config for config, reason in self._combinations() if not reason)

    def skipped(self) -> tuple[tuple[AuditConfig, str], ...]:
        """Return the combinations that mean nothing, with the reason."""
        return tuple((config, reason) for config, reason in self._combinations() if reason)

    def _combinations(self) -> Iterator[tuple[AuditConfig, str]]:
        for dataset, (rule, clients, step), attack in itertools.product(self.datasets, self._rules(), self.attacks):
            strengths = self.strengths if has_strength(attack) else (1.0,)
            name = ADVERSARIES[attack].paper_rule if rule == PAPER else rule
            if rule != PAPER and PAPER in self.black_rules and name == ADVERSARIES[attack].paper_rule:
                continue  # chosen twice, by its own name and as the papers' rule
            reason = DISTINGUISHERS[name].objection(attack, clients)
            for strength, epsilon in itertools.product(strengths, self.epsilons):
                yield self._cell(dataset, name, clients, step, attack, strength, epsilon), reason

    def _rules(self) -> list[tuple[str, int, float | str]]:
        """Return each rule with its clients and the server's step."""
        rules: list[tuple[str, int, float | str]] = []
        if "white" in self.tests:
            rules += [(rule, 1, USUAL_STEP) for rule in self.white_rules]
        if "black" in self.tests:
            given = itertools.product(self.clients, self.server_steps, self.black_rules)
            rules += [(rule, clients, step) for clients, step, rule in given]
        return rules

    def _cell(
        self, dataset: str, rule: str, clients: int, step: float | str, attack: str, strength: float, epsilon: float
    ) -> AuditConfig:
        return AuditConfig(
            attack=attack,
            epsilon=epsilon,
            bound=DISTINGUISHERS[rule].bound,
            distinguisher=rule,
            dataset=dataset,
            strength=strength,
            clients=clients,
            radius=self.radius if test_of(rule) == "black" else None,
            server_step=step,
            wrong_label=self.wrong_label if has_wrong_label(attack) else "likeliest",
            **{name: getattr(self, name) for name in _ALIKE},
        )


@dataclass(frozen=True, slots=True)
class CompareResult:
    """A comparison, whole or cut short. Numbers only.

    ``cells`` has one result per cell of ``config.cells()``, in that order, with the measurements finished so far;
    ``numbers`` their numbers for each cell, where they do not count from 0 without a gap; ``seconds`` the time spent
    computing, also by earlier runs that were continued.
    """

    config: CompareConfig
    cells: tuple[AuditResult, ...]
    seconds: float = 0.0
    numbers: tuple[tuple[int, ...], ...] = ()

    @property
    def completed(self) -> bool:
        """Whether every cell has all its measurements."""
        return all(cell.completed for cell in self.cells)

    @property
    def device(self) -> str:
        """Kind of device of the first cell that was computed."""
        return next((cell.device for cell in self.cells if cell.measurements), "cpu")

    @property
    def versions(self) -> Mapping[str, str]:
        """Versions of the packages that produced that cell's numbers."""
        return next((cell.versions for cell in self.cells if cell.measurements), {})

    def measured(self) -> Iterator[tuple[AuditConfig, int, MeasurementResult]]:
        """Yield each measurement of each cell with its number."""
        numbers = self.numbers or tuple(tuple(range(len(cell.measurements))) for cell in self.cells)
        for cell, known in zip(self.cells, numbers, strict=True):
            for number, measurement in zip(known, cell.measurements, strict=True):
                yield cell.config, number, measurement

    def data(self, dataset: str) -> DataFacts | None:
        """Return the images and the training behind a data set's cells; None where they are not recorded."""
        return next((cell.data for cell in self.cells if cell.config.dataset == dataset), None)

    def select(self, **values: object) -> tuple[AuditResult, ...]:
        """Return the cells whose configuration has the given values; ``test="white"`` or ``"black"`` works too."""
        test = values.pop("test", None)
        return tuple(
            cell
            for cell in self.cells
            if (test is None or test_of(cell.config.distinguisher) == test)
            and all(getattr(cell.config, name) == value for name, value in values.items())
        )


def test_of(distinguisher: str) -> str:
    """Return the test that a distinguisher belongs to: "white" or "black".

    >>> test_of("signed-loss")
    'black'
    """
    return DISTINGUISHERS[distinguisher].view


def _choices(name: str, values: tuple[object, ...], options: tuple[object, ...] | None = None) -> tuple[object, ...]:
    if not isinstance(values, tuple) or not values or len(set(values)) != len(values):
        raise ValueError(f"{name} must be a list of at least one value and none twice, got {values!r}")
    if options is not None:
        for value in values:
            _validate.choice(name, value, options)
    return values
