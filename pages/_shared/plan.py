"""What is known before a run: a checked configuration, its time on this device, and whether it is too large."""

import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ldp_core import configuration, summary
from ldp_core.datasets import DATASETS
from ldp_core.datasets.own import MOST_LABELS
from ldp_core.distinguishers import DISTINGUISHERS
from ldp_core.network import update_length
from ldp_core.types import AuditConfig

_CLASSES = 10
_USUAL_OWN = update_length(3, 32, _CLASSES)
MOST_OWN = update_length(3, 32, MOST_LABELS)
"""Length of an update on the client's own images, if they have colour and as many labels as are allowed: before they
are read, the limit counts them so."""
PROJECTED_VALUES = 100
"""A simulated trial takes about as long as drawing this many values of a report."""
MOST_VALUES = 2 * 10**11
"""Limit of a run on the page, guesses or reports times numbers in an update: about half an hour on one core."""
_FALLBACK_SPEED = 1e8
_START_SECONDS = 1.0
_TRAINING_SECONDS = {
    ("digits", "none"): 0.0,
    ("digits", "light"): 0.6,
    ("digits", "full"): 1.8,
}
"""Measured on one core; a kept model takes none of it."""
_OTHER_TRAINING_SECONDS = {"none": 0.5, "light": 8.0, "full": 75.0}
"""Of the data sets with 50,000 to 73,000 training images."""
_BLACK_SHARES = 2.0
"""A black-box trial takes about as long as drawing this many reports, and one more for each other client."""


class TooLargeError(Exception):
    """The run is too large for the page.

    Args:
        limit: what is allowed: for a test guesses with these settings, else guesses or reports times numbers.
        asked: what was asked for.
        kind: of run.
        own: whether the client's own images count in it, as those with the longest updates.
    """

    def __init__(self, limit: int, asked: int, kind: str = "audit", own: bool = False) -> None:
        super().__init__(limit, asked, kind, own)
        self.limit, self.asked, self.kind, self.own = limit, asked, kind, own


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would take and what it could show; ``needed`` is None where no number of trials suffices."""

    seconds: float
    provable: float
    enough: bool
    needed: int | None


def fresh_seed() -> int:
    return secrets.randbits(53)


def make_config(*, confidence: float, seed: int | None, **options: Any) -> AuditConfig:
    """Return the core's checked configuration of what the form holds; a page always watches its runs.

    Args:
        confidence: in percent.
        seed: of all streams; None for a fresh one.
        options: the other fields of ``AuditConfig``.

    Raises:
        ValueError: if a value is out of range.
        UnsupportedCombinationError: if the parts do not fit each other.
    """
    significance = round(1.0 - confidence / 100.0, 12)
    return configuration.make_config(significance=significance, seed=seed, watch=True, **options)


def check_size(config: AuditConfig) -> None:
    """Raise ``TooLargeError`` if the run would keep this page's worker too long."""
    numbers = most_dimension(config.dataset)
    asked, limit = config.num_trials * config.num_measurements, MOST_VALUES // _values_per_trial(config, numbers)
    if asked > limit:
        raise TooLargeError(limit, asked, own=config.dataset == "own" and config.sampling != "projected")


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
    return Plan(seconds, provable, provable >= config.epsilon, needed)


def most_dimension(dataset: str) -> int:
    """Return the length of an update, or the longest that it can have."""
    return _dimension(dataset, MOST_OWN)


def usual_dimension(dataset: str) -> int:
    """Return the length of an update, or about what it is: own images seldom have hundreds of labels."""
    return _dimension(dataset, _USUAL_OWN)


def _dimension(dataset: str, unknown: int) -> int:
    shape = DATASETS[dataset].shape
    return unknown if shape is None else update_length(*shape, _CLASSES)


def start_seconds(datasets: tuple[str, ...], training: str) -> float:
    """Return about how long it takes to load data sets and to train their models."""
    other = _OTHER_TRAINING_SECONDS[training]
    return _START_SECONDS + sum(_TRAINING_SECONDS.get((name, training), other) for name in datasets)


def speed(values_per_second: float | None) -> float:
    """Return how many random values this device draws in a second; a cautious guess before it was probed."""
    return values_per_second or _FALLBACK_SPEED


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
