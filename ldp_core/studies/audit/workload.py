"""What is known before a test: a checked configuration, its time on this device, and whether it is too large."""

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ldp_core.adversaries import ADVERSARIES
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.errors import UnsupportedCombinationError
from ldp_core.game import summary
from ldp_core.studies.audit import configuration
from ldp_core.types import AuditConfig
from ldp_core.workload import MOST_VALUES, TooLargeError, most_dimension, speed, start_seconds, usual_dimension

PROJECTED_VALUES = 100
"""A simulated trial takes about as long as drawing this many values of a report."""
_BLACK_SHARES = 2.0
"""A black-box trial takes about as long as drawing this many reports, and one more for each other client."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would take, whether it could show the claimed epsilon, and how many trials that needs, if any do."""

    seconds: float
    enough: bool
    needed: int | None


def make_config(*, confidence: float, seed: int | None, **options: Any) -> AuditConfig:
    """Return the core's checked configuration of what the form holds; a page always watches its runs.

    ``confidence``: in percent; ``seed``: of all streams; None for a fresh one; ``options``: the other fields of
    ``AuditConfig``.
    Raises ``ValueError`` if a value is out of range and ``UnsupportedCombinationError`` if the parts do not fit each
    other.
    """
    significance = round(1.0 - confidence / 100.0, 12)
    return configuration.make_config(significance=significance, seed=seed, watch=True, **options)


def of_other_attacks(config: AuditConfig) -> list[AuditConfig]:
    """Return the same test of every other attack that fits it."""
    configs = []
    for attack in ADVERSARIES:
        if attack != config.attack:
            with suppress(UnsupportedCombinationError):
                other = replace(config, attack=attack)
                configuration.check_combination(other)
                configs.append(other)
    return configs


def check_size(config: AuditConfig) -> None:
    """Raise ``TooLargeError`` if the run would keep this page's worker too long."""
    numbers = most_dimension(config.dataset)
    trials, limit = config.num_trials * config.num_measurements, MOST_VALUES // _values_per_trial(config, numbers)
    if trials > limit:
        raise TooLargeError(limit, trials, own=config.dataset == "own" and config.sampling != "projected")


def plan(config: AuditConfig, values_per_second: float | None) -> Plan:
    """Return what a run takes on this device and the most it can show."""
    per_trial = _values_per_trial(config, usual_dimension(config.dataset))
    values = config.num_trials * config.num_measurements * per_trial
    seconds = start_seconds((config.dataset,), config.training) + values / speed(values_per_second)
    provable, needed = _limits(
        config.epsilon,
        config.num_trials,
        config.num_measurements,
        config.distinguisher,
        config.significance,
        config.clip_norm,
    )
    return Plan(seconds, provable >= config.epsilon, needed)


@lru_cache(maxsize=256)
def _limits(
    epsilon: float, trials: int, measurements: int, distinguisher: str, significance: float, clip_norm: float
) -> tuple[float, int | None]:
    config = AuditConfig(
        attack="dummy",
        epsilon=epsilon,
        bound=DISTINGUISHERS[distinguisher].bound,
        seed=0,
        distinguisher=distinguisher,
        num_trials=trials,
        num_measurements=measurements,
        significance=significance,
        clip_norm=clip_norm,
        watch=True,
    )
    return summary.planned_max_provable(config), summary.planned_trials_needed(config)


def _values_per_trial(config: AuditConfig, dimension: int) -> int:
    if DISTINGUISHERS[config.distinguisher].view == "black":
        return round(dimension * (_BLACK_SHARES + config.clients - 1))
    return PROJECTED_VALUES if config.sampling == "projected" else dimension
