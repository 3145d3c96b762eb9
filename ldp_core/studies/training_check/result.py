"""A check of a stranger's training function: the configuration and the result; nothing here loads torch."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

import numpy as np

from ldp_core import _validate
from ldp_core._validate import within
from ldp_core.statistics import accountant, curve_test
from ldp_core.statistics.accountant import NOISE_RANGE, STEPS_RANGE, Sampled
from ldp_core.statistics.central_law import LastIterate
from ldp_core.statistics.curve_test import HasCurve
from ldp_core.statistics.estimates import epsilon_lower_bound
from ldp_core.statistics.halving import halved
from ldp_core.statistics.intervals import Interval, identification_interval
from ldp_core.types import CLAIM_NOT_REJECTED, CLAIM_REJECTED, CLIP_RANGE, SIGNIFICANCE, TrialCounts

ACCESSES = ("iterates", "final")
"""What the function returns: its parameters after every step, or its final ones alone."""
CANARIES = ("alone", "against")
"""The record that is looked for: nobody else moves what it moves; or all others pull the other way."""
NEIGHBOURS = ("absent", "label", "features")
"""What differs between the worlds: the record is there or not; its label is turned; its features are negated."""
TAUGHT = ("columns", "ranks", "unlike")
"""Rules that other games teach."""
RULES = {"iterates": ("likelihood-ratio", "sum", "spread", *TAUGHT), "final": ("sum", "columns", "ranks")}
NOT_CLAIMED, BARE, EPSILON_BROKEN = "not the claimed DP-SGD", "columns without noise", "epsilon"
FACTORS = (0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1)
"""Real noise / claimed noise: what a check may catch is one of these."""
_POWER, _MOST_EPSILON = 0.95, 40.0
_EVER_BEYOND = ("noise-hidden", "shuffled", "clipping", "seldom", "seed", "unmoved", "together", "elsewhere")
BEYOND = {"iterates": (*_EVER_BEYOND, "late"), "final": (*_EVER_BEYOND, "noise-once", "order")}
"""Lies that this check cannot promise to catch, by what the function returns; words: ``lie_NAME``."""


@dataclass(frozen=True, slots=True)
class TrainingCheckConfig:
    """Everything that determines a check of a training function, but for the function.

    Args:
        subject: name of the function.
        seed: of the check's streams, from which the function's seeds and the places of records are drawn.
        threshold_games: choose canary, rule and threshold; 0 for as many as are judged.
        records: N, without the one that is looked for; 0 for 100, or more where a batch would hold less than 4.
        significance: chance that a right DP-SGD is blamed.
        neighbours: in ``NEIGHBOURS``; for a changed record a claim allows what it does for two absent ones.
    """

    COMMAND: ClassVar[str] = "check-training"
    PLACED: ClassVar[tuple[str, ...]] = ("subject",)
    subject: str
    seed: int = field(metadata=within(0, 2**63 - 1))
    sampling_rate: float = 0.1
    noise: float = field(default=1.0, metadata=within(*NOISE_RANGE))
    steps: int = field(default=50, metadata=within(*STEPS_RANGE))
    delta: float = field(default=1e-5, metadata=within(*accountant.DELTA_RANGE))
    clip_norm: float = field(default=1.0, metadata=within(*CLIP_RANGE))
    games: int = field(default=500, metadata=within(20, 1_000_000))
    threshold_games: int = field(default=0, metadata=within(0, 1_000_000))
    records: int = field(default=0, metadata=within(0, 1_000_000))
    significance: float = field(default=SIGNIFICANCE, metadata=within(1e-9, 0.5))
    neighbours: str = NEIGHBOURS[0]

    def __post_init__(self) -> None:
        _validate.check_limits(self)
        _validate.choice("neighbours", self.neighbours, NEIGHBOURS)
        accountant.check_rate(self.sampling_rate)
        _validate.text("subject", self.subject, 200)
        if not self.threshold_games:
            object.__setattr__(self, "threshold_games", self.games)
        if not self.records:
            object.__setattr__(self, "records", max(100, math.ceil(4.0 / self.sampling_rate)))
        _validate.integer("threshold games", self.threshold_games, 20)
        _validate.integer("records", self.records, 10)

    @property
    def claim(self) -> Sampled:
        """The DP-SGD that is claimed."""
        return Sampled(self.sampling_rate, self.noise, self.steps)

    @property
    def changed(self) -> bool:
        """Whether both worlds hold the record, in two versions."""
        return self.neighbours != NEIGHBOURS[0]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what makes a promise mean less than it seems."""
        if self.delta * self.records >= 1.0:
            return (
                f"delta must be below 1/N = {1 / self.records:g} to protect each record, got {self.delta:g}: such a "
                "promise may publish a whole record now and then",
            )
        return ()


@cache
def curve_of(claim: Sampled, access: str, changed: bool = False) -> HasCurve:
    """Return the claimed law: of all iterates (an upper curve), or of the last one; for an absent or changed record."""
    curve: HasCurve = LastIterate(claim) if access == "final" else accountant.rough(claim)
    return curve_test.Changed(curve) if changed else curve


@cache
def claimed_epsilon(claim: Sampled, delta: float) -> float:
    """Return the claimed epsilon(delta), infinite where nothing is promised."""
    return accountant.epsilon_of(claim, delta)


@dataclass(frozen=True, slots=True)
class TrainingCheckResult:
    """A check, whole or cut short; everything else follows from its counts of judged games.

    The first world is "in". What the function returns is in ``ACCESSES``, ``iterates`` of them; ``canary`` and ``rule``
    are those that were judged and judged by. ``bare_columns``, counted from 0, hold a number without noise: one in all
    other trainings with the record, another in all without it.
    """

    SCHEMA: ClassVar[str] = "ldp-check-training/1"
    DERIVED: ClassVar[tuple[str, ...]] = (
        *("claim", "identification", "epsilon", "rejected_by", "caught_noise", "beyond", "verdict"),
        *("warnings", "seed"),
    )
    config: TrainingCheckConfig
    access: str
    iterates: int
    canary: str
    rule: str
    bare_columns: tuple[int, ...]
    counts: TrialCounts
    completed: bool
    seconds: float
    versions: Mapping[str, str]

    def __post_init__(self) -> None:
        _validate.choice("access", self.access, ACCESSES)
        _validate.choice("canary", self.canary, CANARIES)
        _validate.choice("rule", self.rule, RULES[self.access])
        _validate.integer("iterates", self.iterates, 1)
        for column in self.bare_columns:
            _validate.integer("bare column", column, 0)
        if (self.iterates == 1) is not (self.access == "final"):
            raise ValueError(f"iterates must be 1 for final parameters alone, got {self.iterates} of {self.access}")
        most, sides = self.config.games, (self.counts.num_first, self.counts.num_second)
        if max(sides) > most or sides[0] != sides[1]:
            raise ValueError(f"counts must be of equally many games in each world, at most {most}, got {sides}")
        if self.completed is not (sides == (most, most)):
            raise ValueError(f"completed must be what the counts give, got {self.completed!r}")

    @property
    def identification(self) -> Interval | None:
        """Share of right guesses with its limits; None without games."""
        return identification_interval(self.counts, self.config.significance)

    @property
    def clopper_pearson(self) -> float:
        """Lower bound on epsilon(delta), for add/remove neighbours, of whatever the function does.

        A mechanism that keeps (e, delta) keeps 2 e with delta (1 + exp(e)) for a changed record: no smaller e fits.
        """
        config = self.config

        def bound(delta: float) -> float:
            return epsilon_lower_bound(self.counts, "clopper_pearson", config.significance, delta=delta)

        if not config.changed:
            return bound(config.delta)

        def fits(epsilon: float) -> bool:
            return bound(min(0.999, config.delta * (1.0 + math.exp(epsilon)))) <= 2.0 * epsilon

        return halved(fits, 0.0, _MOST_EPSILON, 1e-6)[0]

    @property
    def curve(self) -> float:
        """Largest epsilon that is refuted among DP-SGD with this q and T; of anything else it says nothing."""
        if not self.counts.num_trials:
            return 0.0
        config = self.config
        family = curve_test.family_of(
            config.sampling_rate, config.steps, config.delta, self.access == "final", config.changed
        )
        return family.shown(*curve_test.upper_limits(self.counts, config.significance))

    @property
    def rejected_by(self) -> tuple[str, ...]:
        """What is refuted: that it is the claimed DP-SGD, that all of it has noise, that it keeps the epsilon."""
        if not self.counts.num_trials:
            return ()
        config, curve = self.config, curve_of(self.config.claim, self.access, self.config.changed)
        rejections = {
            NOT_CLAIMED: curve_test.refutes(self.counts, config.significance, curve),
            BARE: bool(self.bare_columns),
            EPSILON_BROKEN: self.clopper_pearson > claimed_epsilon(config.claim, config.delta),
        }
        return tuple(name for name, rejects in rejections.items() if rejects)

    @property
    def verdict(self) -> str:
        """``claim_rejected`` or ``claim_not_rejected``."""
        return CLAIM_REJECTED if self.rejected_by else CLAIM_NOT_REJECTED

    def derived(self) -> dict[str, Any]:
        """Return what follows from the counts; ``check-training --help`` describes the fields."""
        config = self.config
        epsilon = claimed_epsilon(config.claim, config.delta)
        claim = {name: getattr(config, name) for name in ("delta", "noise", "sampling_rate", "steps", "clip_norm")}
        return {
            "claim": {"epsilon": epsilon if math.isfinite(epsilon) else None} | claim,
            "identification": self.identification,
            "epsilon": {"clopper_pearson": self.clopper_pearson, "curve": self.curve},
            "rejected_by": self.rejected_by,
            "caught_noise": self.caught_noise,
            "beyond": BEYOND[self.access],
            "verdict": self.verdict,
            "warnings": config.warnings,
            "seed": config.seed,
        }

    @property
    def caught_noise(self) -> float | None:
        """Largest of ``FACTORS`` that the games reject with about 95 % chance or more; None if none, or not known."""
        games, config = self.counts.num_first, self.config
        if config.changed or not games:
            return None
        return caught_noise(config.claim, self.access, games, config.significance)


@cache
def caught_noise(claim: Sampled, access: str, games: int, significance: float) -> float | None:
    """Return how much of the noise must be there not to be caught: the largest factor that is rejected.

    The chance is exact for the law of such a training at the best threshold; a share of errors in the first world is
    taken at its 200 middle quantiles.
    """
    from scipy.stats import beta, binom

    promised = curve_of(claim, access)
    rates = np.linspace(0.0, 1.0, 102)[1:-1] ** 2
    errors = binom.ppf((np.arange(200) + 0.5) / 200, games, rates[:, None])
    limits = np.where(errors < games, beta.isf(significance / 2, errors + 1.0, np.maximum(games - errors, 1.0)), 1.0)
    most = binom.ppf(significance / 2, games, np.asarray(promised.tradeoff(limits.ravel())).reshape(limits.shape)) - 1
    for factor in FACTORS:
        if claim.noise * factor < NOISE_RANGE[0]:
            return None
        try:
            real = curve_of(Sampled(claim.sampling_rate, claim.noise * factor, claim.steps), access)
        except ValueError:  # so little noise that its losses do not fit the memory: nobody could miss it
            return factor
        caught = np.mean(binom.cdf(most, games, np.asarray(real.tradeoff(rates))[:, None]), axis=1)
        if caught.max() >= _POWER:
            return factor
    return None
