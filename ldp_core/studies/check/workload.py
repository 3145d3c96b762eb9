"""What is known before a check: how long it takes on this device, what it would catch, and whether it is too large."""

from ldp_core import workload
from ldp_core.checking.claims import CheckConfig, plan_of

MOST_VALUES = 2 * 10**9
"""Limit of a check on the page, in values of reports: at most about half an hour on one core."""
MOST_FILE_VALUES = 2 * 10**7
"""Limit of a challenge made on the page: its answers are 160 MB in float64."""
_START_SECONDS = 2.0
_VALUE_SHARES = 2.0
"""A value of a report takes about as long as drawing this many: it is made, and rules look at it."""
_REPORT_VALUES = 1_300
"""A report takes about as long as drawing this many values, beside its own."""
_ROUND_VALUES = 6 * 10**7
"""Choosing the rules of a round, on all pairs, takes about as long as drawing this many values."""


def check_size(config: CheckConfig, limit: int = MOST_VALUES) -> None:
    """Raise ``workload.TooLargeError`` if a check asks for more values than the page allows."""
    asked = config.reports * config.dimension
    if asked > limit:
        raise workload.TooLargeError(limit, asked, "check")


def seconds(config: CheckConfig, values_per_second: float | None) -> float:
    """Return about how long a whole check takes."""
    values = config.reports * (config.dimension * _VALUE_SHARES + _REPORT_VALUES)
    values += len(plan_of(config).rounds) * _ROUND_VALUES
    return _START_SECONDS + values / workload.speed(values_per_second)


def detectable(config: CheckConfig) -> float | None:
    """Return the smallest true epsilon that a whole check would catch if it shows on which side a report lies.

    It takes about a second the first time, whatever the seed and the length of the updates.
    """
    from ldp_core.checking.claims.power import smallest_detectable_epsilon

    return smallest_detectable_epsilon(config)
