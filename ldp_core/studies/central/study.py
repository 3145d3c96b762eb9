"""An audit of DP-SGD: what every study states of itself."""

from ldp_core import workload
from ldp_core.studies.central.result import CentralConfig, CentralResult
from ldp_core.studies.reading import KeptStudy

_STEPS_A_SECOND = {"logistic": 12_000.0, "mlp": 7_000.0, "features": 14_000.0, "cnn": 100.0}
"""Steps of one model in a second of one core, for batches of 100 records; measured."""
_SLOWER = {"adaptive-poison": 2.5, "intermediate": 1.2}
_LAW_STEPS_A_SECOND = 2e7
_MOST_SECONDS = 1_800.0
"""Limit of a run on the page, on one core."""
_START_SECONDS = 2.0


class Central(KeptStudy):
    """What one of six adversaries reaches against DP-SGD."""

    result = CentralResult
    timed = "games"
    command_modules = ("command", "accountant_command", "table")

    def seconds(self, config: CentralConfig, values_per_second: float | None) -> float:
        games = 2.0 * (config.games + config.threshold_games)
        if config.law:
            return _START_SECONDS + games * config.steps / _LAW_STEPS_A_SECOND
        batches = max(0.2, config.sampling_rate * config.records / 100.0)
        full = config.adversary == "gradient" and config.direction != "dead-inputs"
        slower = 1.0 / config.sampling_rate if full else _SLOWER.get(config.adversary, 1.0)
        return _START_SECONDS + games * config.steps * batches * slower / _STEPS_A_SECOND[config.model]

    def check_size(self, config: CentralConfig) -> None:
        seconds = self.seconds(config, None)
        if seconds > _MOST_SECONDS:
            raise workload.TooLargeError(max(20, int(config.games * _MOST_SECONDS / seconds)), config.games, self.name)

    def datasets(self, config: CentralConfig) -> tuple[str, ...]:
        return () if config.law else (config.dataset,)
