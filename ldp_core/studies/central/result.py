"""An audit of DP-SGD: the configuration and the result; nothing here loads torch."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.central_adversaries import ADVERSARIES, DIRECTIONS
from ldp_core.statistics import accountant, curve_test
from ldp_core.statistics.accountant import Sampled
from ldp_core.statistics.central_law import LastIterate
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.statistics.intervals import Interval, error_upper_limit, identification_interval
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, CLIP_RANGE, TrialCounts

MODELS = ("logistic", "mlp", "features", "cnn")
SIGNIFICANCE = 0.05
"""Chance that a bound is above the truth, as in the papers; half of it for each error rate."""
MOST_LAW_STEPS = 2 * 10**10


@dataclass(frozen=True, slots=True)
class CentralConfig:
    """Everything that determines an audit of DP-SGD, and nothing private.

    Args:
        epsilon: claimed, in nats; the noise is the least that keeps it.
        model: of ``MODELS``: logistic regression, one hidden layer, logistic on frozen features, the clients' network.
        threshold_games: choose the thresholds; 0 for as many as are judged.
        distinguisher: rule; "" for the adversary's own.
        direction: "" for dead inputs, or a random one for ``cnn``, whose filters look at every pixel.
        learning_rate: 0 for the model's own: 4, or 0.5 for ``cnn``, whose layers multiply what a step does.
        noise_factor: other than 1, it breaks the promise on purpose.
    """

    COMMAND: ClassVar[str] = "central"
    adversary: str
    seed: int = field(metadata=within(0, 2**63 - 1))
    epsilon: float = field(default=4.0, metadata=within(0.1, 20.0))
    delta: float = field(default=1e-5, metadata=within(1e-9, 0.1))
    model: str = "logistic"
    dataset: str = "digits"
    records: int = field(default=1_000, metadata=within(10, 60_000))
    sampling_rate: float = 0.1
    steps: int = field(default=50, metadata=within(1, 20_000))
    games: int = field(default=1_000, metadata=within(20, 1_000_000))
    threshold_games: int = field(default=0, metadata=within(0, 1_000_000))
    distinguisher: str = ""
    direction: str = ""
    law: bool = False
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    learning_rate: float = field(default=0.0, metadata=within(1e-6, 1e3))
    noise_factor: float = field(default=1.0, metadata=within(0.1, 10.0))

    def __post_init__(self) -> None:
        if self.learning_rate == 0.0:
            object.__setattr__(self, "learning_rate", 0.5 if self.model == "cnn" else 4.0)
        _validate.check_limits(self)
        accountant.check_rate(self.sampling_rate)
        _validate.choice("adversary", self.adversary, ADVERSARIES)
        _validate.choice("model", self.model, MODELS)
        if not self.direction:
            object.__setattr__(self, "direction", "random" if self.model == "cnn" else DIRECTIONS[0])
        _validate.choice("direction", self.direction, DIRECTIONS)
        _validate.name("dataset", self.dataset)
        if self.dataset == "own":
            raise ValueError("dataset must be a public one, got 'own'")
        attack = ADVERSARIES[self.adversary]
        if not self.distinguisher:
            object.__setattr__(self, "distinguisher", attack.rules[0])
        _validate.choice(f"distinguisher of {self.adversary}", self.distinguisher, attack.rules)
        if not self.threshold_games:
            object.__setattr__(self, "threshold_games", max(20, self.games))
        _validate.integer("threshold games", self.threshold_games, 20)
        if not isinstance(self.law, bool):
            raise ValueError(f"law must be true or false, got {self.law!r}")
        if self.law and not attack.exact:
            exact = ", ".join(name for name, adversary in ADVERSARIES.items() if adversary.exact)
            raise ValueError(f"law must be asked for an adversary with an exact law ({exact}), got {self.adversary!r}")
        played = 2 * (self.games + self.threshold_games) * self.steps
        if self.law and played > MOST_LAW_STEPS:
            raise ValueError(f"games times steps must be at most {MOST_LAW_STEPS:,} by the law, got {played:,}")

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what makes a promise mean less than it seems."""
        if self.delta * self.records >= 1.0:
            return (
                f"delta {self.delta:g} is not below 1/N = {1 / self.records:g}: such a promise may publish a whole "
                "record now and then",
            )
        return ()


@cache
def claim_of(sampling_rate: float, steps: int, epsilon: float, delta: float) -> Sampled:
    """Return the DP-SGD with the least noise that keeps a claim."""
    return Sampled(sampling_rate, accountant.noise_for(sampling_rate, steps, epsilon, delta), steps)


def claimed(config: CentralConfig) -> Sampled:
    """Return the DP-SGD that is claimed."""
    return claim_of(config.sampling_rate, config.steps, config.epsilon, config.delta)


@cache
def ceilings(sampling_rate: float, noise: float, steps: int) -> tuple[float, float]:
    """Return the share of right guesses of the best attacker: who sees all iterates, and who sees the last one."""
    mechanism = Sampled(sampling_rate, noise, steps)
    return accountant.rough(mechanism).identification, LastIterate(mechanism).identification


@dataclass(frozen=True, slots=True)
class CentralResult:
    """An audit of DP-SGD, whole or cut short; everything else follows from its counts.

    The first world is "in". ``counts`` are judged games at the threshold with the most right guesses on other games,
    ``point_counts`` at the one that is best for the bound at (epsilon, delta).
    """

    SCHEMA: ClassVar[str] = "ldp-central/1"
    DERIVED: ClassVar[tuple[str, ...]] = (
        *("claim", "identification", "epsilon", "ceiling", "ceiling_last_iterate", "confidence", "verdict"),
        *("warnings", "seed"),
    )
    config: CentralConfig
    counts: TrialCounts
    point_counts: TrialCounts
    completed: bool
    seconds: float
    device: str
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        most = self.config.games
        for counts in (self.counts, self.point_counts):
            if counts.num_first > most or counts.num_second > most:
                raise ValueError(f"counts must be of at most the {most} planned games in each world")
        sides = [(counts.num_first, counts.num_second) for counts in (self.counts, self.point_counts)]
        if sides[0] != sides[1]:
            raise ValueError("both counts must be of the same games")
        if self.completed is not (sides[0] == (most, most)):
            raise ValueError(f"completed must be what the counts give, got {self.completed!r}")
        _validate.choice("device", self.device, ("cpu", "cuda"))

    @property
    def identification(self) -> Interval | None:
        """Share of right guesses with its limits; None without games."""
        return identification_interval(self.counts, SIGNIFICANCE)

    @property
    def clopper_pearson(self) -> float:
        """Lower bound on epsilon(delta) of whatever was done: Clopper and Pearson's, as in Nasr et al. 2021."""
        return epsilon_lower_bound(self.point_counts, "clopper_pearson", SIGNIFICANCE, delta=self.config.delta)

    @property
    def curve(self) -> float:
        """Largest epsilon that is refuted among DP-SGD with this q and T; valid for these only."""
        config = self.config
        family = curve_test.family_of(config.sampling_rate, config.steps, config.delta)
        return family.shown(*curve_test.upper_limits(self.counts, SIGNIFICANCE)) if self.counts.num_trials else 0.0

    @property
    def gdp(self) -> float:
        """Lower bound if the whole were a Gaussian mechanism, as in Nasr et al. 2023; valid for these only."""
        limits = curve_test.upper_limits(self.counts, SIGNIFICANCE)
        return curve_test.gdp_epsilon(*limits, self.config.delta)

    @property
    def verdict(self) -> str:
        """``claim_rejected`` where the upper limits of both error rates lie below the whole claimed curve."""
        games, curve = self.counts, accountant.rough(claimed(self.config))
        refuted = games.num_trials and curve_test.refutes(games, SIGNIFICANCE, curve)
        return CLAIM_REJECTED if refuted else CLAIM_NOT_REJECTED

    def derived(self) -> dict[str, Any]:
        """Return what follows from the counts; ``central --help`` describes the fields."""
        config, noise = self.config, claimed(self.config).noise
        ceiling, last = ceilings(config.sampling_rate, noise, config.steps)
        return {
            "claim": {"epsilon": config.epsilon, "delta": config.delta, "noise": noise},
            "identification": self.identification,
            "epsilon": {"clopper_pearson": self.clopper_pearson, "curve": self.curve, "gdp": self.gdp},
            "ceiling": ceiling,
            "ceiling_last_iterate": last,
            "confidence": 1.0 - SIGNIFICANCE,
            "verdict": self.verdict,
            "warnings": config.warnings,
            "seed": config.seed,
        }


@cache
def expected_point_bound(sampling_rate: float, noise: float, steps: int, delta: float, games: int) -> float:
    """Return about what Clopper and Pearson's bound is for the best attacker: at the rates that the curve allows.

    Of q, sigma and T, at ``delta``, with so many games judged in each world.
    """
    curve = accountant.rough(Sampled(sampling_rate, noise, steps))
    most = 0.0
    for place in range(1, 200):
        alarms = 0.5 * (place / 200) ** 3
        limits = [
            error_upper_limit(games * rate, games, SIGNIFICANCE / 2) for rate in (alarms, float(curve.tradeoff(alarms)))
        ]
        for first, second in (limits, limits[::-1]):
            if 1.0 - delta - first > second:
                most = max(most, math.log((1.0 - delta - first) / second))
    return most
