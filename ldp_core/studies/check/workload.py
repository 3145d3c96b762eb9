"""What is known before a check: how long it takes here, what it would catch and must, and whether it is too large."""

import re
from dataclasses import dataclass
from pathlib import Path

from ldp_core import _validate, workload
from ldp_core.checking.claims import LEAKS, REFINED, CheckConfig, CheckResult, detectable_epsilons, plan_of
from ldp_core.types import EPSILON_RANGE
from ldp_core.words import numbers

MOST_VALUES = 2 * 10**9
"""Limit of a check on the page, in values of reports: at most about half an hour on one core."""
MOST_FILE_VALUES = 2 * 10**7
"""Limit of a challenge made on the page: its answers are 160 MB in float64."""
_HELD_BYTES, _PAIR_BYTES = 600, 20
"""Memory for each number of an input: the fixed pairs, and what is computed of one report; each further pair."""
_START_SECONDS = 2.0
_VALUE_SHARES = 2.0
"""A value of a report takes about as long as drawing this many: it is made, and rules look at it."""
_REPORT_VALUES = 1_300
"""A report takes about as long as drawing this many values, beside its own."""
_ROUND_VALUES = 6 * 10**7
"""Choosing the rules of a round, on all pairs, takes about as long as drawing this many values."""


def check_size(config: CheckConfig, limit: int = MOST_VALUES) -> None:
    """Raise ``workload.TooLargeError`` if a check asks for more values than the page allows."""
    size = config.reports * config.dimension
    if size > limit:
        raise workload.TooLargeError(limit, size, "check")


def seconds(config: CheckConfig, values_per_second: float | None) -> float:
    """Return about how long a whole check takes."""
    values = config.reports * (config.dimension * _VALUE_SHARES + _REPORT_VALUES)
    values += len(plan_of(config).rounds) * _ROUND_VALUES
    return _START_SECONDS + values / workload.speed(values_per_second)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A true epsilon that a check must catch. ``epsilon``: in nats; ``kind``: how it shows, in ``LEAKS``."""

    epsilon: float
    kind: str

    @property
    def words(self) -> str:
        """As on the command line."""
        return f"{self.epsilon:g}:{self.kind}"


def must_detect(text: str | None) -> Wanted | None:
    """Return what ``EPSILON`` or ``EPSILON:KIND`` asks for."""
    if text is None:
        return None
    number, colon, kind = text.partition(":")
    try:
        epsilon = float(number)
    except ValueError:
        raise ValueError(f"--must-detect must be a number such as 1.2 or 1.2:tail, got {text!r}") from None
    _validate.choice("kind of --must-detect", kind if colon else LEAKS[0], LEAKS)
    return Wanted(_validate.number("--must-detect", epsilon, *EPSILON_RANGE), kind if colon else LEAKS[0])


def refuse_too_little(config: CheckConfig, wanted: Wanted | None) -> None:
    """Raise ``ValueError`` if the planned check would not catch what is wanted with 95 % chance."""
    if wanted is None:
        return
    if wanted.epsilon <= config.epsilon:
        raise ValueError(f"--must-detect must be above the claimed {config.epsilon:g}, got {wanted.epsilon:g}")
    from ldp_core.checking.claims.power import reports_needed, smallest_detectable_epsilon

    detectable = smallest_detectable_epsilon(config, wanted.kind)
    if detectable is not None and detectable <= wanted.epsilon:
        return
    needed = reports_needed(config, wanted.kind, wanted.epsilon)
    if detectable is None:
        catches = f"which is not known or above 30 for this kind in {config.dimension:,} numbers"
    else:
        catches = f"which is a true epsilon of at least {numbers.ceiled(detectable, 2)}"
    raise ValueError(
        f"--must-detect {wanted.words} must be what a check with {config.reports:,} reports would catch, {catches}"
        + ("" if needed is None else f"; it takes about {needed:,} reports")
    )


def refuse_too_long(config: CheckConfig, memory: Path = Path("/proc/meminfo")) -> None:
    """Raise ``ValueError`` if a check's inputs take more memory than is free, where the system (Linux) tells that."""
    match = re.search(r"^MemAvailable: +(\d+) kB$", memory.read_text(), re.MULTILINE) if memory.is_file() else None
    further = config.own_pairs + REFINED * len(plan_of(config).rounds)
    needed = (_HELD_BYTES + _PAIR_BYTES * further) * config.dimension
    if match and needed > (free := 1_024 * int(match[1])):
        raise ValueError(
            f"dimension must be one whose inputs fit into memory: {config.dimension:,} numbers take about "
            f"{needed / 1e9:.1f} GB, got {free / 1e9:.1f} GB that are free"
        )


def caught_as_wanted(result: CheckResult, wanted: Wanted) -> bool:
    """Return whether a check that ran would have caught what is wanted, for reports as they came."""
    detectable = detectable_epsilons(result)[wanted.kind]
    return detectable is not None and detectable <= wanted.epsilon
