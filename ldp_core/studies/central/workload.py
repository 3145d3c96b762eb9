"""What is known before an audit of DP-SGD: how long it takes on this device, and whether it is too large. No torch."""

from ldp_core import workload
from ldp_core.studies.central.result import CentralConfig

_STEPS_A_SECOND = {"logistic": 12_000.0, "mlp": 7_000.0, "features": 14_000.0, "cnn": 100.0}
"""Steps of one model in a second of one core, for batches of 100 records; measured."""
_SLOWER = {"adaptive-poison": 2.5, "intermediate": 1.2}
_LAW_STEPS_A_SECOND = 2e7
MOST_SECONDS = 1_800.0
"""Limit of a run on the page, on one core."""
_START_SECONDS = 2.0


def central_seconds(config: CentralConfig) -> float:
    """Return about how long an audit takes on one core."""
    games = 2.0 * (config.games + config.threshold_games)
    if config.law:
        return _START_SECONDS + games * config.steps / _LAW_STEPS_A_SECOND
    batches = max(0.2, config.sampling_rate * config.records / 100.0)
    full = config.adversary == "gradient" and config.direction != "dead-inputs"
    slower = 1.0 / config.sampling_rate if full else _SLOWER.get(config.adversary, 1.0)
    return _START_SECONDS + games * config.steps * batches * slower / _STEPS_A_SECOND[config.model]


def check_size(config: CentralConfig) -> None:
    """Raise ``workload.TooLargeError`` if the run would keep the page's worker too long."""
    seconds = central_seconds(config)
    if seconds > MOST_SECONDS:
        raise workload.TooLargeError(max(20, int(config.games * MOST_SECONDS / seconds)), config.games, "central")
