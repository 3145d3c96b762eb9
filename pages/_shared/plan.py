"""What is known before a run: a checked configuration, its time on this device, and whether it is too large."""

import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ldp_core import summary
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.types import AuditConfig

DIMENSION = 10_650
"""Length of an update of the network on 28x28 images; a test compares it with the network."""
PROJECTED_VALUES = 100
"""A simulated trial takes about as long as drawing this many values of a report."""
MOST_VALUES = 2 * 10**11
"""Limit of a run on the page: about a quarter of an hour on one core."""
_FALLBACK_SPEED = 1e8
_START_SECONDS = 1.0
_TRAINING_SECONDS = {
    ("digits", "none"): 0.0,
    ("digits", "light"): 0.6,
    ("digits", "full"): 1.8,
    ("mnist", "none"): 0.5,
    ("mnist", "light"): 8.0,
    ("mnist", "full"): 75.0,
}
"""Measured on one core; a kept model takes none of it."""


class TooLargeError(Exception):
    """The run is too large for the page.

    Args:
        limit: guesses allowed with these settings.
        asked: guesses asked for.
    """

    def __init__(self, limit: int, asked: int) -> None:
        super().__init__(limit, asked)
        self.limit, self.asked = limit, asked


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would take and what it could show; ``needed`` is None where no number of trials suffices."""

    seconds: float
    provable: float
    enough: bool
    needed: int | None


def fresh_seed() -> int:
    return secrets.randbits(53)


def make_config(*, confidence: float, seed: int | None, distinguisher: str, **options: Any) -> AuditConfig:
    """Return a checked configuration without importing torch; a page always watches its runs.

    Raises:
        ValueError: if a value is out of range.
    """
    return AuditConfig(
        bound=DISTINGUISHERS[distinguisher].bound,
        distinguisher=distinguisher,
        significance=round(1.0 - confidence / 100.0, 12),
        seed=fresh_seed() if seed is None else seed,
        watch=True,
        **options,
    )


def check_size(config: AuditConfig) -> None:
    """Raise ``TooLargeError`` if the run would keep this page's worker too long."""
    asked, limit = config.num_trials * config.num_measurements, MOST_VALUES // _values_per_trial(config)
    if asked > limit:
        raise TooLargeError(limit, asked)


def plan(config: AuditConfig, values_per_second: float | None) -> Plan:
    """Return what a run takes on this device and the most it can show."""
    values = config.num_trials * config.num_measurements * _values_per_trial(config)
    training = _TRAINING_SECONDS.get((config.dataset, config.training), 0.0)
    seconds = _START_SECONDS + training + values / (values_per_second or _FALLBACK_SPEED)
    provable, needed = _limits(
        config.epsilon,
        config.num_trials,
        config.num_measurements,
        config.distinguisher,
        config.significance,
        config.clip_norm,
    )
    return Plan(seconds, provable, provable >= config.epsilon, needed)


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


def _values_per_trial(config: AuditConfig) -> int:
    return PROJECTED_VALUES if config.sampling == "projected" else DIMENSION
